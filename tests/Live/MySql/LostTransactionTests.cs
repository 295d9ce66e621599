using System.Data;
using System.Transactions;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>
/// On a deadlock, a server rolls back the victim's whole transaction. The connection must not continue as if the transaction were open: each later statement
/// would be committed on its own.
/// </summary>
public class LostTransactionTests
{
    private const int Deadlock = 1213;

    private static int _tables;

    public static TheoryData<ServerKind, bool> Ways =>
        new()
        {
            { ServerKind.MySql, false },
            { ServerKind.MySql, true },
            { ServerKind.MariaDb, false },
            { ServerKind.MariaDb, true },
            { ServerKind.MariaDb11, false },
            { ServerKind.MariaDb11, true }
        };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Nothing_more_runs_in_a_transaction_that_a_deadlock_has_ended(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(server);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Ignore Command Transaction=true;"));
        await mode.Open(connection);
        var transaction = (MySqlTransaction)await mode.Begin(connection);
        await BecomeVictimAsync(server, table, sql => Run(connection, mode, sql));

        var told = new List<MySqlException>
        {
            await Assert.ThrowsAsync<MySqlException>(() => Run(connection, mode, $"UPDATE {table} SET v = 9 WHERE id = 5")),
            await Assert.ThrowsAsync<MySqlException>(() => Batch($"UPDATE {table} SET v = 9 WHERE id = 5", $"UPDATE {table} SET v = 9 WHERE id = 6")),
            await Assert.ThrowsAsync<MySqlException>(() => mode.Scalar(new MySqlCommand("SELECT 1", connection))),
            await Assert.ThrowsAsync<MySqlException>(() => mode.Reader(new MySqlCommand("SELECT 1", connection))),
            await Assert.ThrowsAsync<MySqlException>(() => Copy()),
            await Assert.ThrowsAsync<MySqlException>(() => mode.Commit(transaction)),
        };
        if (asynchronous)
        {
            told.Add(await Assert.ThrowsAsync<MySqlException>(() => transaction.SaveAsync("here")));
        }
        else
        {
            told.Add(Assert.Throws<MySqlException>(() => transaction.Save("here")));
        }

        Assert.All(told, exception => Assert.Equal((Deadlock, "40001", true), (exception.Number, exception.SqlState, exception.IsTransient)));
        Assert.All(told, exception => Assert.Contains("rolled back the whole transaction", exception.Message, StringComparison.Ordinal));
        Assert.True(asynchronous ? await connection.PingAsync() : connection.Ping());
        Assert.Equal(ConnectionState.Open, connection.State);
        await mode.Rollback(transaction);
        Assert.Equal(0L, await SumAsync(server, table));

        // The connection is usable as before.
        await Run(connection, mode, $"UPDATE {table} SET v = 1 WHERE id = 5");
        await using (var next = await mode.Begin(connection))
        {
            await Run(connection, mode, $"UPDATE {table} SET v = 1 WHERE id = 6");
            await mode.Commit(next);
        }

        Assert.Equal(2L, await SumAsync(server, table));

        Task Batch(params string[] texts)
        {
            var batch = new MySqlBatch(connection);
            foreach (var text in texts)
                batch.BatchCommands.Add(new MySqlBatchCommand(text));
            return mode.NonQuery(batch);
        }

        async Task Copy()
        {
            var rows = new DataTable { Columns = { { "id", typeof(int) }, { "v", typeof(int) } }, Rows = { { 1000, 1 } } };
            var copy = new MySqlBulkCopy(connection) { DestinationTableName = table.ToString() };
            if (asynchronous)
                await copy.WriteToServerAsync(rows);
            else
                copy.WriteToServer(rows);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Disposing_a_lost_transaction_is_enough_and_so_is_closing_its_connection(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(server);
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Maximum Pool Size=1;Ignore Command Transaction=true;"));
        foreach (var disposes in new[] { true, false })
        {
            await using var connection = (MySqlConnection)await mode.Open(source);
            var transaction = await mode.Begin(connection);
            await BecomeVictimAsync(server, table, sql => Run(connection, mode, sql));
            if (disposes)
            {
                await transaction.DisposeAsync();
                await Run(connection, mode, $"UPDATE {table} SET v = v + 1 WHERE id = 5");
            }
        }

        await using (var connection = (MySqlConnection)await mode.Open(source))
            await Run(connection, mode, $"UPDATE {table} SET v = v + 1 WHERE id = 5");
        Assert.Equal(2L, await SumAsync(server, table));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_stands_behind_the_deadlock_in_a_batch_is_not_committed_by_itself(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(server);
        foreach (var errors in new[] { MySqlBatchErrors.Stop, MySqlBatchErrors.Continue })
        {
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Ignore Command Transaction=true;"));
            await mode.Open(connection);
            await using (await mode.Begin(connection))
                await BecomeVictimAsync(server, table, async sql =>
                {
                    await using var batch = new MySqlBatch(connection) { BatchErrors = errors };
                    batch.BatchCommands.Add(new MySqlBatchCommand(sql));
                    batch.BatchCommands.Add(new MySqlBatchCommand($"UPDATE {table} SET v = 9 WHERE id = 5"));
                    batch.BatchCommands.Add(new MySqlBatchCommand("SELECT 1"));
                    await mode.NonQuery(batch);
                });
            Assert.Equal(0L, await SumAsync(server, table));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task An_ambient_transaction_is_aborted_and_not_committed_by_half(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(server);
        foreach (var xa in new[] { false, true })
            foreach (var goesOn in new[] { true, false })
            {
                await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, $"Maximum Pool Size=1;Use XA Transactions={xa};"));
                var scope = new TransactionScope(
                    TransactionScopeOption.Required, new TransactionOptions { IsolationLevel = System.Transactions.IsolationLevel.ReadCommitted },
                    TransactionScopeAsyncFlowOption.Enabled);
                await using (var connection = (MySqlConnection)await mode.Open(source))
                {
                    await BecomeVictimAsync(server, table, sql => Run(connection, mode, sql));
                    if (goesOn)
                        await Assert.ThrowsAsync<TransactionAbortedException>(() => Run(connection, mode, $"UPDATE {table} SET v = 9 WHERE id = 5"));
                }

                // A program that ignores the error completes the scope.
                scope.Complete();
                Assert.Throws<TransactionAbortedException>(scope.Dispose);
                Assert.Equal(0L, await SumAsync(server, table));
                await using var next = (MySqlConnection)await mode.Open(source);
                await Run(next, mode, "SELECT 1");
            }
    }

    [Fact]
    public async Task A_row_that_changed_since_the_snapshot_ends_the_transaction_on_MariaDB()
    {
        var server = await LiveServers.GetAsync(ServerKind.MariaDb11);
        await using var table = await Table.CreateAsync(server);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Ignore Command Transaction=true;"));
        await connection.OpenAsync();
        await using (var transaction = await connection.BeginTransactionAsync())
        {
            await Run(connection, Mode.Async, $"UPDATE {table} SET v = 9 WHERE id = 5");
            await Run(connection, Mode.Async, $"SELECT * FROM {table}");
            await using (var other = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;")))
            {
                await other.OpenAsync();
                await Run(other, Mode.Async, $"UPDATE {table} SET v = 1 WHERE id = 6");
            }

            Assert.Equal(1020, (await Assert.ThrowsAsync<MySqlException>(() => Run(connection, Mode.Async, $"UPDATE {table} SET v = 2 WHERE id = 6"))).Number);
            Assert.Equal(1020, (await Assert.ThrowsAsync<MySqlException>(() => Run(connection, Mode.Async, $"UPDATE {table} SET v = 2 WHERE id = 7"))).Number);
        }

        Assert.Equal(1L, await SumAsync(server, table));
    }

    /// <summary>An error that rolls back only its statement leaves the transaction open.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Any_other_error_leaves_the_transaction_open(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var table = await Table.CreateAsync(server);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Ignore Command Transaction=true;"));
        await mode.Open(connection);
        await using var locking = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Ignore Command Transaction=true;"));
        await mode.Open(locking);
        await using var lockingTransaction = await mode.Begin(locking);
        await Run(locking, mode, $"UPDATE {table} SET v = 5 WHERE id = 2");
        await using var transaction = await mode.Begin(connection);
        await Run(connection, mode, "SET innodb_lock_wait_timeout = 1");
        await Run(connection, mode, $"UPDATE {table} SET v = 1 WHERE id = 5");
        foreach (var (sql, number) in new[]
        {
            ($"INSERT INTO {table} VALUES (5, 5)", 1062),
            ("SELECT nonsense", 1054),
            ($"UPDATE {table} SET v = 1 WHERE id = 2", 1205)
        })
            Assert.Equal(number, (await Assert.ThrowsAsync<MySqlException>(() => Run(connection, mode, sql))).Number);
        await Run(connection, mode, $"UPDATE {table} SET v = 1 WHERE id = 6");
        await mode.Commit(transaction);
        await mode.Rollback(lockingTransaction);
        Assert.Equal(2L, await SumAsync(server, table));
    }

    // The server rolls back the transaction that has changed fewer rows: that is the caller's, whichever of the two waits first.
    private static async Task BecomeVictimAsync(LabServer server, Table table, Func<string, Task> run)
    {
        await run($"UPDATE {table} SET v = 9 WHERE id = 1");
        await using var other = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;"));
        using (new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled))
            await other.OpenAsync();
        await using var transaction = await other.BeginTransactionAsync();
        await using (var command = new MySqlCommand($"UPDATE {table} SET v = 9 WHERE id BETWEEN 100 AND 200", other, transaction))
            await command.ExecuteNonQueryAsync();
        await using var crossing = new MySqlCommand($"UPDATE {table} SET v = 9 WHERE id = 1", other, transaction);
        var crossed = crossing.ExecuteNonQueryAsync();
        Assert.Equal(Deadlock, (await Assert.ThrowsAsync<MySqlException>(() => run($"UPDATE {table} SET v = 9 WHERE id = 150"))).Number);
        await crossed;
        await transaction.RollbackAsync();
    }

    private static async Task<long> SumAsync(LabServer server, Table table)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;"));
        await connection.OpenAsync();
        await using var command = new MySqlCommand($"SELECT CAST(SUM(v) AS SIGNED) FROM {table}", connection);
        return (long)(await command.ExecuteScalarAsync())!;
    }

    private static async Task Run(MySqlConnection connection, Mode mode, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await mode.NonQuery(command);
    }

    private sealed class Table(LabServer server, string name) : IAsyncDisposable
    {
        public static async Task<Table> CreateAsync(LabServer server)
        {
            var name = $"lost_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";
            await RunAsync(
                server,
                $"CREATE TABLE {name} (id INT PRIMARY KEY, v INT NOT NULL);INSERT INTO {name} VALUES "
                    + $"{string.Join(',', Enumerable.Range(1, 200).Select(i => $"({i},0)"))}");
            return new(server, name);
        }

        public override string ToString() => name;

        public async ValueTask DisposeAsync() => await RunAsync(server, $"DROP TABLE {name}");

        private static async Task RunAsync(LabServer server, string sql)
        {
            await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;"));
            await connection.OpenAsync();
            await Run(connection, Mode.Async, sql);
        }
    }
}
