using System.Data;
using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>COPY in all formats and directions, and what interrupts it.</summary>
public class CopyTests
{
    private const string Values = "(v) FROM STDIN (FORMAT binary)";

    public static TheoryData<bool, string> Ways => new()
    {
        { false, "" }, { true, "" }, { false, "SSL Mode=Require" }, { true, "SSL Mode=Require" }, { true, "Async Engine=Runtime" },
        { false, "Pipelining=false" },
    };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Rows_of_the_binary_format_go_there_and_back(bool asynchronously, string options)
    {
        await using var connection = await OpenAsync(options);
        Execute(connection, "CREATE TEMP TABLE t (i int, l bigint, s text, d timestamp, n numeric, b bytea, g uuid)");
        const int Rows = 5_000;
        var large = new string('x', 300_000);
        await using (var importer = asynchronously
            ? await connection.BeginBinaryImportAsync("COPY t FROM STDIN (FORMAT binary)", Token)
            : connection.BeginBinaryImport("COPY t FROM STDIN (FORMAT binary)"))
        {
            for (var i = 0; i < Rows; i++)
            {
                var text = i % 1000 == 7 ? large : i % 3 == 0 ? null : $"row {i}";
                if (asynchronously)
                {
                    await importer.StartRowAsync(Token);
                    await importer.WriteAsync(i, Token);
                    await importer.WriteAsync((long)i * i, "bigint", Token);
                    await importer.WriteAsync(text, Token);
                    await importer.WriteAsync(new DateTime(2024, 1, 1).AddSeconds(i), PgDbType.Timestamp, Token);
                    await importer.WriteAsync((decimal?)i / 4, Token);
                    await importer.WriteAsync(new byte[] { (byte)i, 1 }, Token);
                    await importer.WriteNullAsync(Token);
                }
                else
                {
                    importer.StartRow();
                    importer.Write(i);
                    importer.Write((long)i * i, "int8");
                    importer.Write(text);
                    importer.Write(new DateTime(2024, 1, 1).AddSeconds(i), PgDbType.Timestamp);
                    importer.Write((decimal?)i / 4);
                    importer.Write(new byte[] { (byte)i, 1 });
                    importer.WriteNull();
                }
            }

            if (asynchronously)
                await importer.WriteRowAsync(Token, Rows, 1L, "last", DateTime.MinValue, DBNull.Value, null, Guid.Empty);
            else
                importer.WriteRow(Rows, 1L, "last", DateTime.MinValue, DBNull.Value, null, Guid.Empty);
            Assert.Equal((ulong)Rows + 1, asynchronously ? await importer.CompleteAsync(Token) : importer.Complete());
        }

        Assert.Equal(Rows + 1, Scalar<long>(connection, "SELECT count(*) FROM t"));
        await using var exporter = asynchronously
            ? await connection.BeginBinaryExportAsync("COPY (SELECT * FROM t ORDER BY i) TO STDOUT (FORMAT binary)", Token)
            : connection.BeginBinaryExport("COPY (SELECT * FROM t ORDER BY i) TO STDOUT (FORMAT binary)");
        for (var i = 0; i < Rows; i++)
        {
            Assert.Equal(7, asynchronously ? await exporter.StartRowAsync(Token) : exporter.StartRow());
            Assert.Equal(i, asynchronously ? await exporter.ReadAsync<int>(Token) : exporter.Read<int>());
            Assert.Equal((long)i * i, exporter.Read<long>());
            var text = i % 1000 == 7 ? large : i % 3 == 0 ? null : $"row {i}";
            if (text is null)
            {
                Assert.True(exporter.IsNull);
                exporter.Skip();
            }
            else
                Assert.Equal(text, exporter.Read<string>());
            Assert.Equal(new DateTime(2024, 1, 1).AddSeconds(i), exporter.Read<DateTime>(PgDbType.Timestamp));
            Assert.Equal((decimal?)i / 4, exporter.Read<decimal?>());
            if (i % 2 == 0)
                Assert.Equal([(byte)i, 1], exporter.Read<byte[]>());
        }

        Assert.Equal(7, exporter.StartRow());
        Assert.Equal(-1, asynchronously ? await exporter.StartRowAsync(Token) : exporter.StartRow());
        Assert.Equal(-1, exporter.StartRow());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Text_goes_there_and_back(bool asynchronously, string options)
    {
        await using var connection = await OpenAsync(options);
        Execute(connection, "CREATE TEMP TABLE t (i int, s text)");
        var lines = Enumerable.Range(0, 20_000).Select(i => $"{i}\tgrüße {i}").ToArray();
        await using (var writer = asynchronously
            ? await connection.BeginTextImportAsync("COPY t FROM STDIN", Token)
            : connection.BeginTextImport("COPY t FROM STDIN"))
        {
            writer.NewLine = "\n";
            foreach (var line in lines)
            {
                if (asynchronously)
                    await writer.WriteLineAsync(line);
                else
                    writer.WriteLine(line);
            }
        }

        Assert.Equal(lines.Length, Scalar<long>(connection, "SELECT count(*) FROM t"));
        using (var reader = asynchronously
            ? await connection.BeginTextExportAsync("COPY (SELECT * FROM t ORDER BY i) TO STDOUT", Token)
            : connection.BeginTextExport("COPY (SELECT * FROM t ORDER BY i) TO STDOUT"))
        {
            foreach (var line in lines)
                Assert.Equal(line, asynchronously ? await reader.ReadLineAsync(Token) : reader.ReadLine());
            Assert.Null(asynchronously ? await reader.ReadLineAsync(Token) : reader.ReadLine());
        }

        // What is not read is dropped.
        await using (var reader = await connection.BeginTextExportAsync("COPY t TO STDOUT (FORMAT csv)", Token))
            Assert.NotNull(await reader.ReadLineAsync(Token));
        Assert.Equal(1, Scalar<int>(connection, "SELECT 1"));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Raw_data_of_one_table_fills_another(bool asynchronously, string options)
    {
        await using var from = await OpenAsync(options);
        await using var to = await OpenAsync(options);
        Execute(to, "CREATE TEMP TABLE t (i int, s text)");
        const string Query = "COPY (SELECT i, repeat('x', i % 3000) FROM generate_series(1, 10000) i) TO STDOUT (FORMAT binary)";
        await using (var source = asynchronously ? await from.BeginRawBinaryCopyAsync(Query, Token) : from.BeginRawBinaryCopy(Query))
        {
            Assert.True(source is { CanRead: true, CanWrite: false, CanSeek: false, CanTimeout: true });
            await using var target = await to.BeginRawBinaryCopyAsync("COPY t FROM STDIN (FORMAT binary)", Token);
            Assert.True(target is { CanRead: false, CanWrite: true });
            if (asynchronously)
                await source.CopyToAsync(target, Token);
            else
                source.CopyTo(target);
        }

        Assert.Equal(
            Scalar<long>(from, "SELECT sum(i % 3000) FROM generate_series(1, 10000) i"),
            Scalar<long>(to, "SELECT sum(length(s)) FROM t WHERE s = repeat('x', i % 3000)"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_import_that_is_not_completed_writes_nothing(bool asynchronously)
    {
        // One session: a pool with more gives any of them to the connection that opens again.
        await using var connection = await OpenAsync("Max Pool Size=1");
        Execute(connection, "CREATE TEMP TABLE t (v int)");
        var importer = connection.BeginBinaryImport($"COPY t {Values}");
        for (var i = 0; i < 20_000; i++)
            importer.WriteRow(i);
        if (asynchronously)
            await importer.DisposeAsync();
        else
            importer.Dispose();
        importer.Close();
        Assert.Throws<InvalidOperationException>(importer.StartRow);
        Assert.Throws<InvalidOperationException>(() => importer.Complete());

        var writer = connection.BeginTextImport("COPY t FROM STDIN");
        await writer.WriteAsync("1\n2\n");
        if (asynchronously)
            await writer.CancelAsync();
        else
            writer.Cancel();

        // Closing the connection cancels, too.
        var session = connection.ProcessID;
        connection.BeginBinaryImport($"COPY t {Values}").WriteRow(1);
        Assert.Equal(0, Scalar<long>(await ReopenAsync(connection, asynchronously), "SELECT count(*) FROM pg_class WHERE relname = 'no such table'"));
        Assert.Equal(session, connection.ProcessID);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_error_leaves_the_session_usable(bool asynchronously)
    {
        await using var connection = await OpenAsync();
        var session = connection.ProcessID;
        Execute(connection, "CREATE TEMP TABLE t (v int CHECK (v <> 3))");
        for (var round = 0; round < 3; round++)
        {
            await using var importer = connection.BeginBinaryImport($"COPY t {Values}");
            PgException? failure = null;
            try
            {
                // The server's error arrives during the rows, or at the end.
                for (var i = 0; i < (round == 0 ? 10 : 2_000_000); i++)
                    importer.WriteRow(i);
                _ = asynchronously ? await importer.CompleteAsync(Token) : importer.Complete();
            }
            catch (PgException exception)
            {
                failure = exception;
            }

            Assert.Equal(PgErrorCodes.CheckViolation, failure?.SqlState);
            Assert.Throws<InvalidOperationException>(importer.StartRow);
            Assert.Equal(0, Scalar<long>(connection, "SELECT count(*) FROM t"));
        }

        // A value of the wrong type.
        await using (var importer = connection.BeginBinaryImport($"COPY t {Values}"))
        {
            importer.StartRow();
            importer.Write(1L);
            Assert.Equal(PgErrorCodes.InvalidBinaryRepresentation, Assert.Throws<PgException>(() => importer.Complete()).SqlState);
        }

        // The statement.
        var missing = Assert.Throws<PgException>(() => connection.BeginBinaryImport("COPY missing FROM STDIN (FORMAT binary)"));
        Assert.Equal(PgErrorCodes.UndefinedTable, missing.SqlState);
        await using (var exporter = connection.BeginBinaryExport("COPY (SELECT 10 / (3 - i) FROM generate_series(1, 9) i) TO STDOUT (FORMAT binary)"))
        {
            Assert.Equal(1, exporter.StartRow());
            Assert.Equal(PgErrorCodes.DivisionByZero, Assert.Throws<PgException>(() => { while (exporter.StartRow() > 0) { } }).SqlState);
        }

        Assert.Equal(session, connection.ProcessID);
        Assert.Equal(1, Scalar<int>(connection, "SELECT 1"));
    }

    [Fact]
    public async Task Wrong_values_of_the_caller_can_be_replaced()
    {
        await using var connection = await OpenAsync();
        Execute(connection, "CREATE TEMP TABLE t (v int, w text)");
        await using (var importer = connection.BeginBinaryImport("COPY t FROM STDIN (FORMAT binary)"))
        {
            Assert.Throws<InvalidOperationException>(() => importer.Write(1));
            importer.StartRow();
            Assert.Throws<InvalidCastException>(() => importer.Write("x", PgDbType.Integer));
            Assert.Throws<InvalidCastException>(() => importer.Write(new object()));
            Assert.Throws<NotSupportedException>(() => importer.Write(1, "no such type"));
            importer.Write(1);
            Assert.Throws<InvalidOperationException>(importer.StartRow);
            Assert.Throws<InvalidOperationException>(() => importer.Complete());
            importer.Write("x");
            Assert.Throws<InvalidOperationException>(() => importer.Write("y"));
            Assert.Equal(1UL, importer.Complete());
        }

        Assert.Equal("x", Scalar<string>(connection, "SELECT w FROM t WHERE v = 1"));
    }

    [Fact]
    public async Task A_COPY_that_does_not_fit_the_method_is_refused()
    {
        await using var connection = await OpenAsync();
        Execute(connection, "CREATE TEMP TABLE t (v int)");
        Assert.Throws<ArgumentException>(() => connection.BeginBinaryImport("SELECT 1"));
        Assert.Throws<ArgumentException>(() => connection.BeginBinaryImport($"COPY t {Values}; SELECT 1"));
        Assert.Throws<ArgumentException>(() => connection.BeginBinaryImport("COPY t FROM STDIN"));
        Assert.Throws<ArgumentException>(() => connection.BeginTextImport($"COPY t {Values}"));
        Assert.Throws<ArgumentException>(() => connection.BeginBinaryImport("COPY t TO STDOUT (FORMAT binary)"));
        Assert.Throws<ArgumentException>(() => connection.BeginTextExport("COPY t FROM STDIN"));
        Assert.Throws<ArgumentException>(() => connection.BeginRawBinaryCopy("COPY t TO STDOUT"));
        Assert.Throws<InvalidOperationException>(() => connection.BeginTextExport("COPY t TO '/dev/null'"));
        Assert.Equal(1, Scalar<int>(connection, "SELECT 1"));
    }

    [Fact]
    public async Task An_open_COPY_refuses_other_commands()
    {
        await using var connection = await OpenAsync();
        Execute(connection, "CREATE TEMP TABLE t (v int)");
        await using (var importer = connection.BeginBinaryImport($"COPY t {Values}"))
        {
            var refusal = Assert.Throws<PgOperationInProgressException>(() => Execute(connection, "SELECT 1"));
            Assert.Contains("A COPY is still open", refusal.Message, StringComparison.Ordinal);
            Assert.Throws<PgOperationInProgressException>(() => connection.BeginTextExport("COPY t TO STDOUT"));
            Assert.Throws<PgOperationInProgressException>(() => connection.Wait(1));
            importer.WriteRow(1);
            Assert.Equal(1UL, importer.Complete());
            Assert.Equal(1, Scalar<int>(connection, "SELECT 1"));
        }

        using (connection.BeginTextExport("COPY t TO STDOUT"))
            await Assert.ThrowsAsync<PgOperationInProgressException>(() => new PgCommand("SELECT 1", connection).ExecuteScalarAsync(Token));
        Assert.Equal(1, Scalar<int>(connection, "SELECT 1"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_COPY_begins_a_transaction_and_is_rolled_back_with_it(bool commits)
    {
        await using var connection = await OpenAsync();
        Execute(connection, "CREATE TEMP TABLE t (v int)");
        await using (var transaction = connection.BeginTransaction())
        {
            await using (var importer = await connection.BeginBinaryImportAsync($"COPY t {Values}", Token))
            {
                await importer.WriteRowAsync(Token, 1);
                await importer.CompleteAsync(Token);
            }

            if (commits)
                await transaction.CommitAsync(Token);
        }

        Assert.Equal(commits ? 1 : 0, Scalar<long>(connection, "SELECT count(*) FROM t"));
    }

    // The server sends nothing before its first 8 KiB.
    private const string Stuck = "(SELECT repeat('x', 20000) FROM generate_series(1, 3) i WHERE i < 2 OR pg_sleep(60) IS NULL)";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_time_out_stops_a_COPY(bool asynchronously)
    {
        await using var connection = await OpenAsync();
        var session = connection.ProcessID;
        Execute(connection, "CREATE TEMP TABLE t (v int)");
        Execute(connection, "CREATE FUNCTION pg_temp.slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END'");
        Execute(connection, "CREATE TRIGGER slow BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION pg_temp.slow()");
        await using (var importer = connection.BeginBinaryImport($"COPY t {Values}"))
        {
            importer.Timeout = TimeSpan.FromMilliseconds(300);
            importer.WriteRow(1);
            var failure = asynchronously
                ? await Assert.ThrowsAsync<PgException>(async () => await importer.CompleteAsync(Token))
                : Assert.Throws<PgException>(() => importer.Complete());
            Assert.IsType<TimeoutException>(failure.InnerException);
        }

        await using (var exporter = connection.BeginTextExport($"COPY {Stuck} TO STDOUT"))
        {
            exporter.Timeout = 300;
            var failure = asynchronously
                ? await Assert.ThrowsAsync<PgException>(async () => await exporter.ReadToEndAsync(Token))
                : Assert.Throws<PgException>(() => exporter.ReadToEnd());
            Assert.IsType<TimeoutException>(failure.InnerException);
        }

        await using (var exporter = await connection.BeginBinaryExportAsync($"COPY {Stuck} TO STDOUT (FORMAT binary)", Token))
        {
            using var cancellation = new CancellationTokenSource(300);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await exporter.StartRowAsync(cancellation.Token));
        }

        Assert.Equal(session, connection.ProcessID);
        Assert.Equal(1, Scalar<int>(connection, "SELECT 1"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_cancelled_export_asks_the_server_to_stop(bool asynchronously)
    {
        await using var connection = await OpenAsync();
        var session = connection.ProcessID;
        const string Endless = "COPY (SELECT i, repeat('x', 1000) FROM generate_series(1, 100000) i, generate_series(1, 100000)) TO STDOUT (FORMAT binary)";
        var exporter = connection.BeginBinaryExport(Endless);
        Assert.Equal(2, exporter.StartRow());
        if (asynchronously)
            await exporter.CancelAsync();
        else
            exporter.Cancel();
        var raw = connection.BeginRawBinaryCopy(Endless);
        Assert.NotEqual(0, raw.Read(new byte[10]));
        if (asynchronously)
            await raw.CancelAsync();
        else
            raw.Cancel();
        Assert.Throws<ObjectDisposedException>(() => raw.Read(new byte[10]));
        Assert.Equal(1, Scalar<int>(connection, "SELECT 1"));
        Assert.Equal(session, connection.ProcessID);
    }

    // A server that waits until its notices are read does not read the rows.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Notices_do_not_stop_an_import(bool asynchronously, string options)
    {
        await using var connection = await OpenAsync(options);
        var notices = 0;
        connection.Notice += (_, _) => notices++;
        Execute(connection, "CREATE TEMP TABLE t (v text)");
        Execute(
            connection,
            "CREATE FUNCTION pg_temp.loud() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''%'', repeat(''x'', 20000); RETURN NEW; END'");
        Execute(connection, "CREATE TRIGGER loud BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION pg_temp.loud()");
        await using var importer = connection.BeginBinaryImport($"COPY t {Values}");
        var large = new byte[4_000_000];
        Array.Fill(large, (byte)'y');
        var text = Encoding.ASCII.GetString(large);
        for (var i = 0; i < 2_000; i++)
        {
            importer.StartRow();
            var value = i % 500 == 499 ? text : "short value of a row";
            if (asynchronously)
                await importer.WriteAsync(value, Token);
            else
                importer.Write(value);
        }

        Assert.Equal(2_000UL, asynchronously ? await importer.CompleteAsync(Token) : importer.Complete());
        Assert.Equal(2_000, notices);
    }

    [Theory]
    [InlineData("COPY t FROM STDIN; SELECT 1")]
    [InlineData("SELECT 1; copy t (v) from stdin; SELECT 2")]
    [InlineData("COPY t FROM STDIN; COPY t FROM STDIN")]
    public async Task A_COPY_before_other_statements_of_a_text_breaks_nothing(string sql)
    {
        await using var connection = await OpenAsync();
        Execute(connection, "CREATE TEMP TABLE t (v int)");
        for (var i = 0; i < 4; i++)
        {
            Assert.Throws<NotSupportedException>(() => Execute(connection, sql));
            await Assert.ThrowsAsync<NotSupportedException>(() => new PgCommand(sql, connection).ExecuteNonQueryAsync(Token));
            Assert.Equal("0A000", Assert.Throws<PgException>(() => Execute(connection, "SELECT 1; COPY t FROM STDIN")).SqlState);
            Assert.Equal(ConnectionState.Open, connection.State);
            Assert.Equal(i, Scalar<int>(connection, $"SELECT {i}"));
        }
    }

    private static async Task<PgConnection> ReopenAsync(PgConnection connection, bool asynchronously)
    {
        if (asynchronously)
        {
            await connection.CloseAsync();
            await connection.OpenAsync(Token);
        }
        else
        {
            connection.Close();
            connection.Open();
        }

        return connection;
    }

    private static void Execute(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static T Scalar<T>(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        return command.ExecuteScalar<T>()!;
    }

    private static async Task<PgConnection> OpenAsync(string options = "")
    {
        // A pool of their own: tests that run beside these would take a session that is returned and opened again.
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        var connection = new PgConnection(ConnectionStrings.PostgreSql(server, $"Application Name=CopyTests;{options}"));
        await connection.OpenAsync(Token);
        return connection;
    }
}
