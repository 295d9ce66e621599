using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>Replaces the pool if pooling is off: every lease opens a session, every return closes it.</summary>
internal sealed class UnpooledSource<T>(ISessionFactory<T> factory) : ISessionSource<T> where T : class, IPooledSession
{
    private static readonly PoolLimits None = new(MaxSize: int.MaxValue);

    private readonly PoolCounters _counters = new();
    private int _open;
    private volatile bool _disposed;

    /// <inheritdoc/>
    public T Lease(object holder, long milliseconds)
    {
        ThrowIfDisposed();
        return Adopt(factory.Open(milliseconds, holder), holder);
    }

    /// <inheritdoc/>
    public async ValueTask<T> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        return Adopt(await factory.OpenAsync(milliseconds, holder, cancellationToken).ConfigureAwait(false), holder);
    }

    /// <inheritdoc/>
    public void Return(T session)
    {
        session.Holder = null;
        var reason = session.IsBroken ? CloseReason.Broken : CloseReason.Disposed;
        session.Close();
        _counters.Closed(reason);
        Interlocked.Decrement(ref _open);
    }

    /// <inheritdoc/>
    public void Clear()
    {
        // There are no idle sessions.
    }

    /// <inheritdoc/>
    public PoolStatistics GetStatistics() => _counters.Report(None, 0, Volatile.Read(ref _open), 0);

    // Leased sessions belong to their connections.
    /// <inheritdoc/>
    public void Dispose()
    {
        _disposed = true;
        (factory as IDisposable)?.Dispose();
    }

    private T Adopt(T session, object holder)
    {
        session.Holder = holder;
        session.ChangedAt = Clock.Now;
        _counters.Opened();
        Interlocked.Increment(ref _open);
        return session;
    }

    private void ThrowIfDisposed()
    {
        if (_disposed)
            throw DisposedSource.Refuse(null);
    }
}
