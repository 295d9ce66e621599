namespace Slipstream.Core.Pooling;

/// <summary>The kind of a <see cref="PoolAction"/>.</summary>
internal enum PoolStep
{
    /// <summary>Nothing to do. For a waiter: its wait timed out or was cancelled.</summary>
    None,

    /// <summary>The caller, or the named waiter, gets an idle session.</summary>
    Hand,

    /// <summary>The caller, or the named waiter, opens a session. Its place is already reserved.</summary>
    Open,

    /// <summary>The caller waits.</summary>
    Wait,

    /// <summary>A session is closed. A named waiter then gets its place.</summary>
    Close,

    /// <summary>The pool is disposed: the caller gets no session.</summary>
    Refuse,
}

/// <summary>A decision of <see cref="PoolState"/>, for a pool to carry out.</summary>
internal readonly record struct PoolAction(
    PoolStep Step, IPooledSession? Session = null, Waiter? Waiter = null, PoolState? Pool = null, CloseReason Reason = default);

/// <summary>A pool that carries out decisions.</summary>
internal interface IPoolOwner
{
    /// <summary>Closes a session of this pool, or wakes one of its waiters.</summary>
    void Execute(in PoolAction action);
}
