namespace Slipstream.Core.Conversations;

/// <summary>What a conversation needs next: the complete list of waits, then the outcomes. There are no other waits.</summary>
internal enum Step
{
    /// <summary>More bytes must arrive.</summary>
    Receive,

    /// <summary>The bytes in the writer must be sent.</summary>
    Send,

    /// <summary>The wire must switch to TLS.</summary>
    Upgrade,

    /// <summary>A source outside the protocol must supply something: bulk data, a password, the end of another conversation.</summary>
    WaitExternal,

    /// <summary>Outcome: the columns of a result set are known.</summary>
    Metadata,

    /// <summary>Outcome: a row is ready.</summary>
    Row,

    /// <summary>Outcome: the exchange has ended, or the requested result of several.</summary>
    Completed,
}
