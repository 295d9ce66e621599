using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>Which provider connects to the hostile server.</summary>
public enum Victim
{
    MySql,
    PostgreSql,
}

/// <summary>What the application does; every act except <see cref="Open"/> opens first, which must succeed.</summary>
public enum Act
{
    Open,

    /// <summary>Executes <c>SELECT 1</c> and reads all rows of all results.</summary>
    Query,

    /// <summary>The same, prepared explicitly.</summary>
    Prepared,

    /// <summary>ExecuteNonQuery: the application reads neither rows nor results.</summary>
    Count,

    /// <summary>A query, the return to the pool, and another query in a second lease of the same session.</summary>
    SecondLease,

    /// <summary>The same, but the server has time until the second lease to send something unasked.</summary>
    LateSecondLease,

    /// <summary>Reads one row and closes the reader, which has to skip the rest.</summary>
    StopReading,

    /// <summary>Pings the server.</summary>
    Ping,

    /// <summary>A query whose warnings are requested.</summary>
    Warnings,

    /// <summary>A query with a value that is larger than every buffer on the way.</summary>
    LargeQuery,

    /// <summary>Reads all rows of a COPY in the binary format (PostgreSQL).</summary>
    CopyExport,

    /// <summary>Reads one row of a COPY, and leaves the rest.</summary>
    CopyLeave,

    /// <summary>Writes two rows by a COPY in the binary format.</summary>
    CopyImport,

    /// <summary>Reads a COPY as text.</summary>
    CopyText,

    /// <summary>Waits for a notification, without a limit.</summary>
    Wait,

    /// <summary>Waits for a notification for half a second, and executes a query then.</summary>
    WaitAndQuery,
}

/// <summary>What the application sees.</summary>
public enum Outcome
{
    /// <summary>The connection attempt fails: the provider's exception names the server.</summary>
    CannotConnect,

    /// <summary>The same, because the connection timeout passed.</summary>
    ConnectTimeout,

    /// <summary>The same, because a rule of the client forbids what the server requested.</summary>
    Forbidden,

    /// <summary>The server broke the protocol.</summary>
    BrokenProtocol,

    /// <summary>The server or the network closed the connection.</summary>
    Lost,

    /// <summary>The same, during a command that may have been too large for the server.</summary>
    LostOnLargeCommand,

    /// <summary>The command timeout passed.</summary>
    CommandTimeout,

    /// <summary>The server's own error, truncated and without control characters.</summary>
    ServerError,

    /// <summary>A ping that returns false instead of throwing.</summary>
    NoAnswer,

    /// <summary>No error: the driver does not use the suspect session again, and the application sees nothing of it.</summary>
    Unharmed,
}

/// <summary>One hostile behaviour of a server.</summary>
/// <param name="Name">Unique; shown in the test's name.</param>
/// <param name="Victim">The provider that it attacks.</param>
/// <param name="Does">A description of what the server does.</param>
/// <param name="Act">What the application does meanwhile.</param>
/// <param name="Outcome">What the application must see.</param>
/// <param name="Script">The server's side of every connection, until the test turns it into an honest server.</param>
public sealed record HostileScript(string Name, Victim Victim, string Does, Act Act, Outcome Outcome, Action<FakePeer> Script)
{
    /// <summary>More options for the connection string.</summary>
    public string Options { get; init; } = "";

    /// <summary>Whether the session is in step afterwards and may be used again: a refusal is a valid answer.</summary>
    public bool KeepsSession { get; init; }

    /// <summary>
    /// What the exchange may allocate: buffers, exceptions, TLS; neither the announced length nor anything that grows with the received bytes.
    /// </summary>
    public long MemoryBound { get; init; } = 6 << 20;

    /// <summary>Text that the exception, or an inner one, must contain.</summary>
    public string Says { get; init; } = "";

    /// <summary>
    /// Whether the script ends by a timeout. Such scripts run in parallel, except those with large values: a waiting thread may keep the last value alive until
    /// it does something else.
    /// </summary>
    public bool IsSlow => Outcome is Outcome.ConnectTimeout or Outcome.CommandTimeout && Act != Act.LargeQuery;

    public override string ToString() => Name;
}
