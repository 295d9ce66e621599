namespace Slipstream.Core.Pooling;

/// <summary>What is to be done after an event; see <see cref="PoolAction"/>.</summary>
internal enum PoolStep
{
    /// <summary>Nothing. Of a waiter: it gave up.</summary>
    None,

    /// <summary>The caller, or the waiter named, gets an idle session.</summary>
    Hand,

    /// <summary>The caller, or the waiter named, opens a session: its place is taken already.</summary>
    Open,

    /// <summary>The caller waits.</summary>
    Wait,

    /// <summary>A session is closed. A waiter that is named gets its place, once it is closed.</summary>
    Close,

    /// <summary>The pool is disposed: there is no session for the caller.</summary>
    Refuse,
}

/// <summary>What <see cref="PoolState"/> has decided, for a pool to carry out.</summary>
internal readonly record struct PoolAction(
    PoolStep Step, IPooledSession? Session = null, Waiter? Waiter = null, PoolState? Pool = null, CloseReason Reason = default);

/// <summary>A pool, as the one who carries out what has been decided.</summary>
internal interface IPoolOwner
{
    /// <summary>Closes a session of this pool, or wakes one of its waiters.</summary>
    void Carry(in PoolAction action);
}
