using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>Which provider talks to the hostile server.</summary>
public enum Victim
{
    MySql,
    PostgreSql,
}

/// <summary>What the application does; each but <see cref="Open"/> opens first, which must succeed.</summary>
public enum Act
{
    Open,

    /// <summary>Executes <c>SELECT 1</c> and reads all rows of all results.</summary>
    Query,

    /// <summary>The same, prepared explicitly.</summary>
    Prepared,

    /// <summary>ExecuteNonQuery: nobody looks at rows or results.</summary>
    Count,

    /// <summary>A query, the way back to the pool, and another query in a second lease of the same session.</summary>
    SecondLease,

    /// <summary>The same, but the server has until the second lease to say something unasked.</summary>
    LateSecondLease,

    /// <summary>Reads one row and closes the reader, which has to skip the rest.</summary>
    StopReading,

    /// <summary>Asks whether the server is there.</summary>
    Ping,

    /// <summary>A query whose warnings are asked for.</summary>
    Warnings,

    /// <summary>A query with a value that no buffer on the way holds.</summary>
    LargeQuery,
}

/// <summary>What the application sees.</summary>
public enum Outcome
{
    /// <summary>The connection could not be made: the provider's exception, which names the server.</summary>
    CannotConnect,

    /// <summary>The same, because the connection timeout passed.</summary>
    ConnectTimeout,

    /// <summary>The same, because a rule of the client forbids what the server asked for.</summary>
    Forbidden,

    /// <summary>The server broke the protocol.</summary>
    BrokenProtocol,

    /// <summary>The server or the network closed the connection.</summary>
    Lost,

    /// <summary>The same, under a command that may have been too large for the server.</summary>
    LostOnLargeCommand,

    /// <summary>The command timeout passed.</summary>
    CommandTimeout,

    /// <summary>The server's own error, shown short and clean.</summary>
    ServerError,

    /// <summary>A ping that says no instead of throwing.</summary>
    NoAnswer,

    /// <summary>Nothing: the session that was in doubt is not used again, and the application hears of nothing.</summary>
    Unharmed,
}

/// <summary>One way of being hostile.</summary>
/// <param name="Name">Unique, in the words that the test's name shows.</param>
/// <param name="Victim">Whom it is aimed at.</param>
/// <param name="Does">What the server does, for people.</param>
/// <param name="Act">What the application does meanwhile.</param>
/// <param name="Outcome">What the application must see.</param>
/// <param name="Script">The server's side of every connection, until the test turns it into an honest server.</param>
public sealed record HostileScript(string Name, Victim Victim, string Does, Act Act, Outcome Outcome, Action<FakePeer> Script)
{
    /// <summary>More options for the connection string.</summary>
    public string Options { get; init; } = "";

    /// <summary>The session is in step afterwards and may be used again: a refusal is no crime.</summary>
    public bool KeepsSession { get; init; }

    /// <summary>What the exchange may allocate: buffers, exceptions, TLS; not what a length announced, and nothing that grows with what has arrived.</summary>
    public long MemoryBound { get; init; } = 6 << 20;

    /// <summary>What the exception's text, or one inside it, must say.</summary>
    public string Says { get; init; } = "";

    /// <summary>Ends by a timeout: such scripts run side by side. Not with large values, of which a waiting thread may hold the last until it does something else.</summary>
    public bool IsSlow => Outcome is Outcome.ConnectTimeout or Outcome.CommandTimeout && Act != Act.LargeQuery;

    public override string ToString() => Name;
}
