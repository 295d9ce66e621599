using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>The rows of the COPY scenarios: an integer, a long, a double, a timestamp, a text of 10 to 19 characters, a boolean.</summary>
internal static class CopiedRows
{
    public const string Table = "copied";
    public const string Columns = "(id int, b bigint, d double precision, t timestamp, s text, f boolean)";

    private static readonly DateTime Start = new(2024, 1, 1, 0, 0, 0, DateTimeKind.Unspecified);
    private static readonly string[] Texts = [.. Enumerable.Range(0, 10).Select(length => new string((char)('a' + length), 10 + length))];

    /// <summary>Returns the statement that fills the table of the export, whose rows equal those of the import.</summary>
    public static string Fill(string table, int rows) =>
        $"insert into {table} select i, i::bigint * 1000003, i * 0.5::double precision, timestamp '2024-01-01' + i * interval '1 second', "
            + $"repeat(chr(97 + i % 10), 10 + i % 10), i % 2 = 0 from generate_series(0, {rows - 1}) as i";

    public static long Long(int row) => row * 1000003L;

    public static double Double(int row) => row * 0.5;

    public static DateTime Time(int row) => Start.AddSeconds(row);

    public static string Text(int row) => Texts[row % 10];
}

/// <summary>All rows by a binary COPY … FROM STDIN, inside a transaction. One operation is one COPY.</summary>
internal sealed class CopyImport(Assignment seat, int rows) : Connected(seat)
{
    private const string Command = "COPY " + CopiedRows.Table + " FROM STDIN (FORMAT BINARY)";

    private InsertTransaction? _transaction;

    public override async Task BeforeAsync(Mode mode, int count)
    {
        _transaction ??= new InsertTransaction(Connection, CopiedRows.Table);
        await _transaction.BeginAsync(mode);
    }

    public override Task AfterAsync(Mode mode) => _transaction!.EndAsync(mode);

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using IDisposable importer = ((dynamic)Connection).BeginBinaryImport(Command);
            var startRow = ProviderMethods.Bind<Action>(importer, "StartRow");
            var integer = ProviderMethods.Bind<Action<int>>(importer, "Write", typeof(int));
            var number = ProviderMethods.Bind<Action<long>>(importer, "Write", typeof(long));
            var real = ProviderMethods.Bind<Action<double>>(importer, "Write", typeof(double));
            var time = ProviderMethods.Bind<Action<DateTime>>(importer, "Write", typeof(DateTime));
            var text = ProviderMethods.Bind<Action<string>>(importer, "Write", typeof(string));
            var flag = ProviderMethods.Bind<Action<bool>>(importer, "Write", typeof(bool));
            for (var row = 0; row < rows; row++)
            {
                startRow();
                integer(row);
                number(CopiedRows.Long(row));
                real(CopiedRows.Double(row));
                time(CopiedRows.Time(row));
                text(CopiedRows.Text(row));
                flag(row % 2 == 0);
            }

            Check.Equal(rows, (long)(ulong)((dynamic)importer).Complete());
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using IAsyncDisposable importer = await ((dynamic)Connection).BeginBinaryImportAsync(Command, CancellationToken.None);
            var startRow = ProviderMethods.Bind<Func<CancellationToken, Task>>(importer, "StartRowAsync");
            var integer = ProviderMethods.Bind<Func<int, CancellationToken, Task>>(importer, "WriteAsync", typeof(int));
            var number = ProviderMethods.Bind<Func<long, CancellationToken, Task>>(importer, "WriteAsync", typeof(long));
            var real = ProviderMethods.Bind<Func<double, CancellationToken, Task>>(importer, "WriteAsync", typeof(double));
            var time = ProviderMethods.Bind<Func<DateTime, CancellationToken, Task>>(importer, "WriteAsync", typeof(DateTime));
            var text = ProviderMethods.Bind<Func<string, CancellationToken, Task>>(importer, "WriteAsync", typeof(string));
            var flag = ProviderMethods.Bind<Func<bool, CancellationToken, Task>>(importer, "WriteAsync", typeof(bool));
            for (var row = 0; row < rows; row++)
            {
                await startRow(default);
                await integer(row, default);
                await number(CopiedRows.Long(row), default);
                await real(CopiedRows.Double(row), default);
                await time(CopiedRows.Time(row), default);
                await text(CopiedRows.Text(row), default);
                await flag(row % 2 == 0, default);
            }

            Check.Equal(rows, (long)(ulong)await ((dynamic)importer).CompleteAsync(CancellationToken.None));
        }
    }
}

/// <summary>All rows by a binary COPY … TO STDOUT, every value read. One operation is one COPY.</summary>
internal sealed class CopyExport(Assignment seat, int rows) : Connected(seat)
{
    public const string Source = "exported";

    private readonly string _command = $"COPY (select * from {Source} where id < {rows}) TO STDOUT (FORMAT BINARY)";

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using IDisposable exporter = ((dynamic)Connection).BeginBinaryExport(_command);
            var startRow = ProviderMethods.Bind<Func<int>>(exporter, "StartRow");
            var integer = ProviderMethods.Bind<Func<int>>(exporter, "Read", typeof(int));
            var number = ProviderMethods.Bind<Func<long>>(exporter, "Read", typeof(long));
            var real = ProviderMethods.Bind<Func<double>>(exporter, "Read", typeof(double));
            var time = ProviderMethods.Bind<Func<DateTime>>(exporter, "Read", typeof(DateTime));
            var text = ProviderMethods.Bind<Func<string>>(exporter, "Read", typeof(string));
            var flag = ProviderMethods.Bind<Func<bool>>(exporter, "Read", typeof(bool));
            var found = default(Sums);
            while (startRow() >= 0)
                found.Add(integer(), number(), real(), time(), text(), flag());
            found.Check(rows);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using IAsyncDisposable exporter = await ((dynamic)Connection).BeginBinaryExportAsync(_command, CancellationToken.None);
            var startRow = ProviderMethods.Bind<Func<CancellationToken, ValueTask<int>>>(exporter, "StartRowAsync");
            var integer = ProviderMethods.Bind<Func<CancellationToken, ValueTask<int>>>(exporter, "ReadAsync", typeof(int));
            var number = ProviderMethods.Bind<Func<CancellationToken, ValueTask<long>>>(exporter, "ReadAsync", typeof(long));
            var real = ProviderMethods.Bind<Func<CancellationToken, ValueTask<double>>>(exporter, "ReadAsync", typeof(double));
            var time = ProviderMethods.Bind<Func<CancellationToken, ValueTask<DateTime>>>(exporter, "ReadAsync", typeof(DateTime));
            var text = ProviderMethods.Bind<Func<CancellationToken, ValueTask<string>>>(exporter, "ReadAsync", typeof(string));
            var flag = ProviderMethods.Bind<Func<CancellationToken, ValueTask<bool>>>(exporter, "ReadAsync", typeof(bool));
            var found = default(Sums);
            while (await startRow(default) >= 0)
                found.Add(await integer(default), await number(default), await real(default), await time(default), await text(default), await flag(default));
            found.Check(rows);
        }
    }

    private struct Sums
    {
        private int _rows;
        private long _integers;
        private long _ticks;
        private double _reals;
        private long _characters;

        public void Add(int integer, long number, double real, DateTime time, string text, bool flag)
        {
            _rows++;
            _integers += number - integer * 1000003L;
            _reals += real;
            _ticks ^= time.Ticks;
            _characters += text.Length + (flag ? 1 : 0);
        }

        public readonly void Check(int rows)
        {
            Scenarios.Check.Equal(rows, _rows);
            Scenarios.Check.Equal(0, _integers);
            Scenarios.Check.Equal((long)rows * (rows - 1) / 4, (long)_reals);
            Scenarios.Check.Equal(rows * 15L, _characters);
        }
    }
}
