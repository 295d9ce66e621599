namespace Slipstream.Core.Pooling;

/// <summary>Opens new sessions for a pool. A pool needs nothing else from a provider.</summary>
internal interface ISessionFactory<T> where T : class, IPooledSession
{
    /// <summary>Opens a session by blocking.</summary>
    /// <param name="milliseconds">Time for all phases, in milliseconds; 0 or less: no limit.</param>
    T Open(long milliseconds);

    /// <summary>Opens a session asynchronously.</summary>
    /// <param name="milliseconds">Time for all phases, in milliseconds; 0 or less: no limit.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    ValueTask<T> OpenAsync(long milliseconds, CancellationToken cancellationToken);

    /// <summary>Opens a session for a holder that may supply what opening needs: a password, or a decision about certificates.</summary>
    /// <param name="milliseconds">Time for all phases, in milliseconds; 0 or less: no limit.</param>
    /// <param name="holder">The first holder of the session; null without one.</param>
    T Open(long milliseconds, object? holder) => Open(milliseconds);

    /// <inheritdoc cref="Open(long, object?)"/>
    ValueTask<T> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken) => OpenAsync(milliseconds, cancellationToken);
}

/// <summary>Leases sessions: a pool, or its replacement.</summary>
internal interface ISessionSource<T> : IDisposable where T : class, IPooledSession
{
    /// <summary>Leases a session to <paramref name="holder"/>, waiting for at most <paramref name="milliseconds"/>.</summary>
    T Lease(object holder, long milliseconds);

    /// <summary>Leases an idle session to <paramref name="holder"/>, without waiting or opening; null if there is none for a caller that blocks.</summary>
    T? TryLease(object holder) => null;

    /// <summary>The same for a caller that does not block.</summary>
    T? TryLeaseAsynchronous(object holder) => null;

    /// <summary>Leases an idle or a new session to <paramref name="holder"/> asynchronously, waiting for at most <paramref name="milliseconds"/>.</summary>
    ValueTask<T> LeaseAsync(object holder, long milliseconds, CancellationToken cancellationToken);

    /// <summary>Returns a session. A broken one is closed.</summary>
    void Return(T session);

    /// <summary>Closes idle sessions now, and leased ones when they are returned.</summary>
    void Clear();

    /// <summary>The current state and the totals.</summary>
    PoolStatistics GetStatistics();

    /// <summary>Whether a caller would get a session without waiting for another caller. The answer may be outdated at once.</summary>
    bool HasRoom => true;

    /// <summary>The largest number of sessions.</summary>
    int Capacity => int.MaxValue;

    /// <summary>Whether other pools share a limit with this one, so that a caller which holds a session must not wait for another one.</summary>
    bool SharesLimit => false;

    /// <summary>
    /// Begins the search for a session of the primary, after a server has refused a write because it is not the primary. Called before the refusal is reported.
    /// Null if this source does not lead to the primary, or if a caller that holds a session must not wait for another one.
    /// </summary>
    /// <param name="refused">The session of that server.</param>
    /// <param name="milliseconds">The time of the search, in milliseconds; 0: no limit.</param>
    ISessionSearch<T>? SearchPrimary(T refused, long milliseconds) => null;

    /// <summary>Number of sessions in use or being opened. The answer may be outdated at once.</summary>
    int Load => 0;

    /// <summary>Ends the waits of all callers with an exception.</summary>
    void Divert(Exception cause)
    {
        // Without a pool, nobody waits for another caller.
    }

    /// <summary>The open sessions at this moment, idle and leased; empty without a pool.</summary>
    IReadOnlyList<IPooledSession> FindAll() => [];

    /// <summary>Breaks the leased sessions for which a condition holds, so that what runs on them ends at once.</summary>
    /// <param name="because">The reason, for the callers' exceptions.</param>
    /// <param name="condition">The condition.</param>
    /// <param name="state">Argument for the condition.</param>
    void Cut<TState>(string because, Func<T, TState, bool> condition, TState state)
    {
        // Without a pool, the sessions are not known.
    }
}
