using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>The sessions of a server's pool, as those see them whose database is this: what is leased is moved there with its first command.</summary>
/// <remarks>One that is there already is preferred: it keeps what it has prepared.</remarks>
/// <param name="pool">Of all databases.</param>
/// <param name="database">Not empty.</param>
internal sealed class DatabaseSessions(SessionPool<Session> pool, string database) : ISessionSource<Session>
{
    // Once for all: a lease allocates nothing.
    private static readonly Func<IPooledSession, string, bool> IsThere = static (session, database) => ((MySqlSession)session).State.Database == database;

    private volatile bool _disposed;

    public Session Lease(object holder, long milliseconds)
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(MySqlDataSource));
        return Moved(pool.TryLease(holder, database, IsThere) ?? pool.Lease(holder, milliseconds));
    }

    public ValueTask<Session> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(MySqlDataSource));
        if (!cancellationToken.IsCancellationRequested && pool.TryLease(holder, database, IsThere) is { } there)
            return new(Moved(there));
        var lease = pool.LeaseAsync(holder, milliseconds, cancellationToken);
        return lease.IsCompletedSuccessfully ? new(Moved(lease.Result)) : LeaseSlowAsync(lease);
    }

    public void Return(Session session) => pool.Return(session);

    public void Clear() => pool.Clear();

    public PoolStatistics GetStatistics() => pool.GetStatistics();

    // The pool is others' too: who made it disposes of it.
    public void Dispose() => _disposed = true;

    private async ValueTask<Session> LeaseSlowAsync(ValueTask<Session> lease) => Moved(await lease.ConfigureAwait(false));

    private Session Moved(Session session)
    {
        ((MySqlSession)session).LeaseFor(database);
        return session;
    }
}
