using Slipstream.Core.Clusters;
using Slipstream.Core.Topology;
using Slipstream.MySql.Options;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>The servers of a cluster, each with a data source of its own.</summary>
internal sealed class ServerCluster : IDisposable
{
    private readonly MySqlDataSource[] _sources;

    /// <param name="settings">The settings for all servers.</param>
    /// <param name="observer">Receives the events; null for nobody.</param>
    /// <param name="open">Creates the data source of one of them.</param>
    public ServerCluster(MySqlSettings settings, IClusterObserver? observer, Func<MySqlSettings, ClusterMember, MySqlDataSource> open)
    {
        var probe = new MySqlRoleProbe(settings.Topology);
        ClusterMember[] members = [.. settings.Endpoints.DistinctBy(static one => one.ToString()).Select(one => new ClusterMember(one, probe))];
        _sources = Array.ConvertAll(members, one => open(settings.At(one.Endpoint), one));
        Cluster = new(members, settings.Cluster) { Observer = observer };
    }

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
        foreach (var source in _sources)
            source.Password = password;
        Cluster.CredentialsChanged();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Cluster.Dispose();
        foreach (var source in _sources)
            source.Dispose();
    }
}
