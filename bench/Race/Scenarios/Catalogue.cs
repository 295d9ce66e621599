using Slipstream.Race.Raw;

namespace Slipstream.Race.Scenarios;

/// <summary>All scenarios, in the order in which they run and are printed.</summary>
internal static class Catalogue
{
    private const int InsertedRows = 600_000;
    private const int RowsPerInsert = 3;
    public const int RowsPerBatch = 1_000;
    private const int InFlight = 64;
    public const int CopiedRowCount = 1_000_000;

    // For slow scenarios, and variants of a scenario that runs with all rounds: --full must end within 45 minutes.
    private const int FewRounds = 5;

    // For scenarios that take a second or more each time.
    private const int LongRounds = 3;

    /// <summary>The scenarios that <c>./race</c> runs without options.</summary>
    public static readonly string[] Standard =
        ["OpenFromPool", "OpenQueryClose", "ExecuteScalar", "ExecuteScalarKept", "ExecuteScalarPrepared", "ReadBlobs", "ManyRows", "Fortunes"];

    /// <summary>The scenarios that <c>--quick</c> runs.</summary>
    public static readonly string[] Quick = ["OpenQueryClose", "ExecuteScalar", "ManyRows", "Fortunes"];

    /// <summary>The scenarios that <c>--jet</c> runs.</summary>
    public static readonly string[] Jet = ["Insert600k", "InsertPipelined", "InsertBatch", "Bulk600k", "Bulk600kNoInfile"];

    /// <param name="scale">The share of the 600,000 rows that Insert600k inserts per block.</param>
    public static Scenario[] All(double scale) =>
    [
        new("OpenFromPool", "Close(); Open() on one connection object", seat => new OpenFromPool(seat)),
        new("OpenFromPoolNew", "the same with a new connection object each time", seat => new OpenNew(seat)) { Rounds = FewRounds },
        new("OpenFromDataSource", "the same through DbDataSource.OpenConnection", seat => new OpenFromDataSource(seat)) { Counted = 0, Rounds = FewRounds },
        new("OpenQueryClose", "open, ExecuteScalar, close: what a web request does", seat => new OpenQueryClose(seat)),
        new("PrepareOnce", "open, new command, Prepare, execute, close", seat => new PrepareOnce(seat)) { Prepared = true },
        new("BeginSelectCommit", "open, begin, `" + Statements.FortuneById + "`, commit, close", seat => new BeginSelectCommit(seat)),
        new("ExecuteScalar", "new command, `" + Statements.Scalar + "`", seat => new ExecuteScalar(seat))
        {
            CreateRaw = seat => new RawScalar(seat, prepare: false),
        },
        new("ExecuteScalarKept", "the same with one kept command", seat => new ExecuteScalarKept(seat, prepare: false)),
        new("ExecuteScalarTyped", "one kept command, ExecuteScalarAsync<long> where the provider has it", seat => new ExecuteScalarTyped(seat))
        {
            Rounds = FewRounds,
        },
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
            Rounds = FewRounds,
        },
        new("ReadBlobsFetched", "the same rows, values fetched as byte[]", seat => new ReadBlobs(seat, prepare: false, fetch: true)) { Rounds = FewRounds },
        new("ManyRows", "1,000 rows of three integers, GetInt32(1) summed", seat => new ManyRows(seat, prepare: false))
        {
            CreateRaw = seat => new RawManyRows(seat, prepare: false),
        },
        new("ManyRowsPrepared", "the same, prepared", seat => new ManyRows(seat, prepare: true))
        {
            CreateRaw = seat => new RawManyRows(seat, prepare: true),
            Prepared = true,
            Rounds = FewRounds,
        },
        new("ReadBlobs20M", "one value of 20 MiB fetched as byte[]", seat => new ReadLargeBlob(seat, prepare: false))
        {
            CreateRaw = seat => new RawLargeBlob(seat, prepare: false),
            Counted = 3,
        },
        new("ReadBlobs20MPrepared", "the same, prepared", seat => new ReadLargeBlob(seat, prepare: true))
        {
            CreateRaw = seat => new RawLargeBlob(seat, prepare: true),
            Rounds = FewRounds,
            Counted = 3,
            Prepared = true,
        },
        new("Insert600k", "prepared INSERT of three rows, set by index, strict, one transaction; per statement", seat => new InsertRows(seat, prepare: true))
        {
            CreateRaw = seat => new RawInsert(seat, prepare: true),
            Prepared = true,
            Count = Inserts(scale),
            Rounds = InsertRounds(scale),
            Block = TimeSpan.FromSeconds(8 * scale),
            Rule = new("strict", RowsPerInsert, JetWire.Strict),
        },
        new("Insert600kText", "the same, not prepared, a tenth of the rows", seat => new InsertRows(seat, prepare: false))
        {
            CreateRaw = seat => new RawInsert(seat, prepare: false),
            Count = Inserts(scale / 10),
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(scale),
        },
        new(
            "InsertPipelined", "half of the rows, 64 statements of three rows in flight on one connection (DbBatch); per 64",
            seat => new BatchOfInserts(seat, InFlight, RowsPerInsert))
        {
            // Slipstream then sends every command separately, all in one pipeline. On PostgreSQL, the providers do so without an option.
            SlipstreamOptions = "BatchErrors=Continue",
            SlipstreamOptionsOnly = Dialect.MySql,
            Count = Math.Max(2, Inserts(scale / 2) / InFlight),
            Rule = new("pipelined", RowsPerInsert * InFlight, JetWire.None),
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(2),
            Counted = 10,
        },
        new(
            "InsertBarriers", "the same, with an error barrier (a Sync) after each statement; per 64",
            seat => new BatchOfInserts(seat, InFlight, RowsPerInsert, barriers: true))
        {
            Only = Dialect.PostgreSql,
            Count = Math.Max(2, Inserts(scale / 2) / InFlight),
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(2),
            Counted = 10,
        },
        new("InsertBatch", "a fifth of the rows, one per command, a DbBatch of 1,000 commands; per batch", seat => new BatchOfInserts(seat, RowsPerBatch))
        {
            Count = Math.Max(2, (int)(InsertedRows / RowsPerBatch * scale / 5)),
            Rule = new("batch", RowsPerBatch, JetWire.Rows),
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(1),
            Counted = 5,
        },
        new("Bulk600k", "the 600,000 rows through the best bulk interface; all of them", seat => new BulkInsert(seat, Rows(scale), localInfile: true))
        {
            MySqlOptions = "AllowLoadLocalInfile=true",
            Count = 1,
            Rule = new("bulk", Rows(scale), JetWire.Load),
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(1.5),
            Counted = 1,
        },
        new(
            "Bulk600kNoInfile", "a tenth of them where the client may not send files: bulk copy or the strict loop",
            seat => new BulkInsert(seat, Rows(scale / 10), localInfile: false))
        {
            Only = Dialect.MySql,
            Count = 1,
            Rule = new("bulk, no files", Rows(scale / 10), JetWire.Rows),
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(0.6),
            Counted = 1,
        },
        new("CopyImport1M", "1,000,000 rows of six columns by a binary COPY FROM STDIN; all of them", seat => new CopyImport(seat, CopiedCount(scale)))
        {
            Only = Dialect.PostgreSql,
            Count = 1,
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(2 * scale),
            Limit = TimeSpan.FromMinutes(2),
            Counted = 0,
        },
        new("CopyExport1M", "the same rows by a binary COPY TO STDOUT, every value read; all of them", seat => new CopyExport(seat, CopiedCount(scale)))
        {
            Only = Dialect.PostgreSql,
            Count = 1,
            Rounds = LongRounds,
            Block = TimeSpan.FromSeconds(scale),
            Limit = TimeSpan.FromMinutes(2),
            Counted = 0,
        },
        PostgreSql("ReadArray1000", "one array of 1,000 integers, read as int[]", seat => new ReadArray(seat, prepare: false)),
        PostgreSql("ReadArray1000Prepared", "the same, prepared", seat => new ReadArray(seat, prepare: true)) with { Prepared = true },
        PostgreSql("WriteArray1000", "a parameter with an array of 1,000 integers", seat => new WriteArray(seat, prepare: false)),
        PostgreSql("WriteArray1000Prepared", "the same, prepared", seat => new WriteArray(seat, prepare: true)) with { Prepared = true },
        PostgreSql("ReadJson", "a jsonb document of 900 bytes, read as string", seat => new ReadDocument(seat, DocumentForm.Text)),
        PostgreSql("ReadJsonDocument", "the same, read as JsonDocument", seat => new ReadDocument(seat, DocumentForm.Document)),
        PostgreSql("ReadJsonObject", "the same, read as an object by System.Text.Json", seat => new ReadDocument(seat, DocumentForm.Object)),
        PostgreSql("WriteJson", "a parameter with the document as string", seat => new WriteDocument(seat, DocumentForm.Text)),
        PostgreSql("WriteJsonDocument", "the same as JsonDocument", seat => new WriteDocument(seat, DocumentForm.Document)),
        PostgreSql("WriteJsonObject", "the same as an object by System.Text.Json", seat => new WriteDocument(seat, DocumentForm.Object)),
        new("Batch100", "a new DbBatch of 100 inserts of one row, one text, in a transaction", seat => new BatchOfInserts(seat, 100))
        {
            Slices = 2,
            Counted = 20
        },
        new("Batch100Reads", "a new DbBatch of 100 rows by primary key", seat => new Batch100Reads(seat)) { Counted = 20 },
        new("Parameters30000", "one INSERT with 30,000 named parameters, set by name, executed once", seat => new Parameters30000(seat))
        {
            Counted = 3,
            Count = 1,
            Rounds = FewRounds,
        },
        new("Fortunes", "open, `" + Statements.Fortunes + "`, 12 rows into a list, close", seat => new Fortunes(seat, prepare: false))
        {
            CreateRaw = seat => new RawFortunes(seat, prepare: false),
        },
        new("FortunesPrepared", "the same with Prepare() each time", seat => new Fortunes(seat, prepare: true))
        {
            CreateRaw = seat => new RawFortunes(seat, prepare: true),
            Prepared = true,
            Rounds = FewRounds,
        },
        // The figure that is quoted most, 64 workers and 32 threads, has the usual number of rounds. With fewer, a figure under load varies by a tenth or more
        // from run to run.
        Load("FortunesLoad16", "Fortunes by 16 asynchronous workers", 16, Mode.Async, seat => new FortunesLoad(seat, 16)),
        Load("FortunesLoad64", "Fortunes by 64 asynchronous workers", 64, Mode.Async, seat => new FortunesLoad(seat, 64)) with { Rounds = null },
        Load("FortunesLoad64Prepared", "the same with Prepare() each time", 64, Mode.Async, seat => new FortunesLoad(seat, 64, prepare: true)) with
        {
            Rounds = null,
            Prepared = true,
        },
        Load("FortunesLoad256", "Fortunes by 256 asynchronous workers, pools of their default size", 256, Mode.Async, seat => new FortunesLoad(seat, 256)),
        Load("FortunesLoad32Threads", "Fortunes by 32 threads", 32, Mode.Sync, seat => new FortunesLoad(seat, 32),
            seat => new RawFortunes(seat, prepare: false)) with { Rounds = null },
        Load("OpenQueryCloseLoad16", "OpenQueryClose by 16 asynchronous workers", 16, Mode.Async, seat => new OpenQueryCloseLoad(seat, 16)),
        Load("OpenQueryCloseLoad64", "OpenQueryClose by 64 asynchronous workers", 64, Mode.Async, seat => new OpenQueryCloseLoad(seat, 64)) with
        {
            Rounds = null
        },
        Load(
            "OpenQueryCloseLoad64Prepared", "the same with Prepare() each time", 64, Mode.Async,
            seat => new OpenQueryCloseLoad(seat, 64, prepare: true)) with
        {
            Rounds = null,
            Prepared = true,
        },
        Load("OpenQueryCloseLoad256", "OpenQueryClose by 256 asynchronous workers", 256, Mode.Async, seat => new OpenQueryCloseLoad(seat, 256)),
        Load("OpenQueryCloseLoad32Threads", "OpenQueryClose by 32 threads", 32, Mode.Sync, seat => new OpenQueryCloseLoad(seat, 32),
            seat => new RawScalar(seat, prepare: false)) with { Rounds = null },
        Load(
            "SourceScalarLoad64", "the scalar by DbDataSource.CreateCommand, by 64 asynchronous workers", 64, Mode.Async,
            seat => new SourceScalarLoad(seat, 64)),
        Load(
            "SourceFortunesLoad64", "Fortunes by DbDataSource.CreateCommand, by 64 asynchronous workers", 64, Mode.Async,
            seat => new SourceFortunesLoad(seat, 64)),
        Load(
            "SourceScalarLoad256", "the scalar by DbDataSource.CreateCommand, by 256 asynchronous workers", 256, Mode.Async,
            seat => new SourceScalarLoad(seat, 256)),
        Load(
            "SourceFortunesLoad256", "Fortunes by DbDataSource.CreateCommand, by 256 asynchronous workers", 256, Mode.Async,
            seat => new SourceFortunesLoad(seat, 256)),
        new("Typed100k", "100,000 rows of six types through their typed getters", seat => new Typed100k(seat, prepare: false))
        {
            Counted = 2,
            Rounds = FewRounds
        },
        new("Typed100kPrepared", "the same, prepared", seat => new Typed100k(seat, prepare: true)) { Counted = 2, Rounds = FewRounds, Prepared = true },
        new("Stream1GiB", "4 rows of 256 MiB through GetStream; B/op is the most managed memory in use", seat => new Stream1GiB(seat))
        {
            Count = 1,
            Rounds = 2,
            Block = TimeSpan.FromSeconds(2),
            Counted = 0,
        },
        new("FirstRow", "a new process from its start to the first row read", _ => throw new NotSupportedException("runs in a process of its own"))
        {
            OwnProcess = true,
            Count = 1,
            Rounds = FewRounds,
            Block = TimeSpan.FromMilliseconds(250),
            Counted = 0,
        },
        new("ColdConnect", "pooling off: open and close", seat => new OpenNew(seat))
        {
            CreateRaw = seat => new RawConnect(seat),
            Pooling = false,
            Counted = 20,
        },
        new("ColdConnectTls", "the same with TLS, by address: a full handshake", seat => new OpenNew(seat))
        {
            Pooling = false,
            Tls = Tls.Full,
            Counted = 20,
        },
        new("ColdConnectTlsResumed", "the same by name: a resumed handshake where provider and server can", seat => new OpenNew(seat))
        {
            Pooling = false,
            Tls = Tls.Resumed,
            Counted = 20,
        },
    ];

    private static Scenario PostgreSql(string name, string summary, Func<Assignment, Operation> create) =>
        new(name, summary, create) { Only = Dialect.PostgreSql };

    private static Scenario Load(
        string name, string summary, int workers, Mode mode, Func<Assignment, Operation> create, Func<RawSeat, RawOperation>? createRaw = null) =>
        new(name, summary, create)
        {
            CreateRaw = createRaw is null ? null : seat => new RawLoad(workers, () => createRaw(seat)),
            Workers = workers,
            Sync = mode is Mode.Sync,
            Async = mode is Mode.Async,
            Block = TimeSpan.FromMilliseconds(400),
            Slices = 4,
            Rounds = FewRounds,
            Limit = TimeSpan.FromSeconds(10),
            Counted = 0,
        };

    // A multiple of the rows that the strict loop and the batches insert at once.
    private static int Rows(double scale)
    {
        const int Together = RowsPerInsert * RowsPerBatch;
        return Math.Max(1, (int)(InsertedRows * scale) / Together) * Together;
    }

    private static int CopiedCount(double scale) => Math.Max(100, (int)(CopiedRowCount * scale) / 10 * 10);

    private static int Inserts(double scale) => Math.Max(100, (int)(InsertedRows / RowsPerInsert * scale));

    // All 600,000 rows take about ten seconds per contestant, so one round is enough. A shorter form has more variance and runs more often.
    private static int InsertRounds(double scale) => scale switch { >= 0.5 => 1, >= 0.05 => 3, _ => 9 };
}
