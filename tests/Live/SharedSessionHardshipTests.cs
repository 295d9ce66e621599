using System.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;
using static Slipstream.Live.SharedSessionTools;

namespace Slipstream.Live;

/// <summary>What may go wrong with commands that share sessions, and must stay the affair of those whom it concerns.</summary>
public class SharedSessionHardshipTests
{
    // What is large comes from a text that was small before.
    private const string Rows = "SELECT REPEAT('x', @v), n FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3) t";

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Values_larger_than_what_is_held_come_whole(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, Rows);
        await using var command = source.CreateCommand(Rows);
        command.Parameters.AddWithValue("@v", 5_000_000);
        var leased = source.Sharing!.Leased;
        await using (var reader = await command.ExecuteReaderAsync())
        {
            Assert.Equal(leased + 1, source.Sharing.Leased);
            for (var row = 1; row <= 3; row++)
            {
                Assert.True(await reader.ReadAsync());
                Assert.Equal(5_000_000, reader.GetString(0).Length);
                Assert.Equal(row, reader.GetInt32(1));
            }

            Assert.False(await reader.ReadAsync());
        }

        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_large_answer_read_by_blocking_comes_whole(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, Rows);
        await using var command = source.CreateCommand(Rows);
        command.Parameters.AddWithValue("@v", 2_000_000);
        await using (var reader = await command.ExecuteReaderAsync())
        {
            var rows = 0;
            while (reader.Read())
                rows += reader.GetString(0).Length == 2_000_000 ? 1 : 0;
            Assert.Equal(3, rows);
        }

        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_reader_of_a_large_answer_may_wait_for_what_comes_behind_it(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, Rows);
        await WarmAsync(source, "SELECT @v");
        for (var round = 0; round < 3; round++)
        {
            await using var command = source.CreateCommand(Rows);
            command.Parameters.AddWithValue("@v", 1_500_000);
            var opening = command.ExecuteReaderAsync();
            // Some of them stand behind the large answer, which is taken only when they have come.
            var behind = Enumerable.Range(0, 20).Select(i => ScalarAsync(source, "SELECT @v", i)).ToList();
            await using var reader = await opening;
            Assert.Equal(Enumerable.Range(0, 20), await Task.WhenAll(behind));
            // What is asked for now must not stand behind it.
            Assert.Equal(4, await ScalarAsync(source, "SELECT @v", 4));
            var rows = 0;
            while (await reader.ReadAsync())
            {
                Assert.Equal(1_500_000, reader.GetString(0).Length);
                Assert.Equal(5, await ScalarAsync(source, "SELECT @v", 5));
                rows++;
            }

            Assert.Equal(3, rows);
            await ForgetAsync(source, Rows);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_large_answer_that_is_given_up_is_dropped_for_those_behind_it(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, Rows);
        await WarmAsync(source, "SELECT @v");
        using var cancellation = new CancellationTokenSource();
        await using var command = source.CreateCommand(Rows);
        command.Parameters.AddWithValue("@v", 6_000_000);
        var opening = command.ExecuteReaderAsync(cancellation.Token);
        var behind = Enumerable.Range(0, 20).Select(i => ScalarAsync(source, "SELECT @v", i)).ToList();
        await using (var reader = await opening)
        {
            Assert.True(await reader.ReadAsync());
            command.Cancel();
        }

        Assert.Equal(Enumerable.Range(0, 20), await Task.WhenAll(behind));
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Many_small_rows_are_a_large_answer_too(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        const string Digits = "(SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
        const string Sql = $"SELECT a.n, b.n, c.n, d.n, 'some words more' FROM {Digits} a JOIN {Digits} b JOIN {Digits} c JOIN {Digits} d WHERE a.n < @v";
        await WarmAsync(source, Sql, 0);
        await using var command = source.CreateCommand(Sql);
        command.Parameters.AddWithValue("@v", 4);
        var leased = source.Sharing!.Leased;
        Assert.Equal(4000, await CountAsync(command));
        Assert.Equal(leased + 1, source.Sharing.Leased);
        Assert.Equal(4000, await CountAsync(command));
        Assert.Equal(leased + 1, source.Sharing.Leased);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Clearing_and_retiring_under_load_fails_nobody(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, "SELECT @v");
        using var over = new CancellationTokenSource();
        var clearing = Task.Run(async () =>
        {
            // At least until enough was retired: on a busy machine the statement may seem too slow to be shared for a while.
            for (var i = 0; i < 150 || (i < 5000 && source.Sharing!.Retired <= 3); i++)
            {
                source.Sharing!.Clear();
                source.Sharing.Sweep(Clock.Now);
                await Task.Delay(1 + i % 5);
            }

            await over.CancelAsync();
        });
        await Task.WhenAll(Enumerable.Range(0, 32).Select(async i =>
        {
            while (!over.IsCancellationRequested)
                Assert.Equal(i, await ScalarAsync(source, "SELECT @v", i));
        }));
        await clearing;
        Assert.True(source.Sharing!.Retired > 3);
        // One may be opened still.
        for (var i = 0; i < 1000 && source.Statistics.Busy > 0; i++)
        {
            source.Sharing.Clear();
            await Task.Delay(20);
        }

        Assert.Equal(0, source.Statistics.Busy);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_source_that_is_disposed_lets_its_commands_end_and_then_closes_what_they_share(ServerKind kind)
    {
        await using var admin = await AdminAsync(kind);
        var table = await TableAsync(admin);
        try
        {
            var source = await SourceAsync(kind);
            await WarmAsync(source, $"SELECT n + @v FROM {table}", 0);
            await ExecuteAsync(admin, $"LOCK TABLES {table} WRITE");
            var waiting = Enumerable.Range(0, 10).Select(i => ScalarAsync(source, $"SELECT n + @v FROM {table}", i)).ToList();
            await source.DisposeAsync();
            await Task.Delay(20);
            Assert.All(waiting, task => Assert.False(task.IsCompleted));
            await ExecuteAsync(admin, "UNLOCK TABLES");
            Assert.Equal(Enumerable.Range(1, 10), await Task.WhenAll(waiting));
            for (var i = 0; i < 400 && source.Statistics.Busy > 0; i++)
                await Task.Delay(50);
            Assert.Equal((0, 0), (source.Statistics.Busy, source.Sharing!.Count));
            await Assert.ThrowsAsync<ObjectDisposedException>(() => ScalarAsync(source, "SELECT @v", 1));
        }
        finally
        {
            await DropAsync(admin, table);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Commands_behind_one_that_waits_for_a_lock_wait_as_long_as_they_like_and_no_longer(ServerKind kind)
    {
        await using var admin = await AdminAsync(kind);
        var table = await TableAsync(admin);
        try
        {
            await using var source = await SourceAsync(kind);
            var sql = $"SELECT n + @v FROM {table}";
            await WarmAsync(source, sql, 0);
            await WarmAsync(source, "SELECT @v");
            await ExecuteAsync(admin, $"LOCK TABLES {table} WRITE");
            var front = Enumerable.Range(0, 4).Select(i => ScalarAsync(source, sql, i)).ToList();
            await using var hurried = source.CreateCommand("SELECT @v");
            hurried.Parameters.AddWithValue("@v", 1);
            hurried.CommandTimeout = 1;
            var behind = hurried.ExecuteScalarAsync();
            using var cancellation = new CancellationTokenSource();
            await using var cancelled = source.CreateCommand("SELECT @v");
            cancelled.Parameters.AddWithValue("@v", 2);
            var given = cancelled.ExecuteScalarAsync(cancellation.Token);
            await Task.Delay(40);
            // Now it is known to be late: nobody new gets on.
            var others = await Task.WhenAll(Enumerable.Range(0, 20).Select(i => ScalarAsync(source, "SELECT @v", i)));
            Assert.Equal(Enumerable.Range(0, 20), others);
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
            Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, (await Assert.ThrowsAsync<MySqlException>(() => behind)).ErrorCode);
            await ExecuteAsync(admin, "UNLOCK TABLES");
            Assert.Equal(Enumerable.Range(1, 4), await Task.WhenAll(front));
            await NothingIsLeft(source);
        }
        finally
        {
            await DropAsync(admin, table);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_nobody_waits_for_any_more_is_stopped_and_its_session_given_back(ServerKind kind)
    {
        await using var admin = await AdminAsync(kind);
        var table = await TableAsync(admin);
        try
        {
            await using var source = await SourceAsync(kind);
            var sql = $"SELECT n + @v FROM {table}";
            await WarmAsync(source, sql, 0);
            await ExecuteAsync(admin, $"LOCK TABLES {table} WRITE");
            using var cancellation = new CancellationTokenSource();
            var waiting = Enumerable.Range(0, 6).Select(async i =>
            {
                await using var command = source.CreateCommand(sql);
                command.Parameters.AddWithValue("@v", i);
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => command.ExecuteScalarAsync(cancellation.Token));
            }).ToList();
            await Task.Delay(50);
            await cancellation.CancelAsync();
            await Task.WhenAll(waiting);
            Assert.True(source.Sharing!.Retired > 0);
            await NothingIsLeft(source);
            await using var list = new MySqlCommand($"SELECT COUNT(*) FROM {kind.ProcessList()} WHERE id <> CONNECTION_ID() AND info LIKE 'SELECT n + %{table}%'", admin);
            for (var i = 0; i < 400 && Convert.ToInt32(await list.ExecuteScalarAsync()) > 0; i++)
                await Task.Delay(50);
            Assert.Equal(0, Convert.ToInt32(await list.ExecuteScalarAsync()));
        }
        finally
        {
            await DropAsync(admin, table);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_session_older_than_its_lifetime_is_replaced(ServerKind kind)
    {
        await using var source = await SourceAsync(kind, "Connection Lifetime=5;");
        await WarmAsync(source, "SELECT @v");
        var retired = source.Sharing!.Retired;
        source.Sharing.Sweep(Clock.Now + 1_000);
        Assert.Equal(retired, source.Sharing.Retired);
        source.Sharing.Sweep(Clock.Now + 6_000);
        Assert.True(source.Sharing.Retired > retired);
        Assert.Equal(1, await ScalarAsync(source, "SELECT @v", 1));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_source_that_does_something_behind_each_opening_shares_nothing(ServerKind kind)
    {
        var opened = 0;
        await using var source = new MySqlDataSourceBuilder(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Multiplexing=Auto;"))
            .UseConnectionOpenedCallback((_, _) =>
            {
                Interlocked.Increment(ref opened);
                return default;
            })
            .Build();
        source.Sharing!.FewestCallers = 1;
        for (var i = 0; i < 10; i++)
            Assert.Equal(i, await ScalarAsync(source, "SELECT @v", i));
        Assert.Equal((10, 0L), (opened, source.Sharing.Leased));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_command_that_is_listened_to_is_not_shared(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, "SELECT @v");
        const string Sql = "SELECT CAST(CONCAT(@v, 'x') AS signed)";
        var leased = source.Sharing!.Leased;
        for (var i = 0; i < 5; i++)
        {
            var heard = 0;
            await using var command = source.CreateCommand(Sql);
            command.Parameters.AddWithValue("@v", i);
            command.Connection!.InfoMessage += (_, told) => heard += told.Errors.Count;
            Assert.Equal(i, Convert.ToInt32(await command.ExecuteScalarAsync()));
            Assert.Equal(1, heard);
        }

        Assert.Equal(leased, source.Sharing.Leased);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_connection_of_a_command_that_shares_takes_nothing_else(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, Rows);
        await using var command = source.CreateCommand(Rows);
        command.Parameters.AddWithValue("@v", 10);
        var leased = source.Sharing!.Leased;
        await using (var reader = await command.ExecuteReaderAsync())
        {
            Assert.Equal(leased + 1, source.Sharing.Leased);
            var connection = command.Connection!;
            Assert.Throws<InvalidOperationException>(() => connection.BeginTransaction());
            Assert.ThrowsAny<InvalidOperationException>(() => connection.ChangeDatabase("information_schema"));
            await using var other = new MySqlCommand("SET @x = 1", connection);
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => other.ExecuteNonQueryAsync());
            Assert.True(await reader.ReadAsync());
        }

        Assert.Equal(ConnectionState.Closed, command.Connection!.State);
        await using var clone = command.Clone();
        Assert.NotSame(command.Connection, clone.Connection);
        Assert.Equal(3, await CountAsync(clone));
        await NothingIsLeft(source);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Readers_that_are_closed_early_leave_nothing_for_the_next(ServerKind kind)
    {
        await using var source = await SourceAsync(kind);
        await WarmAsync(source, Rows);
        await Task.WhenAll(Enumerable.Range(1, 64).Select(async i =>
        {
            for (var round = 0; round < 10; round++)
            {
                await using var command = source.CreateCommand(Rows);
                command.Parameters.AddWithValue("@v", i);
                await using var reader = await command.ExecuteReaderAsync();
                for (var row = 0; row < round % 4; row++)
                {
                    Assert.True(await reader.ReadAsync());
                    Assert.Equal(i, reader.GetString(0).Length);
                }
            }
        }));
        await NothingIsLeft(source);
    }

    private static async Task<int> CountAsync(MySqlCommand command)
    {
        var rows = 0;
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
            rows++;
        return rows;
    }

    // So that a statement that was large is shared again.
    private static async Task ForgetAsync(MySqlDataSource source, string sql)
    {
        for (var i = 0; i < 256; i++)
            await ScalarAsync(source, sql, 1);
        await WarmAsync(source, sql);
    }

    private static async Task<MySqlConnection> AdminAsync(ServerKind kind)
    {
        var admin = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;"));
        await admin.OpenAsync();
        return admin;
    }

    private static async Task<string> TableAsync(MySqlConnection admin)
    {
        var table = $"shared_{Guid.NewGuid():N}"[..20];
        await ExecuteAsync(admin, $"CREATE TABLE {table} (n int)");
        await ExecuteAsync(admin, $"INSERT INTO {table} VALUES (1)");
        return table;
    }

    private static async Task DropAsync(MySqlConnection admin, string table)
    {
        await ExecuteAsync(admin, "UNLOCK TABLES");
        await ExecuteAsync(admin, $"DROP TABLE {table}");
    }
}
