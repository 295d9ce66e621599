using Slipstream.Race.Raw;

namespace Slipstream.Race.Scenarios;

/// <summary>One of the four rule sets of the insert race: their figures differ by two orders of magnitude, so each is named with its rule.</summary>
/// <param name="Name">strict: one ExecuteNonQuery per statement, awaited; pipelined: several in flight on one connection; batch: DbBatch; bulk: the bulk interface.</param>
/// <param name="Rows">Rows of one operation.</param>
/// <param name="Wire">How the same is done in C.</param>
internal sealed record InsertRule(string Name, int Rows, JetWire Wire);

internal enum JetWire
{
    /// <summary>libmariadb has no such way.</summary>
    None,

    /// <summary>A prepared statement of three rows after the other.</summary>
    Strict,

    /// <summary>A thousand rows at once: MariaDB's bulk execute with arrays, a prepared statement of a thousand rows on MySQL.</summary>
    Rows,

    /// <summary>LOAD DATA LOCAL.</summary>
    Load,
}

internal enum Tls
{
    AsSettings,

    /// <summary>Demanded, and the server addressed by number: nothing is remembered, every handshake is a full one.</summary>
    Full,

    /// <summary>Demanded, and the server addressed by name: the runtime resumes the session where the server allows it (PostgreSQL does not).</summary>
    Resumed,
}

/// <summary>One scenario of the race under its published name. What it says here is what <c>./race --list</c> prints.</summary>
internal sealed record Scenario(string Name, string Summary, Func<Assignment, Operation> Create)
{
    private const int CountedFarAway = 10;
    private static readonly TimeSpan LongLoop = TimeSpan.FromSeconds(4);

    /// <summary>The same on the raw floor; null where the floor has nothing to compare.</summary>
    public Func<RawSeat, Operation>? CreateRaw { get; init; }

    public bool Sync { get; init; } = true;

    public bool Async { get; init; } = true;

    /// <summary>Prepared commands have pools of their own: some providers reuse a prepared statement for unprepared text on the same session.</summary>
    public bool Prepared { get; init; }

    public bool Pooling { get; init; } = true;

    public Tls Tls { get; init; }

    /// <summary>Further options on MySQL and MariaDB, in connection-string form.</summary>
    public string MySqlOptions { get; init; } = "";

    /// <summary>Further options of Slipstream, in connection-string form.</summary>
    public string SlipstreamOptions { get; init; } = "";

    /// <summary>The only dialect of the scenario; null: both.</summary>
    public Dialect? Only { get; init; }

    /// <summary>What the insert race calls this way of inserting; null for all other scenarios.</summary>
    public InsertRule? Rule { get; init; }

    public int Workers { get; init; } = 1;

    /// <summary>How long a contestant runs in a round, all slices together. With a fixed <see cref="Count"/>: about how long that takes, for the estimate.</summary>
    public TimeSpan Block { get; init; } = TimeSpan.FromMilliseconds(96);

    /// <summary>Into how many slices a round is cut, see <see cref="Measuring.Slices"/>. A fixed count runs in one.</summary>
    public int Slices { get; init; } = 8;

    /// <summary>Fixed number of operations per round instead of a calibrated one.</summary>
    public int? Count { get; init; }

    /// <summary>Rounds where nobody asked for a number and fewer than the usual are enough; null: the usual.</summary>
    public int? Rounds { get; init; }

    /// <summary>A slice that takes longer is given up, and its contestant with it. A fixed count has a millisecond more for each operation.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Operations of the untimed pass through the counting proxy; 0: not counted.</summary>
    public int Counted { get; init; } = 100;

    /// <summary>Starts a process per operation instead of running here.</summary>
    public bool OwnProcess { get; init; }

    /// <param name="asked">How many rounds were asked for; null: nothing was said.</param>
    /// <param name="usual">How many a scenario has that says nothing.</param>
    public int RoundsOf(int? asked, int usual) => asked ?? Math.Min(usual, Rounds ?? usual);

    public bool Has(Mode mode) => mode is Mode.Sync ? Sync : Async;

    public bool Has(Dialect dialect) => Only is null || Only == dialect;

    /// <summary>The scenario over a connection with this latency per direction: long loops are shortened, short blocks are long enough for an operation in each slice.</summary>
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
