using Slipstream.Race.Raw;

namespace Slipstream.Race.Scenarios;

/// <summary>All scenarios, in the order in which they run and are printed.</summary>
internal static class Catalogue
{
    private const int InsertedRows = 600_000;
    private const int RowsPerInsert = 3;

    // For what is slow, or a variant of a scenario that runs in full: --full must end within 45 minutes.
    private const int FewRounds = 5;

    /// <summary>What <c>./race</c> alone runs.</summary>
    public static readonly string[] Standard =
        ["OpenFromPool", "OpenQueryClose", "ExecuteScalar", "ExecuteScalarKept", "ExecuteScalarPrepared", "ReadBlobs", "ManyRows", "Fortunes"];

    /// <summary>What <c>--quick</c> runs.</summary>
    public static readonly string[] Quick = ["OpenQueryClose", "ExecuteScalar", "ManyRows", "Fortunes"];

    /// <param name="scale">Share of the 600,000 rows that Insert600k inserts per block.</param>
    public static Scenario[] All(double scale) =>
    [
        new("OpenFromPool", "Close(); Open() on one connection object", seat => new OpenFromPool(seat)),
        new("OpenFromPoolNew", "the same with a new connection object each time", seat => new OpenNew(seat)),
        new("OpenFromDataSource", "the same through DbDataSource.OpenConnection", seat => new OpenFromDataSource(seat)) { Counted = 0, MaxRounds = FewRounds },
        new("OpenQueryClose", "open, ExecuteScalar, close: what a web request does", seat => new OpenQueryClose(seat)),
        new("ExecuteScalar", "new command, `" + Statements.Scalar + "`", seat => new ExecuteScalar(seat))
        {
            CreateRaw = seat => new RawScalar(seat, prepare: false),
        },
        new("ExecuteScalarKept", "the same with one kept command", seat => new ExecuteScalarKept(seat, prepare: false)),
        new("ExecuteScalarTyped", "one kept command, ExecuteScalarAsync<long> where the provider has it", seat => new ExecuteScalarTyped(seat)),
        new("ExecuteScalarPrepared", "one kept command, prepared", seat => new ExecuteScalarKept(seat, prepare: true))
        {
            CreateRaw = seat => new RawScalar(seat, prepare: true),
            Prepared = true,
        },
        new("ReadBlobs", "three rows: null, 75,000 and 150,000 bytes, values not fetched", seat => new ReadBlobs(seat, prepare: false, fetch: false))
        {
            CreateRaw = seat => new RawBlobs(seat, prepare: false),
        },
        new("ReadBlobsPrepared", "the same, prepared", seat => new ReadBlobs(seat, prepare: true, fetch: false))
        {
            CreateRaw = seat => new RawBlobs(seat, prepare: true),
            Prepared = true,
            MaxRounds = FewRounds,
        },
        new("ReadBlobsFetched", "the same rows, values fetched as byte[]", seat => new ReadBlobs(seat, prepare: false, fetch: true)),
        new("ManyRows", "1,000 rows of three integers, GetInt32(1) summed", seat => new ManyRows(seat, prepare: false))
        {
            CreateRaw = seat => new RawManyRows(seat, prepare: false),
        },
        new("ManyRowsPrepared", "the same, prepared", seat => new ManyRows(seat, prepare: true))
        {
            CreateRaw = seat => new RawManyRows(seat, prepare: true),
            Prepared = true,
            MaxRounds = FewRounds,
        },
        new("ReadBlobs20M", "one value of 20 MiB fetched as byte[]", seat => new ReadLargeBlob(seat, prepare: false))
        {
            CreateRaw = seat => new RawLargeBlob(seat, prepare: false),
            Counted = 3,
        },
        new("ReadBlobs20MPrepared", "the same, prepared", seat => new ReadLargeBlob(seat, prepare: true))
        {
            CreateRaw = seat => new RawLargeBlob(seat, prepare: true),
            MaxRounds = FewRounds,
            Counted = 3,
            Prepared = true,
        },
        new("Insert600k", "prepared INSERT of three rows, set by index, strict, one transaction; per statement", seat => new InsertRows(seat, prepare: true))
        {
            CreateRaw = seat => new RawInsert(seat, prepare: true),
            Prepared = true,
            Count = Inserts(scale),
            MaxRounds = InsertRounds(scale),
        },
        new("Insert600kText", "the same, not prepared, a tenth of the rows", seat => new InsertRows(seat, prepare: false))
        {
            CreateRaw = seat => new RawInsert(seat, prepare: false),
            Count = Inserts(scale / 10),
            MaxRounds = FewRounds,
        },
        new("Parameters30000", "one INSERT with 30,000 named parameters, set by name, executed once", seat => new Parameters30000(seat))
        {
            Counted = 3,
            Count = 1,
            MaxRounds = FewRounds,
        },
        new("Fortunes", "open, `" + Statements.Fortunes + "`, 12 rows into a list, close", seat => new Fortunes(seat, workers: 1, prepare: false))
        {
            CreateRaw = seat => new RawFortunes(seat, prepare: false),
        },
        new("FortunesPrepared", "the same with Prepare() each time", seat => new Fortunes(seat, workers: 1, prepare: true))
        {
            CreateRaw = seat => new RawFortunes(seat, prepare: true),
            Prepared = true,
        },
        Load("FortunesLoad16", "Fortunes by 16 asynchronous workers", 16, Mode.Async),
        Load("FortunesLoad64", "Fortunes by 64 asynchronous workers", 64, Mode.Async),
        Load("FortunesLoad32Threads", "Fortunes by 32 threads", 32, Mode.Sync),
        new("Typed100k", "100,000 rows of six types through their typed getters", seat => new Typed100k(seat, prepare: false)) { Counted = 2, MaxRounds = FewRounds },
        new("Typed100kPrepared", "the same, prepared", seat => new Typed100k(seat, prepare: true)) { Counted = 2, MaxRounds = FewRounds, Prepared = true },
        new("FirstRow", "a new process from its start to the first row read", _ => throw new NotSupportedException("runs in a process of its own"))
        {
            OwnProcess = true,
            Count = 1,
            MaxRounds = FewRounds,
            Counted = 0,
        },
        new("ColdConnect", "pooling off: open and close", seat => new OpenNew(seat))
        {
            CreateRaw = seat => new RawConnect(seat),
            Pooling = false,
            Counted = 20,
        },
    ];

    private static Scenario Load(string name, string summary, int workers, Mode mode) =>
        new(name, summary, seat => new Fortunes(seat, workers, prepare: false))
        {
            Workers = workers,
            Sync = mode is Mode.Sync,
            Async = mode is Mode.Async,
            Block = TimeSpan.FromMilliseconds(400),
            MaxRounds = 7,
            Counted = 0,
        };

    private static int Inserts(double scale) => Math.Max(100, (int)(InsertedRows / RowsPerInsert * scale));

    // All 600,000 rows take some ten seconds per contestant: once is enough. A short form is noisier and runs more often.
    private static int InsertRounds(double scale) => scale switch { >= 0.5 => 1, >= 0.05 => 3, _ => 9 };
}
