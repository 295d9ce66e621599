using Slipstream.Core.Clusters;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Sessions;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// Several servers with one set of options. Each connection uses a server with the requested role. Each server has its own pool. A monitor asks the servers for
/// their roles in the background, and follows the primary to another server. It is thread-safe. Create one, keep it, and dispose it in the end.
/// </summary>
public sealed class PgMultiHostDataSource : PgDataSource
{
    private readonly Cluster _cluster;
    private readonly RenewedPassword _password;
    private readonly PgDataSource?[] _views = new PgDataSource?[Targets.Count];

    internal PgMultiHostDataSource(PgSettings settings, DataSourceParts parts)
        : this(settings, parts, Open(settings, parts))
    {
    }

    private PgMultiHostDataSource(PgSettings settings, DataSourceParts parts, (Cluster Cluster, RenewedPassword Password) opened)
        : base(settings, parts, ViewOf(opened.Cluster, settings.Target, isOwner: true))
    {
        (_cluster, _password) = opened;
        _cluster.News.Sender = this;
        SharedTelemetry.Topology.Add(_cluster, Name, PgOptions.Port.Default);
        if (Telemetry.CreateTopologyLog() is { } log)
            _cluster.Observer = new ClusterLog(log, Name);
    }

    /// <summary>Returns a data source for the servers with a role. It shares everything with this one; disposing it has no effect.</summary>
    /// <param name="targetSessionAttributes">The role, in place of the option Target Session Attributes.</param>
    /// <returns>The data source, the same for the same role.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of the enumeration.</exception>
    public PgDataSource WithTargetSession(TargetSessionAttributes targetSessionAttributes)
    {
        if (!Enum.IsDefined(targetSessionAttributes))
            throw new ArgumentOutOfRangeException(
                nameof(targetSessionAttributes), targetSessionAttributes, "Target session attributes must be a member of the enumeration.");
        ref var view = ref _views[(int)targetSessionAttributes];
        return Volatile.Read(ref view) ?? Interlocked.CompareExchange(ref view, View(targetSessionAttributes), null) ?? view!;
    }

    /// <summary>Gets a data source for the primary.</summary>
    public PgDataSource Primary => WithTargetSession(TargetSessionAttributes.Primary);

    /// <summary>Gets a data source for the primary; if there is none, for the standbys.</summary>
    public PgDataSource PreferPrimary => WithTargetSession(TargetSessionAttributes.PreferPrimary);

    /// <summary>Gets a data source for the standbys.</summary>
    public PgDataSource Replica => WithTargetSession(TargetSessionAttributes.Standby);

    /// <summary>Gets a data source for the standbys; if there is none, for the primary.</summary>
    public PgDataSource PreferReplica => WithTargetSession(TargetSessionAttributes.PreferStandby);

    /// <summary>Gets a data source for all servers.</summary>
    public PgDataSource Any => WithTargetSession(TargetSessionAttributes.Any);

    /// <summary>Creates a closed connection to a server with a role.</summary>
    /// <param name="targetSessionAttributes">The role, in place of the option Target Session Attributes.</param>
    /// <returns>The connection.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of the enumeration.</exception>
    public PgConnection CreateConnection(TargetSessionAttributes targetSessionAttributes) => WithTargetSession(targetSessionAttributes).CreateConnection();

    /// <summary>Opens a connection to a server with a role. Its disposal returns the session to the server's pool.</summary>
    /// <param name="targetSessionAttributes">The role, in place of the option Target Session Attributes.</param>
    /// <returns>The open connection.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of the enumeration.</exception>
    /// <exception cref="PgException">No server with the role could be used, or the time limit has passed.</exception>
    public PgConnection OpenConnection(TargetSessionAttributes targetSessionAttributes) => WithTargetSession(targetSessionAttributes).OpenConnection();

    /// <summary>Opens a connection to a server with a role. Its disposal returns the session to the server's pool.</summary>
    /// <param name="targetSessionAttributes">The role, in place of the option Target Session Attributes.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The open connection.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of the enumeration.</exception>
    /// <exception cref="PgException">No server with the role could be used, or the time limit has passed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<PgConnection> OpenConnectionAsync(TargetSessionAttributes targetSessionAttributes, CancellationToken cancellationToken = default) =>
        WithTargetSession(targetSessionAttributes).OpenConnectionAsync(cancellationToken);

    /// <summary>Has the roles of all servers checked at once. The driver does so by itself when a server is lost or refuses a write.</summary>
    public void ClearDatabaseStates() => _cluster.ProbeAll("The application called ClearDatabaseStates.");

    private protected override void Renew(string? password)
    {
        _password.Set(string.IsNullOrEmpty(password) ? null : password);
        _cluster.CredentialsChanged();
    }

    /// <inheritdoc/>
    internal override string? RenewedPassword => _password.Read();

    // The connections' strings name the role, so that connections that are made from them have it, too.
    private PgDataSource View(TargetSessionAttributes target) => new(this, ViewOf(_cluster, target, isOwner: false), settings: Settings.For(target));

    private static ClusterView ViewOf(Cluster cluster, TargetSessionAttributes target, bool isOwner) =>
        new(cluster, WishOf(target), $"Target Session Attributes={Targets.WordOf(target)}", isOwner);

    private static HostWish WishOf(TargetSessionAttributes target) => target switch
    {
        TargetSessionAttributes.ReadWrite => HostWish.ReadWrite,
        TargetSessionAttributes.ReadOnly => HostWish.ReadOnly,
        TargetSessionAttributes.Primary => HostWish.Primary,
        TargetSessionAttributes.Standby => HostWish.Replica,
        TargetSessionAttributes.PreferPrimary => HostWish.PreferPrimary,
        TargetSessionAttributes.PreferStandby => HostWish.PreferReplica,
        _ => HostWish.Any,
    };

    private static (Cluster Cluster, RenewedPassword Password) Open(PgSettings settings, DataSourceParts parts)
    {
        var (probe, password) = (new PgRoleProbe(), new RenewedPassword());
        var rules = new MemberRules
        {
            Listed = settings.Endpoints,
            DefaultPort = settings.DefaultPort,
            VerifiesServers = settings.SslMode >= SslMode.VerifyCA,
            VerifyingOption = "SSL Mode=VerifyFull",
        };
        // Without a host in the connection string, the source names the first ones.
        var listed = parts.Source is not null && !settings.NamesHosts ? [] : settings.Endpoints.DistinctBy(static one => one.ToString());
        var options = settings.Cluster with { Rules = rules, Source = parts.Source };
        return (new Cluster([.. listed.Select(OpenHost)], options, OpenHost), password);

        ClusterMember OpenHost(Endpoint endpoint)
        {
            var (own, member) = (settings.At(endpoint), new ClusterMember(endpoint, probe) { RenewedPassword = password.Read });
            _ = new PgDataSource(own, parts with { Name = $"{parts.Name ?? PoolNameOf(own)} ({endpoint})", Member = member, Source = null });
            return member;
        }
    }
}
