namespace Slipstream.Core.Pooling;

/// <summary>All the pool knows of a session.</summary>
internal interface IPooledSession
{
    /// <summary>False when the session must not be used again.</summary>
    bool IsBroken { get; }

    /// <summary>Looks, without a round trip, whether an idle session is still usable: the peer has neither closed nor said something unasked.</summary>
    bool IsAlive { get; }

    /// <summary>True once the session has waited asynchronously: it stays on that shelf.</summary>
    bool HasWaitedAsynchronously { get; }

    /// <summary>True when it does not matter to the session who waits how: it lies where everybody looks.</summary>
    bool SuitsBothWays => false;

    /// <summary>When it was opened, on the process's monotonic clock, in milliseconds.</summary>
    long OpenedAt { get; }

    /// <summary>When it was last leased or returned.</summary>
    long ChangedAt { get; set; }

    /// <summary>The pool's generation it belongs to: clearing the pool makes all earlier ones go when they come back.</summary>
    int Generation { get; set; }

    /// <summary>Who leases it: watched weakly, to find leaked leases. Null when idle.</summary>
    object? Holder { get; set; }

    /// <summary>True when it is leased and its holder has been garbage collected.</summary>
    bool IsLeaked { get; }

    /// <summary>Says goodbye if that can be done at once, and closes. Never throws.</summary>
    void Close();
}
