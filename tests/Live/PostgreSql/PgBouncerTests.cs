using System.Data;
using Slipstream.Contract;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>
/// PgBouncer that pools transactions, with and without tracking of prepared statements. Successive transactions of a connection run in different sessions of
/// the server.
/// </summary>
public class PgBouncerTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<bool, bool> Ways => new() { { true, false }, { true, true }, { false, false }, { false, true } };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Transactions_run_in_several_sessions_of_the_server(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = await SourceAsync(tracks, "Auto Prepare=false");
        var pids = new HashSet<object?>();
        await Eventually.TrueAsync(async () =>
        {
            await using var connection = source.CreateConnection();
            await mode.Open(connection);
            for (var i = 0; i < 10; i++)
                pids.Add(await Scalar(mode, connection, "SELECT pg_backend_pid()"));
            return pids.Count > 1;
        });
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Parameters_arrive_in_text_and_prepared(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = await SourceAsync(tracks);
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        await using var command = new PgCommand("SELECT @number + 1, @text, @day, @bytes", connection)
        {
            Parameters = { new("number", DBNull.Value), new("text", ""), new("day", new DateOnly(2026, 3, 4)), new("bytes", Array.Empty<byte>()) },
        };
        for (var i = 0; i < 30; i++)
        {
            if (i == 15)
                await mode.Prepare(command);
            command.Parameters["number"].Value = i;
            command.Parameters["text"].Value = "text " + i;
            command.Parameters["bytes"].Value = new byte[i * 100];
            await using var reader = await mode.Reader(command, CommandBehavior.Default);
            Assert.True(await mode.Read(reader));
            Assert.Equal((i + 1, "text " + i, new DateOnly(2026, 3, 4), i * 100),
                (reader.GetInt32(0), reader.GetString(1), reader.GetFieldValue<DateOnly>(2), reader.GetFieldValue<byte[]>(3).Length));
            Assert.False(await mode.Read(reader));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_command_that_the_caller_prepared_works_in_every_session(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = await SourceAsync(tracks, "Auto Prepare=false");
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        await using var first = new PgCommand("SELECT $1::int * 2", connection) { Parameters = { new() { Value = 0 } } };
        await using var second = new PgCommand("SELECT $1::text", connection) { Parameters = { new() { Value = "" } } };
        await mode.Prepare(first);
        await mode.Prepare(second);
        for (var i = 0; i < 30; i++)
        {
            first.Parameters[0].Value = i;
            second.Parameters[0].Value = $"{i}";
            Assert.Equal(i * 2, await mode.Scalar(first));
            Assert.Equal($"{i}", await mode.Scalar(second));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Statements_that_prepare_themselves_work_in_every_session(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = await SourceAsync(tracks);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(caller => Task.Run(async () =>
        {
            for (var i = 0; i < 40; i++)
            {
                await using var connection = source.CreateConnection();
                await mode.Open(connection);
                for (var kind = 0; kind < 3; kind++)
                {
                    await using var command = new PgCommand($"SELECT @caller * 1000 + @i + {kind}", connection)
                    {
                        Parameters = { new("caller", caller), new("i", i) },
                    };
                    Assert.Equal(caller * 1000 + i + kind, await mode.Scalar(command));
                }
            }
        }, Token)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_stays_in_one_session(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = await SourceAsync(tracks);
        var table = $"bounced_{(tracks ? "tracked" : "plain")}_{(asynchronous ? "async" : "sync")}";
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        await Execute(mode, connection, $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (id INT PRIMARY KEY)");
        for (var i = 0; i < 12; i++)
        {
            await using var transaction = (PgTransaction)await mode.Begin(connection);
            await using var insert = new PgCommand($"INSERT INTO {table} VALUES (@id)", connection) { Parameters = { new("id", i) } };
            await mode.NonQuery(insert);
            transaction.Save("here");
            insert.Parameters[0].Value = i + 100;
            await mode.NonQuery(insert);
            var pid = await Scalar(mode, connection, "SELECT pg_backend_pid()");
            Assert.Equal(pid, await Scalar(mode, connection, "SELECT pg_backend_pid()"));
            if (i % 3 == 1)
                transaction.Rollback("here");
            if (i % 3 == 2)
                await transaction.RollbackAsync(Token);
            else
                await transaction.CommitAsync(Token);
        }

        // Each third is rolled back; of the other two, one keeps both rows and one keeps the first.
        Assert.Equal(12L, await Scalar(mode, connection, $"SELECT count(*) FROM {table}"));
        Assert.Equal("23505", (await Assert.ThrowsAsync<PgException>(() => Execute(mode, connection, $"INSERT INTO {table} VALUES (0)"))).SqlState);
        await Execute(mode, connection, $"DROP TABLE {table}");
    }

    // A statement that another session of the server has, and this one does not, would end the transaction with error 26000.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Prepared_statements_do_not_fail_a_transaction(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        foreach (var option in (string[])["Auto Prepare Min Usages=1", "Auto Prepare=false"])
        {
            await using var source = await SourceAsync(tracks, option);
            await using var connection = source.CreateConnection();
            await mode.Open(connection);
            await using var select = new PgCommand("SELECT $1::int + 5", connection) { Parameters = { new() { Value = 1 } } };
            await using var update = new PgCommand("UPDATE pg_class SET relname = relname WHERE oid = $1", connection) { Parameters = { new() { Value = 0 } } };
            if (option == "Auto Prepare=false")
            {
                await mode.Prepare(select);
                await mode.Prepare(update);
            }

            for (var i = 0; i < 12; i++)
            {
                await using var transaction = await mode.Begin(connection);
                select.Parameters[0].Value = i;
                if (i % 2 == 0)
                    await Scalar(mode, connection, "SELECT txid_current()");
                Assert.Equal(i + 5, await mode.Scalar(select));
                Assert.Equal(0, await mode.NonQuery(update));
                await using var batch = new PgBatch(connection);
                batch.BatchCommands.Add(new PgBatchCommand("SELECT $1::int + 5") { Parameters = { new() { Value = i } } });
                batch.BatchCommands.Add(new PgBatchCommand("SELECT $1::int + 6") { Parameters = { new() { Value = i } } });
                Assert.Equal(i + 5, await mode.Scalar(batch));
                await mode.Commit(transaction);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_batch_is_answered(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = await SourceAsync(tracks);
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        for (var i = 0; i < 20; i++)
        {
            await using var batch = new PgBatch(connection);
            for (var n = 0; n < 5; n++)
                batch.BatchCommands.Add(new PgBatchCommand($"SELECT $1::int + {n}") { Parameters = { new() { Value = i } } });
            await using var reader = asynchronous ? await batch.ExecuteReaderAsync(Token) : batch.ExecuteReader();
            for (var n = 0; n < 5; n++)
            {
                Assert.True(await mode.Read(reader));
                Assert.Equal(i + n, reader.GetInt32(0));
                Assert.Equal(n < 4, await mode.NextResult(reader));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_command_that_takes_too_long_is_cancelled_and_the_connection_works_on(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = await SourceAsync(tracks, "Cancellation Timeout=30000");
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        for (var i = 0; i < 2; i++)
        {
            await using var command = new PgCommand("SELECT pg_sleep(20)", connection) { CommandTimeout = 1 };
            var error = await Assert.ThrowsAsync<PgException>(() => mode.Scalar(command));
            Assert.Equal(ErrorKind.Interrupted, error.Kind);
            Assert.Equal(ConnectionState.Open, connection.State);
            Assert.Equal(i, await Scalar(mode, connection, $"SELECT {i}"));
        }

        await using var other = new PgCommand("SELECT pg_sleep(20)", connection);
        using var cancelled = new CancellationTokenSource(300);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => other.ExecuteScalarAsync(cancelled.Token));
        Assert.Equal(3, await Scalar(mode, connection, "SELECT 3"));
    }

    [Theory]
    [InlineData("Reset Mode=Tracked", true)]
    [InlineData("Reset Mode=Always", true)]
    [InlineData("No Reset On Close=true", true)]
    [InlineData("Reset Mode=Tracked", false)]
    [InlineData("Reset Mode=Always", false)]
    [InlineData("No Reset On Close=true", false)]
    public async Task A_reset_keeps_the_settings_of_the_connection_string(string option, bool tracks)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        await using var direct = new PgConnection(ConnectionStrings.PostgreSql(server));
        await direct.OpenAsync(Token);
        // Other sessions of the user in other databases keep their settings. Each case has a database of its own: PgBouncer connects again to one that it has
        // served before while the next case creates it, and refuses every login for 15 seconds after a failure (server_login_retry).
        var database = $"german_{Guid.NewGuid():N}";
        await Execute(Mode.Async, direct, $"CREATE DATABASE {database} TEMPLATE template0");
        await Execute(Mode.Async, direct, $"ALTER DATABASE {database} SET DateStyle = 'German, DMY'");
        await Execute(Mode.Async, direct, $"ALTER DATABASE {database} SET TimeZone = 'Europe/Berlin'");
        await using var source = await SourceAsync(tracks, $"Database={database};Timezone=Asia/Tokyo;Application Name=an app;Maximum Pool Size=1;{option}");
        for (var i = 0; i < 20; i++)
        {
            await using var connection = source.CreateConnection();
            await connection.OpenAsync(Token);
            for (var n = 0; n < 4; n++)
            {
                await using var command = new PgCommand(
                    "SELECT current_setting('TimeZone') || ' ' || current_setting('DateStyle') || ' ' || current_setting('application_name'), "
                    + "DATE '2026-03-04', TIMESTAMPTZ '2026-03-04 00:00:00+00'", connection);
                await using var reader = await command.ExecuteReaderAsync(Token);
                Assert.True(await reader.ReadAsync(Token));
                Assert.Equal("Asia/Tokyo ISO, DMY an app", $"{reader.GetString(0)}");
                Assert.Equal(new DateTime(2026, 3, 4), reader.GetDateTime(1));
                Assert.Equal(new DateTime(2026, 3, 4), reader.GetDateTime(2).ToUniversalTime());
            }
        }

        await source.DisposeAsync();
        await Execute(Mode.Async, direct, $"DROP DATABASE {database} WITH (FORCE)");
    }

    [Theory]
    [InlineData("")]
    [InlineData("Reset Mode=Always")]
    public async Task A_pool_of_sessions_is_reset(string option)
    {
        await using var pooler = await LabServer.StartPgBouncerAsync(await LiveServers.GetAsync(ServerKind.PostgreSql), 100, ["pool_mode = session"], Token);
        await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(pooler, $"Timezone=Asia/Tokyo;Maximum Pool Size=1;{option}"));
        for (var i = 0; i < 8; i++)
        {
            await using var connection = source.CreateConnection();
            await connection.OpenAsync(Token);
            const string Question = "SELECT current_setting('TimeZone') || ' ' || current_setting('statement_timeout')";
            for (var n = 0; n < 4; n++)
                Assert.Equal("Asia/Tokyo 0", await Scalar(Mode.Async, connection, Question));
            await Execute(Mode.Async, connection, "SET statement_timeout = 77000; SET TimeZone = 'Europe/Berlin'; CREATE TEMPORARY TABLE kept (id INT)");
            Assert.Equal("Europe/Berlin 77s", await Scalar(Mode.Async, connection, Question));
        }
    }

    // PgBouncer refuses parameters that it does not track; track_extra_parameters and ignore_startup_parameters change that.
    [Fact]
    public async Task A_parameter_that_PgBouncer_refuses_is_named()
    {
        await using var source = await SourceAsync(true, "Options=-c statement_timeout=77s");
        await using var connection = source.CreateConnection();
        var error = await Assert.ThrowsAsync<PgException>(() => connection.OpenAsync(Token));
        Assert.Equal("08P01", error.SqlState);
        Assert.Contains("unsupported startup parameter in options: statement_timeout", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_search_path_of_the_connection_string_holds(bool tracks)
    {
        await using var source = await SourceAsync(tracks, "Search Path=pg_catalog;Maximum Pool Size=1");
        for (var i = 0; i < 12; i++)
        {
            await using var connection = source.CreateConnection();
            await connection.OpenAsync(Token);
            for (var n = 0; n < 4; n++)
                Assert.Equal("pg_catalog", await Scalar(Mode.Async, connection, "SHOW search_path"));
        }
    }

    // The server refuses a Bind that requests the binary format of such a type. A session that did not describe the columns must not predict it.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Types_without_a_binary_form_are_read_in_every_session(bool tracks, bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        foreach (var option in (string[])["", "Auto Prepare Min Usages=1", "Auto Prepare=false"])
        {
            await using var source = await SourceAsync(tracks, option);
            await using var connection = source.CreateConnection();
            await mode.Open(connection);
            await using var command = new PgCommand(
                "SELECT @n, 'pg_monitor=r/pg_monitor'::aclitem, ARRAY['pg_monitor=r/pg_monitor'::aclitem], ROW(1, 'a'), "
                    + "ROW(1, 'pg_monitor=r/pg_monitor'::aclitem), 'pg_class'::regclass, ARRAY[1, 2], 'x'::cstring, "
                    + "(SELECT c FROM pg_catalog.pg_namespace c WHERE nspname = 'pg_catalog')",
                connection) { Parameters = { new("n", 1) } };
            for (var i = 0; i < 20; i++)
            {
                if (i == 10)
                    await mode.Prepare(command);
                command.Parameters[0].Value = i;
                await using var reader = await mode.Reader(command, CommandBehavior.Default);
                Assert.True(await mode.Read(reader));
                Assert.Equal((i, "pg_monitor=r/pg_monitor", "pg_class", "x"), (reader.GetInt32(0), reader.GetValue(1), reader.GetValue(5), reader.GetValue(7)));
                Assert.Equal(["pg_monitor=r/pg_monitor"], reader.GetFieldValue<string[]>(2));
                Assert.Equal(["1", "a"], reader.GetFieldValue<object[]>(3));
                Assert.Equal((1, "pg_monitor=r/pg_monitor"), reader.GetFieldValue<(int, string)>(4));
                Assert.Equal([1, 2], reader.GetFieldValue<int[]>(6));
                Assert.StartsWith("(11,pg_catalog,", Assert.IsType<string>(reader.GetValue(8)), StringComparison.Ordinal);
            }
        }
    }

    private static async Task<PgDataSource> SourceAsync(bool tracks, string options = "") =>
        PgDataSource.Create(ConnectionStrings.PostgreSql(await LiveServers.GetPgBouncerAsync(tracks), options));

    private static async Task<object?> Scalar(Mode mode, PgConnection connection, string sql)
    {
        await using var command = new PgCommand(sql, connection);
        return await mode.Scalar(command);
    }

    private static async Task Execute(Mode mode, PgConnection connection, string sql)
    {
        await using var command = new PgCommand(sql, connection);
        await mode.NonQuery(command);
    }
}
