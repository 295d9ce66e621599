namespace Slipstream.Core.Conversations;

/// <summary>What a conversation needs next: the complete list of waits, then the outcomes. A wait that is not here does not exist.</summary>
internal enum Step
{
    /// <summary>More bytes must arrive.</summary>
    Receive,

    /// <summary>What is in the writer must leave.</summary>
    Send,

    /// <summary>The wire must switch to TLS.</summary>
    Upgrade,

    /// <summary>Somebody outside the protocol must supply something: bulk data, a password, the end of another conversation.</summary>
    WaitExternal,

    /// <summary>Nothing to wait for: a result set is known.</summary>
    Metadata,

    /// <summary>Nothing to wait for: a row is ready.</summary>
    Row,

    /// <summary>Nothing to wait for: the exchange, or the one result of several that was asked for, has ended.</summary>
    Completed,
}
