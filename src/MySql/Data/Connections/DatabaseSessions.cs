using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// The sessions of a server's pool, as a data source for one database sees them. A leased session changes to the database with its first command.
/// </summary>
/// <remarks>Sessions that are in the database already are preferred: they keep their prepared statements.</remarks>
/// <param name="pool">The pool for all databases.</param>
/// <param name="database">The database; not empty.</param>
internal sealed class DatabaseSessions(SessionPool<Session> pool, string database) : ISessionSource<Session>
{
    // Static, so that a lease allocates nothing.
    private static readonly Func<IPooledSession, string, bool> IsSelected = static (session, database) => ((MySqlSession)session).State.Database == database;

    private volatile bool _disposed;

    public Session Lease(object holder, long milliseconds)
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(MySqlDataSource));
        return Moved(pool.TryLease(holder, database, IsSelected) ?? pool.Lease(holder, milliseconds));
    }

    public ValueTask<Session> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(MySqlDataSource));
        if (!cancellationToken.IsCancellationRequested && pool.TryLease(holder, database, IsSelected) is { } there)
            return new(Moved(there));
        var lease = pool.LeaseAsync(holder, milliseconds, cancellationToken);
        return lease.IsCompletedSuccessfully ? new(Moved(lease.Result)) : LeaseSlowAsync(lease);
    }

    public void Return(Session session) => pool.Return(session);

    public void Clear() => pool.Clear();

    public PoolStatistics GetStatistics() => pool.GetStatistics();

    // Other data sources share the pool: its creator disposes it.
    public void Dispose() => _disposed = true;

    private async ValueTask<Session> LeaseSlowAsync(ValueTask<Session> lease) => Moved(await lease.ConfigureAwait(false));

    private Session Moved(Session session)
    {
        ((MySqlSession)session).LeaseFor(database);
        return session;
    }
}
