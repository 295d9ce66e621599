using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql;

/// <summary>
/// Several servers with one set of options. Each connection uses a server with the requested role. Each server has its own pool. The driver learns a server's
/// role when it opens a session, and relies on it for Host Recheck Seconds (default 10). It is thread-safe. Create one and keep it.
/// </summary>
public sealed class PgMultiHostDataSource : PgDataSource
{
    private readonly HostPool[] _hosts;
    private readonly PgDataSource?[] _views = new PgDataSource?[Targets.Count];

    internal PgMultiHostDataSource(PgSettings settings, DataSourceParts parts)
        : this(settings, parts, Open(settings, parts))
    {
    }

    private PgMultiHostDataSource(PgSettings settings, DataSourceParts parts, HostPool[] hosts)
        : base(settings, parts, new HostSource(hosts, settings.Target, settings.LoadBalanceHosts, isOwner: true)) => _hosts = hosts;

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

    /// <summary>Forgets the roles of the servers: the next connections learn them again. Call this method after a fail-over.</summary>
    public void ClearDatabaseStates()
    {
        foreach (var host in _hosts)
            host.Forget();
    }

    private protected override void Renew(string? password)
    {
        foreach (var host in _hosts)
            host.Source.Password = password;
    }

    /// <inheritdoc/>
    internal override string? RenewedPassword => _hosts[0].Source.RenewedPassword;

    // The connections' strings name the role, so that connections that are made from them have it, too.
    private PgDataSource View(TargetSessionAttributes target) =>
        new(this, new HostSource(_hosts, target, Settings.LoadBalanceHosts, isOwner: false), settings: Settings.For(target));

    private static HostPool[] Open(PgSettings settings, DataSourceParts parts)
    {
        var hosts = new HostPool[settings.Endpoints.Count];
        for (var at = 0; at < hosts.Length; at++)
        {
            var own = settings.At(settings.Endpoints[at]);
            hosts[at] = new(new PgDataSource(own, parts with { Name = $"{parts.Name ?? PoolNameOf(own)} ({own.Endpoints[0]})" }), settings.HostRecheck);
        }

        return hosts;
    }
}
