namespace Slipstream.Core.Pooling;

/// <summary>A session, as far as the pool knows it.</summary>
internal interface IPooledSession
{
    /// <summary>Whether the session must not be used again.</summary>
    bool IsBroken { get; }

    /// <summary>Checks, without a round trip, whether an idle session is usable: the peer has neither closed it nor sent anything unexpected.</summary>
    /// <param name="precise">The time, as <see cref="Time.Clock.Precise"/>.</param>
    bool IsAliveAt(long precise);

    /// <summary>Whether the session has ever waited asynchronously. Once true, it stays true.</summary>
    bool HasWaitedAsynchronously { get; }

    /// <summary>Whether blocking and asynchronous waits suit the session equally, so that every caller may get it.</summary>
    bool SupportsMixedWaits => false;

    /// <summary>When the session was opened, in milliseconds of the process's monotonic clock.</summary>
    long OpenedAt { get; }

    /// <summary>When the session was last leased or returned, in milliseconds of the same clock.</summary>
    long ChangedAt { get; set; }

    /// <summary>
    /// The pool's generation when the session was opened. Clearing the pool begins a new generation: sessions of earlier ones are closed when they are
    /// returned.
    /// </summary>
    int Generation { get; set; }

    /// <summary>The connection that leases the session, referenced weakly to find leaked leases. Null while idle.</summary>
    object? Holder { get; set; }

    /// <summary>Whether the session is leased and its holder has been garbage collected.</summary>
    bool IsLeaked { get; }

    /// <summary>Marks the session as broken and shuts its connection down. Callable from any thread.</summary>
    /// <param name="because">The reason, for the exception of its holder.</param>
    void Break(string because);

    /// <summary>Ends the session with a farewell message, if it can be sent at once, and closes the connection. Never throws.</summary>
    void Close();
}
