using Slipstream.Race.Raw;

namespace Slipstream.Race.Scenarios;

/// <summary>One of the four rules of the insert race. Their figures differ by two orders of magnitude, so each figure is named with its rule.</summary>
/// <param name="Name">strict: one ExecuteNonQuery per statement, awaited; pipelined: several in flight on one connection; batch: DbBatch; bulk: the bulk
/// interface.</param>
/// <param name="Rows">The rows of one operation.</param>
/// <param name="Wire">The equivalent in C.</param>
internal sealed record InsertRule(string Name, int Rows, JetWire Wire);

internal enum JetWire
{
    /// <summary>libmariadb has no equivalent.</summary>
    None,

    /// <summary>One prepared statement of three rows after another.</summary>
    Strict,

    /// <summary>A thousand rows at once: MariaDB's bulk execution with arrays; on MySQL, a prepared statement of a thousand rows.</summary>
    Rows,

    /// <summary>LOAD DATA LOCAL.</summary>
    Load,
}

internal enum Tls
{
    AsSettings,

    /// <summary>TLS is required, and the server is addressed by its IP address: the runtime caches nothing, and every handshake is a full one.</summary>
    Full,

    /// <summary>
    /// TLS is required, and the server is addressed by its name: the runtime resumes the session if the server allows it (PostgreSQL does not).
    /// </summary>
    Resumed,
}

/// <summary>One scenario of the race under its published name. <c>./race --list</c> prints its summary.</summary>
internal sealed record Scenario(string Name, string Summary, Func<Assignment, Operation> Create)
{
    private const int CountedFarAway = 10;
    private static readonly TimeSpan LongLoop = TimeSpan.FromSeconds(4);

    /// <summary>The same operation on the raw floor; null if the floor has no equivalent.</summary>
    public Func<RawSeat, Operation>? CreateRaw { get; init; }

    public bool Sync { get; init; } = true;

    public bool Async { get; init; } = true;

    /// <summary>
    /// True for prepared commands, which have their own pools: some providers reuse a prepared statement for unprepared text on the same session.
    /// </summary>
    public bool Prepared { get; init; }

    public bool Pooling { get; init; } = true;

    public Tls Tls { get; init; }

    /// <summary>Further options on MySQL and MariaDB, in connection-string form.</summary>
    public string MySqlOptions { get; init; } = "";

    /// <summary>Further options of Slipstream, in connection-string form.</summary>
    public string SlipstreamOptions { get; init; } = "";

    /// <summary>The dialect for which <see cref="SlipstreamOptions"/> are; null for both.</summary>
    public Dialect? SlipstreamOptionsOnly { get; init; }

    /// <summary>The only dialect of the scenario; null for both.</summary>
    public Dialect? Only { get; init; }

    /// <summary>The rule of the insert race; null for all other scenarios.</summary>
    public InsertRule? Rule { get; init; }

    public int Workers { get; init; } = 1;

    /// <summary>
    /// The running time of a contestant in a round, for all slices together. With a fixed <see cref="Count"/>: its approximate duration, for the estimate.
    /// </summary>
    public TimeSpan Block { get; init; } = TimeSpan.FromMilliseconds(96);

    /// <summary>The number of slices of a round; see <see cref="Measuring.Slices"/>. A fixed count runs in one slice.</summary>
    public int Slices { get; init; } = 8;

    /// <summary>A fixed number of operations per round instead of a calibrated one.</summary>
    public int? Count { get; init; }

    /// <summary>The number of rounds if the request has none and fewer than usual are enough; null for the usual number.</summary>
    public int? Rounds { get; init; }

    /// <summary>
    /// The time limit of a slice. If it takes longer, the slice is abandoned, and its contestant leaves. A fixed count has one more millisecond for each
    /// operation.
    /// </summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The number of operations of the untimed pass through the counting proxy; 0 if traffic is not counted.</summary>
    public int Counted { get; init; } = 100;

    /// <summary>True if each operation starts a process instead of running in this one.</summary>
    public bool OwnProcess { get; init; }

    /// <param name="asked">The requested number of rounds; null if none was requested.</param>
    /// <param name="usual">The number of rounds of a scenario that has no number of its own.</param>
    public int RoundsOf(int? asked, int usual) => asked ?? Math.Min(usual, Rounds ?? usual);

    public bool Has(Mode mode) => mode is Mode.Sync ? Sync : Async;

    public bool Has(Dialect dialect) => Only is null || Only == dialect;

    /// <summary>
    /// Returns the scenario for a connection with this latency per direction. Long loops are shortened, and short blocks are long enough for an operation in
    /// each slice.
    /// </summary>
    public Scenario At(TimeSpan latency)
    {
        if (latency <= TimeSpan.Zero || OwnProcess)
            return this;
        var roundTrip = 2 * latency;
        return this with
        {
            Count = Count is { } count ? Math.Min(count, Math.Max(1, (int)(LongLoop / roundTrip))) : null,
            Block = Count is null ? TimeSpan.FromTicks(Math.Max(Block.Ticks, Slices * roundTrip.Ticks)) : Block,
            Counted = Math.Min(Counted, CountedFarAway),
        };
    }
}
