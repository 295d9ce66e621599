using System.Data;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Several asynchronous commands on one connection, each started before the previous one is awaited.</summary>
public class ConcurrentCommandTests
{
    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task They_are_served_in_the_order_in_which_they_were_started(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await using (var create = new MySqlCommand("CREATE TEMPORARY TABLE served (n int AUTO_INCREMENT PRIMARY KEY, v int)", connection))
            await create.ExecuteNonQueryAsync();
        await using var insert = new MySqlCommand("INSERT INTO served (v) VALUES (@v)", connection);
        var parameter = insert.Parameters.AddWithValue("@v", 0);
        var inserts = new List<Task<int>>();
        for (var i = 0; i < 50; i++)
        {
            // The value at the start of the command counts.
            parameter.Value = i * i;
            inserts.Add(insert.ExecuteNonQueryAsync());
        }

        await using var select = new MySqlCommand("SELECT COUNT(*) FROM served WHERE v = (n - 1) * (n - 1)", connection);
        var count = select.ExecuteScalarAsync();
        var typed = select.ExecuteScalarAsync<long>();
        Assert.All(await Task.WhenAll(inserts), rows => Assert.Equal(1, rows));
        Assert.Equal(50L, await count);
        Assert.Equal(50L, await typed);
        Assert.Equal(50, insert.LastInsertedId);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_generated_key_of_a_command_that_is_read_is_known_when_its_reader_is_closed(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await using (var create = new MySqlCommand("CREATE TEMPORARY TABLE keyed (n int AUTO_INCREMENT PRIMARY KEY, v int) AUTO_INCREMENT = 70", connection))
            await create.ExecuteNonQueryAsync();
        await using var insert = new MySqlCommand("INSERT INTO keyed (v) VALUES (1)", connection);

        await using (var reader = await insert.ExecuteReaderAsync())
            Assert.False(await reader.ReadAsync());

        Assert.Equal(70, insert.LastInsertedId);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_value_changed_while_the_statement_is_being_prepared_is_the_next_commands(ServerKind kind)
    {
        // Without pipelining, the values are sent one round trip after the command was started: after the answer to its PREPARE.
        var options = "Allow Concurrent Commands=true;Pipelining Mode=Off;";
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), options));
        await connection.OpenAsync();
        await using var command = new MySqlCommand("SELECT @v", connection);
        var parameter = command.Parameters.AddWithValue("@v", 1);
        await command.PrepareAsync();
        var first = command.ExecuteScalarAsync();
        parameter.Value = 2;
        var second = command.ExecuteScalarAsync();
        parameter.Value = 3;
        Assert.Equal(1L, Convert.ToInt64(await first));
        Assert.Equal(2L, Convert.ToInt64(await second));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_reader_holds_the_others_up_until_it_is_closed(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await using var first = new MySqlCommand("SELECT 1 UNION ALL SELECT 2", connection);
        await using var second = new MySqlCommand("SELECT 3", connection);
        await using var batch = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand("SELECT 4"), new MySqlBatchCommand("SELECT 5") } };
        var opening = first.ExecuteReaderAsync();
        var next = second.ExecuteScalarAsync();
        var last = batch.ExecuteScalarAsync();
        await using (var reader = await opening)
        {
            Assert.True(await reader.ReadAsync());
            // A command that did not wait for the reader would end within this time.
            await Task.Delay(50);
            Assert.False(next.IsCompleted);
            Assert.Throws<InvalidOperationException>(() => second.ExecuteScalar());
            Assert.True(await reader.ReadAsync());
        }

        Assert.Equal(3, Convert.ToInt32(await next));
        Assert.Equal(4, Convert.ToInt32(await last));
        Assert.Equal(3, Convert.ToInt32(second.ExecuteScalar()));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task An_error_or_a_cancellation_is_its_own_commands_alone(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await using var held = await Held.TakeAsync(kind);
        await using var slow = new MySqlCommand(held.Awaits, connection);
        await using var wrong = new MySqlCommand("SELECT wrong FROM nothing", connection);
        await using var right = new MySqlCommand("SELECT 5", connection);
        using var cancelled = new CancellationTokenSource();
        var one = slow.ExecuteScalarAsync();
        var two = wrong.ExecuteScalarAsync();
        var three = right.ExecuteScalarAsync(cancelled.Token);
        var four = right.ExecuteScalarAsync();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => three);
        Assert.False(one.IsCompleted);
        await held.ReleaseAsync();
        Assert.Equal(1, Convert.ToInt32(await one));
        await Assert.ThrowsAsync<MySqlException>(() => two);
        Assert.Equal(5, Convert.ToInt32(await four));
        Assert.Equal(ConnectionState.Open, connection.State);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_commit_waits_for_the_commands_before_it(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await using (var create = new MySqlCommand("CREATE TEMPORARY TABLE committed (v int)", connection))
            await create.ExecuteNonQueryAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await using var insert = new MySqlCommand("INSERT INTO committed VALUES (1)", connection, transaction);
        var inserts = Enumerable.Range(0, 10).Select(_ => insert.ExecuteNonQueryAsync()).ToArray();
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await connection.BeginTransactionAsync());
        await transaction.CommitAsync();
        Assert.All(inserts, task => Assert.True(task.IsCompletedSuccessfully));
        await using var count = new MySqlCommand("SELECT COUNT(*) FROM committed", connection);
        Assert.Equal(10L, await count.ExecuteScalarAsync());
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Without_the_option_the_second_command_is_an_error(ServerKind kind)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        await connection.OpenAsync();
        await using var held = await Held.TakeAsync(kind);
        await using var slow = new MySqlCommand(held.Awaits, connection);
        await using var other = new MySqlCommand("SELECT 5", connection);
        var one = slow.ExecuteScalarAsync();
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => other.ExecuteScalarAsync());
        Assert.Contains("still running on this connection", error.Message);
        await held.ReleaseAsync();
        Assert.Equal(1, Convert.ToInt32(await one));
        Assert.Equal(5, Convert.ToInt32(await other.ExecuteScalarAsync()));
    }

    /// <summary>A lock that a command waits for until the test releases it, however busy the machine is.</summary>
    private sealed class Held(MySqlConnection holder, string name) : IAsyncDisposable
    {
        /// <summary>A query of one row, 1, that lasts until the release.</summary>
        public string Awaits => $"SELECT GET_LOCK('{name}', 60)";

        public static async Task<Held> TakeAsync(ServerKind kind)
        {
            var name = $"held_{Guid.NewGuid():N}";
            var holder = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
            await holder.OpenAsync();
            await using var take = new MySqlCommand($"SELECT GET_LOCK('{name}', 0)", holder);
            Assert.Equal(1, Convert.ToInt32(await take.ExecuteScalarAsync()));
            return new Held(holder, name);
        }

        public async Task ReleaseAsync()
        {
            await using var release = new MySqlCommand($"SELECT RELEASE_LOCK('{name}')", holder);
            Assert.Equal(1, Convert.ToInt32(await release.ExecuteScalarAsync()));
        }

        public ValueTask DisposeAsync() => holder.DisposeAsync();
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_command_waits_for_an_exchange_of_the_connection_that_was_started_before_it(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await using var select = new MySqlCommand("SELECT DATABASE()", connection);
        var change = connection.ChangeDatabaseAsync("information_schema");
        var (first, second) = (select.ExecuteScalarAsync(), select.ExecuteScalarAsync());
        await change;
        Assert.Equal("information_schema", (string?)await first, ignoreCase: true);
        Assert.Equal("information_schema", (string?)await second, ignoreCase: true);
        var ping = connection.PingAsync();
        first = select.ExecuteScalarAsync();
        Assert.True(await ping);
        Assert.Equal("information_schema", (string?)await first, ignoreCase: true);

        await using var transaction = await connection.BeginTransactionAsync();
        select.Transaction = transaction;
        var savepoint = transaction.SaveAsync("a");
        var scalar = select.ExecuteScalarAsync();
        var commit = transaction.CommitAsync();
        await savepoint;
        Assert.Equal("information_schema", (string?)await scalar, ignoreCase: true);
        await commit;
    }

    // The reset is sent where it was started: after the first command and before the second one.
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_reset_waits_for_its_turn(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await using var set = new MySqlCommand("SET SESSION lock_wait_timeout = 77", connection);
        await using var select = new MySqlCommand("SELECT @@SESSION.lock_wait_timeout", connection);
        await set.ExecuteNonQueryAsync();
        var before = select.ExecuteScalarAsync();
        var reset = connection.ResetConnectionAsync();
        var after = select.ExecuteScalarAsync();
        Assert.Equal(77, Convert.ToInt32(await before, CultureInfo.InvariantCulture));
        await reset;
        Assert.NotEqual(77, Convert.ToInt32(await after, CultureInfo.InvariantCulture));
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Allow Concurrent Commands=true;"));
        await connection.OpenAsync();
        return connection;
    }
}
