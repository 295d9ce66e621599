using Slipstream.Core.Clusters;
using Slipstream.Core.Sessions;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.MySql.Options;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>The servers of a cluster, each with a data source of its own.</summary>
internal sealed class ServerCluster : IDisposable
{
    // Apart from the cluster, which the openers of the sessions must not keep in memory.
    private readonly RenewedPassword _password = new();

    /// <param name="settings">The settings for all servers.</param>
    /// <param name="source">Names the servers; null if only the connection string does.</param>
    /// <param name="observer">Receives the events; null for nobody.</param>
    /// <param name="attach">Creates the pool of a server.</param>
    public ServerCluster(MySqlSettings settings, ITopologySource? source, IClusterObserver? observer, Action<MySqlSettings, ClusterMember> attach)
    {
        var rules = new MemberRules
        {
            Listed = settings.Endpoints,
            DefaultPort = settings.DefaultPort,
            VerifiesServers = settings.VerifiesServers,
            VerifyingOption = "SSL Mode=VerifyFull",
            IsAllowed = Allowing(settings.RedirectionHosts),
            AllowingOption = MySqlOptions.RedirectionHosts.Name,
        };
        var discovers = settings.TopologyDiscovery == MySqlTopologyDiscovery.Members;
        Func<string?> password = _password.Read;
        var probe = new MySqlRoleProbe(settings.Topology, discovers ? rules : null);
        // Without a server in the connection string, the source names the first ones.
        var listed = source is not null && !settings.NamesServers ? [] : settings.Endpoints.DistinctBy(static one => one.ToString());
        Cluster = new([.. listed.Select(Open)], settings.Cluster with { Rules = rules, Discovers = discovers, Source = source }, Open) { Observer = observer };

        ClusterMember Open(Endpoint endpoint)
        {
            var member = new ClusterMember(endpoint, probe) { RenewedPassword = password };
            attach(settings.At(endpoint), member);
            return member;
        }
    }

    // The probes of the monitor keep it. A lambda in the constructor would refer to all that the other lambdas and the local function there need.
    private static Func<string, bool> Allowing(IReadOnlyList<string> hosts) => host => Redirection.IsAllowed(host, hosts);

    /// <summary>Gets the servers and their monitor.</summary>
    public Cluster Cluster { get; }

    /// <summary>Gets the number of roles that a view may have.</summary>
    public static int Types { get; } = Enum.GetValues<MySqlTargetServerType>().Length;

    /// <summary>Returns the sessions of the servers with a role.</summary>
    public ClusterView View(MySqlTargetServerType type) => new(Cluster, type switch
    {
        MySqlTargetServerType.Primary => HostWish.Primary,
        MySqlTargetServerType.PreferPrimary => HostWish.PreferPrimary,
        MySqlTargetServerType.Replica => HostWish.Replica,
        MySqlTargetServerType.PreferReplica => HostWish.PreferReplica,
        _ => HostWish.Any,
    }, $"Target Server Type={type}", isOwner: false);

    /// <summary>Sets the password of sessions that are opened from now on.</summary>
    public void Renew(string password)
    {
        _password.Set(password);
        Cluster.CredentialsChanged();
    }

    /// <inheritdoc/>
    public void Dispose() => Cluster.Dispose();
}
