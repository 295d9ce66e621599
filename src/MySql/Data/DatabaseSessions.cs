using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;

namespace Slipstream.MySql;

/// <summary>The sessions of a server's pool, as those see them whose database is this: what is leased is moved there with its first command.</summary>
/// <param name="pool">Of all databases.</param>
/// <param name="database">Not empty.</param>
internal sealed class DatabaseSessions(ISessionSource<Session> pool, string database) : ISessionSource<Session>
{
    private volatile bool _disposed;

    public Session Lease(object holder, long milliseconds)
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(MySqlDataSource));
        return Moved(pool.Lease(holder, milliseconds));
    }

    public ValueTask<Session> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(MySqlDataSource));
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
