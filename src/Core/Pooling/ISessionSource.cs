namespace Slipstream.Core.Pooling;

/// <summary>Opens new sessions for a pool. The only thing a pool needs of a provider.</summary>
internal interface ISessionFactory<T> where T : class, IPooledSession
{
    /// <param name="milliseconds">Time for all phases; 0 or less is no limit.</param>
    T Open(long milliseconds);

    /// <summary>Opens a session within a time, in milliseconds.</summary>
    ValueTask<T> OpenAsync(long milliseconds, CancellationToken cancellationToken);

    /// <summary>Opens for somebody who may bring what opening needs: a password, a judgement about certificates.</summary>
    /// <param name="milliseconds">Time for all phases; 0 or less is no limit.</param>
    /// <param name="holder">Who will have the session first; null for nobody yet.</param>
    T Open(long milliseconds, object? holder) => Open(milliseconds);

    /// <inheritdoc cref="Open(long, object?)"/>
    ValueTask<T> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken) => OpenAsync(milliseconds, cancellationToken);
}

/// <summary>Leases sessions: a pool, or whatever replaces it.</summary>
internal interface ISessionSource<T> : IDisposable where T : class, IPooledSession
{
    /// <summary>Leases a session to <paramref name="holder"/>, waiting for at most <paramref name="milliseconds"/>.</summary>
    T Lease(object holder, long milliseconds);

    /// <summary>A session for a holder: an idle one or a new one, within a time, in milliseconds.</summary>
    ValueTask<T> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken);

    /// <summary>Gives a session back. A broken one is closed.</summary>
    void Return(T session);

    /// <summary>Closes what is idle now, and what is leased when it comes back.</summary>
    void Clear();

    /// <summary>What is held now and has been done.</summary>
    PoolStatistics GetStatistics();
}
