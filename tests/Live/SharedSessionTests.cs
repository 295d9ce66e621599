using System.Collections.Concurrent;
using System.Data;
using System.Data.Common;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;
using static Slipstream.Live.SharedSessionTools;

namespace Slipstream.Live;

/// <summary>Commands of a data source that share sessions (<c>Multiplexing=Auto</c>): nobody notices, except by what it costs.</summary>
public class SharedSessionTests
{
    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_thousand_commands_at_once_each_get_their_own_answer(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, "SELECT @v, CONCAT('answer ', @v)");
        var before = source.Sharing!.Leased;
        await Task.WhenAll(Enumerable.Range(0, 1000).Select(async i =>
        {
            await using var command = source.CreateCommand(i % 3 == 0 ? "SELECT @v, CONCAT('answer ', @v)" : "SELECT CONCAT('answer ', @v), @v");
            command.Parameters.AddWithValue("@v", i);
            await using var reader = await command.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync());
            Assert.Equal(i, Convert.ToInt32(reader.GetValue(i % 3 == 0 ? 0 : 1)));
            Assert.Equal($"answer {i}", reader.GetString(i % 3 == 0 ? 1 : 0));
            Assert.False(await reader.ReadAsync());
        }));
        Assert.True(source.Sharing.Leased > before);
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task An_error_is_its_own_commands(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        const string Sql = "SELECT 0 + (SELECT n FROM (SELECT 1 AS n UNION ALL SELECT 2) t WHERE n <= @v)";
        await WarmAsync(source, Sql);
        await WarmAsync(source, "SELECT @v");
        var failed = 0;
        await Task.WhenAll(Enumerable.Range(0, 300).Select(async i =>
        {
            await using var command = source.CreateCommand(i % 10 == 0 ? Sql : "SELECT @v");
            command.Parameters.AddWithValue("@v", i % 10 == 0 ? i % 20 == 0 ? 2 : 1 : i);
            if (i % 20 == 0)
            {
                var refused = await Assert.ThrowsAsync<MySqlException>(() => command.ExecuteScalarAsync());
                Assert.Equal(1242, refused.Number);
                Interlocked.Increment(ref failed);
            }
            else
                Assert.Equal(i % 10 == 0 ? 1 : i, Convert.ToInt32(await command.ExecuteScalarAsync()));
        }));
        Assert.Equal(15, failed);
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_is_cancelled_concerns_nobody_else(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, "SELECT @v");
        var cancelled = 0;
        for (var round = 0; round < 5; round++)
        {
            using var storm = new CancellationTokenSource();
            var tasks = Enumerable.Range(0, 200).Select(async i =>
            {
                await using var command = source.CreateCommand("SELECT @v");
                command.Parameters.AddWithValue("@v", i);
                try
                {
                    Assert.Equal(i, Convert.ToInt32(await command.ExecuteScalarAsync(i % 2 == 0 ? storm.Token : default)));
                }
                catch (OperationCanceledException) when (i % 2 == 0)
                {
                    Interlocked.Increment(ref cancelled);
                }
            }).ToList();
            await storm.CancelAsync();
            await Task.WhenAll(tasks);
        }

        await NothingIsLeft(source);
        Assert.True(cancelled > 0);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_time_out_ends_its_own_command_and_the_others_go_on(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        const string Sql = """
            SELECT COUNT(*) FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8) a
            JOIN (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8) b
            JOIN (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8) c
            WHERE a.n <= @v AND SHA2(REPEAT(CONCAT(a.n, b.n, c.n), @v * 2000000), 512) > ''
            """;
        await WarmAsync(source, Sql, 0);
        await using var slow = source.CreateCommand(Sql);
        slow.Parameters.AddWithValue("@v", 8);
        slow.CommandTimeout = 1;
        var leased = source.Sharing!.Leased;
        var expected = Assert.ThrowsAsync<MySqlException>(() => slow.ExecuteScalarAsync());
        Assert.Equal(leased + 1, source.Sharing.Leased);
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, (await expected).ErrorCode);
        for (var i = 0; i < 20; i++)
            Assert.Equal(i, await ScalarAsync(source, "SELECT @v", i));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_session_killed_underneath_fails_its_commands_and_is_replaced(ServerKind kind)
    {
        await using var admin = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        await admin.OpenAsync();
        var database = $"shared_{Guid.NewGuid():N}";
        await ExecuteAsync(admin, $"CREATE DATABASE {database}");
        try
        {
            await using var source = await SourceAsync(kind, $"Database={database};");
            await WarmAsync(source, "SELECT @v");
            for (var round = 0; round < 5; round++)
            {
                var lost = 0;
                var tasks = Enumerable.Range(0, 200).Select(async i =>
                {
                    try
                    {
                        Assert.Equal(i, await ScalarAsync(source, "SELECT @v", i));
                    }
                    catch (MySqlException exception) when (exception.RetrySafety != RetrySafety.NotApplicable)
                    {
                        Interlocked.Increment(ref lost);
                    }
                }).ToList();
                await using (var list = new MySqlCommand($"SELECT id FROM {kind.ProcessList()} WHERE db = '{database}'", admin))
                {
                    var ids = new List<ulong>();
                    await using (var reader = await list.ExecuteReaderAsync())
                        while (await reader.ReadAsync())
                            ids.Add(Convert.ToUInt64(reader.GetValue(0)));
                    foreach (var id in ids)
                    {
                        await using var kill = new MySqlCommand($"KILL {id}", admin);
                        try
                        {
                            await kill.ExecuteNonQueryAsync();
                        }
                        catch (MySqlException exception) when (exception.Number == 1094)
                        {
                            // It has gone by itself.
                        }
                    }
                }

                await Task.WhenAll(tasks);
                await WarmAsync(source, "SELECT @v", tolerant: true);
            }

            await NothingIsLeft(source);
        }
        finally
        {
            await ExecuteAsync(admin, $"DROP DATABASE {database}");
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_view_that_changes_its_session_taints_it(ServerKind kind)
    {
        await using var admin = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        await admin.OpenAsync();
        var name = $"taint_{Guid.NewGuid():N}"[..20];
        await ExecuteAsync(admin, "SET GLOBAL log_bin_trust_function_creators = 1");
        await ExecuteAsync(admin, $"CREATE FUNCTION {name}_f() RETURNS int NO SQL BEGIN SET SESSION sql_select_limit = 1; RETURN 1; END");
        await ExecuteAsync(admin, $"CREATE VIEW {name}_v AS SELECT {name}_f() AS n");
        try
        {
            await using var source = await SourceAsync(kind);
            // At least until it has run on a shared session: on a busy machine it may seem slow for a while.
            for (var i = 0; i < 40 || (i < 1500 && source.Sharing!.Retired == 0); i++)
            {
                Assert.Equal(1, await ScalarAsync(source, $"SELECT n FROM {name}_v", 0));
                await using var two = source.CreateCommand("SELECT 1 UNION ALL SELECT 2");
                await using var reader = await two.ExecuteReaderAsync();
                Assert.True(await reader.ReadAsync());
                Assert.True(await reader.ReadAsync());
                await Task.Delay(1);
            }

            Assert.True(source.Sharing!.Retired > 0);
        }
        finally
        {
            await ExecuteAsync(admin, $"DROP VIEW {name}_v");
            await ExecuteAsync(admin, $"DROP FUNCTION {name}_f");
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_reader_that_stays_open_holds_nobody_up(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, "SELECT @v");
        await WarmAsync(source, "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT @v");
        await using var command = source.CreateCommand("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT @v");
        command.Parameters.AddWithValue("@v", 3);
        await using var reader = await command.ExecuteReaderAsync();
        var rows = 0;
        while (await reader.ReadAsync())
        {
            rows++;
            Assert.Equal(7, await ScalarAsync(source, "SELECT @v", 7));
            // Blocking inside a continuation of a shared session: others, the one waited for among them, must go on.
            Assert.Equal(8, ScalarAsync(source, "SELECT @v", 8).GetAwaiter().GetResult());
        }

        Assert.Equal(3, rows);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Callers_that_block_hold_nobody_up_for_long(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, "SELECT @v");
        await Task.WhenAll(Enumerable.Range(0, 40).Select(async i =>
        {
            for (var round = 0; round < 5; round++)
            {
                Assert.Equal(i, await ScalarAsync(source, "SELECT @v", i));
                Assert.Equal(i + 1, ScalarAsync(source, "SELECT @v", i + 1).GetAwaiter().GetResult());
            }
        }));
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_result_too_large_to_hold_comes_whole_and_is_not_shared_again(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        const string Sql = "SELECT REPEAT('x', @v) FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) t";
        await WarmAsync(source, Sql);
        await WarmAsync(source, "SELECT @v");
        var leased = source.Sharing!.Leased;
        await using var command = source.CreateCommand(Sql);
        command.Parameters.AddWithValue("@v", 900_000);
        await using (var reader = await command.ExecuteReaderAsync())
        {
            Assert.Equal(leased + 1, source.Sharing.Leased);
            for (var row = 0; row < 4; row++)
            {
                Assert.True(await reader.ReadAsync());
                Assert.Equal(900_000, reader.GetString(0).Length);
            }

            Assert.False(await reader.ReadAsync());
        }

        Assert.Equal(5, await ScalarAsync(source, "SELECT @v", 5));
        leased = source.Sharing.Leased;
        await using (var reader = await command.ExecuteReaderAsync())
            Assert.True(await reader.ReadAsync());
        Assert.Equal(leased, source.Sharing.Leased);
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Types_and_values_are_those_of_an_exclusive_session(ServerKind kind)
    {
        await using var source = await SourceAsync(kind, "Allow User Variables=false;");
        const string Sql = """
            SELECT 1 AS a, 1.5 AS b, 1e0 AS c, 'text' AS d, x'0102' AS e, CAST('2024-02-29' AS date) AS f, CAST('2024-02-29 12:34:56.789' AS datetime(3)) AS g,
            CAST('-12:34:56' AS time) AS h, NULL AS i, CAST(18446744073709551615 AS unsigned) AS j, @v AS k, CAST('{}' AS char) AS l, CAST(0.1 AS decimal(30,10)) AS m
            """;
        await WarmAsync(source, Sql);
        var leased = source.Sharing!.Leased;
        await using var shared = source.CreateCommand(Sql);
        shared.Parameters.AddWithValue("@v", 1);
        await using var one = await shared.ExecuteReaderAsync();
        Assert.Equal(leased + 1, source.Sharing.Leased);
        await using var connection = await source.OpenConnectionAsync();
        await using var alone = new MySqlCommand(Sql, connection);
        alone.Parameters.AddWithValue("@v", 1);
        await using var other = await alone.ExecuteReaderAsync();
        Assert.Equal(other.FieldCount, one.FieldCount);
        Assert.True(await one.ReadAsync());
        Assert.True(await other.ReadAsync());
        for (var i = 0; i < other.FieldCount; i++)
        {
            Assert.Equal(other.GetName(i), one.GetName(i));
            Assert.Equal(other.GetFieldType(i), one.GetFieldType(i));
            Assert.Equal(other.GetDataTypeName(i), one.GetDataTypeName(i));
            Assert.Equal(other.GetValue(i), one.GetValue(i));
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_changes_or_asks_for_its_session_is_not_shared(ServerKind kind)
    {
        await using var source = await SourceAsync(kind, "Allow User Variables=true;");
        await WarmAsync(source, "SELECT 1");
        string[] texts =
        [
            "SET @x = 1", "SELECT @x", "SELECT @x := 5", "USE information_schema", "SELECT LAST_INSERT_ID()", "SELECT GET_LOCK('shared', 0)", "SELECT CONNECTION_ID()",
            "CREATE TEMPORARY TABLE shared_t (n int)", "DO 1", "SELECT 1; SELECT 2", "BEGIN", "SELECT 1 FROM dual FOR UPDATE", "SELECT ROW_COUNT()", "SELECT @@sql_mode",
        ];
        foreach (var text in texts)
        {
            var leased = source.Sharing!.Leased;
            for (var i = 0; i < 4; i++)
            {
                await using var command = source.CreateCommand(text);
                await command.ExecuteScalarAsync();
            }

            Assert.True(leased == source.Sharing.Leased, text);
        }

        // Nor is anything inside a transaction scope, or by a blocking caller.
        var before = source.Sharing!.Leased;
        await using var blocking = source.CreateCommand("SELECT 1");
        Assert.Equal(1, Convert.ToInt32(blocking.ExecuteScalar()));
        using (blocking.ExecuteReader())
        {
        }

        Assert.Equal(before, source.Sharing.Leased);
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Few_callers_a_small_pool_and_the_default_do_not_share(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        source.Sharing!.FewestCallers = 8;
        for (var i = 0; i < 50; i++)
            Assert.Equal(i, await ScalarAsync(source, "SELECT @v", i));
        Assert.Equal(0, source.Sharing.Leased);

        await using var small = await SourceAsync(kind, "Maximum Pool Size=3;");
        for (var i = 0; i < 20; i++)
            Assert.Equal(i, await ScalarAsync(small, "SELECT @v", i));
        Assert.Equal(0, small.Sharing!.Leased);

        await using var plain = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        Assert.Null(plain.Sharing);
        Assert.Equal(1, await ScalarAsync(plain, "SELECT @v", 1));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Clearing_the_pool_closes_what_is_shared(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, "SELECT @v");
        source.Clear();
        Assert.Equal(0, source.Sharing!.Count);
        await WarmAsync(source, "SELECT @v");
        Assert.True(source.Sharing.Count > 0);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_command_of_a_data_source_takes_no_connection(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await using var command = source.CreateCommand("SELECT 1");
        await using var connection = source.CreateConnection();
        Assert.Throws<NotSupportedException>(() => command.Connection = connection);
        Assert.Throws<NotSupportedException>(() => ((DbCommand)command).Connection = connection);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteScalarAsync(new CancellationToken(true)));
        Assert.Equal(1, Convert.ToInt32(await command.ExecuteScalarAsync()));
        await using (var reader = await command.ExecuteReaderAsync(CommandBehavior.SingleRow))
            Assert.True(await reader.ReadAsync());
        Assert.Equal(1L, await command.ExecuteScalarAsync<long>());
        Assert.Equal(-1, await command.ExecuteNonQueryAsync());
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task It_works_inside_tls(ServerKind kind)
    {
        await using var source = await SourceAsync(kind, "SSL Mode=Required;");
        await WarmAsync(source, "SELECT @v");
        var results = new ConcurrentBag<int>();
        await Task.WhenAll(Enumerable.Range(0, 200).Select(async i => results.Add(await ScalarAsync(source, "SELECT @v", i))));
        Assert.Equal(Enumerable.Range(0, 200), results.Order());
        await NothingIsLeft(source);
    }
}
