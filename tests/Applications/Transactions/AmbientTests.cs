using System.Data.Common;
using System.Globalization;
using System.Transactions;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.WithTransactions;

/// <summary>Typical uses of ambient transactions, on every server: across awaits and threads, with other participants, in time and too late.</summary>
public sealed class AmbientTests
{
    private static int _tables;

    public static TheoryData<ServerKind> Servers =>
        [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.PostgreSql, ServerKind.PostgreSql18];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Money_is_neither_made_nor_lost_by_many_scopes_at_once(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind, accounts: 6);
        var completed = 0;
        await Task.WhenAll(Enumerable.Range(0, 8).Select(worker => Task.Run(async () =>
        {
            var random = new Random(worker);
            for (var i = 0; i < 12; i++)
            {
                var (from, to) = (random.Next(6), random.Next(6));
                using var scope = Scope();
                // In the order of the keys, so that no transaction waits for one that waits for it.
                await Add(Math.Min(from, to), from < to ? -5 : 5);
                await Task.Yield();
                await Add(Math.Max(from, to), from < to ? 5 : -5);
                if (random.Next(3) == 0)
                    continue;
                scope.Complete();
                Interlocked.Increment(ref completed);
            }
        })));
        Assert.InRange(completed, 1, 95);
        Assert.Equal(600, await bank.Number($"SELECT SUM(balance) FROM {bank.Table}"));
        Assert.Equal(0, bank.Busy);

        async Task Add(int account, int amount)
        {
            await using var connection = await bank.Source.OpenConnectionAsync().ConfigureAwait(false);
            await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = balance + ({amount}) WHERE id = {account}").ConfigureAwait(false);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Another_participant_can_refuse_what_the_server_would_commit(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind);
        foreach (var agrees in new[] { false, true })
        {
            var other = new Participant(agrees);
            var run = async () =>
            {
                using var scope = Scope();
                Transaction.Current!.EnlistVolatile(other, EnlistmentOptions.None);
                await using (var connection = await bank.Source.OpenConnectionAsync())
                    await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = 7 WHERE id = 0");
                scope.Complete();
            };
            if (agrees)
                await run();
            else
                await Assert.ThrowsAsync<TransactionAbortedException>(run);
            Assert.Equal(agrees ? 7 : 100, await bank.Number($"SELECT balance FROM {bank.Table} WHERE id = 0"));
            Assert.Equal(agrees ? "prepared, committed" : "prepared", string.Join(", ", other.Heard));
            Assert.Equal(0, bank.Busy);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_end_is_told_when_the_server_has_ended_it(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind);
        foreach (var completes in new[] { true, false })
        {
            TransactionStatus? told = null;
            using (var scope = Scope())
            {
                Transaction.Current!.TransactionCompleted += (_, e) => told = e.Transaction!.TransactionInformation.Status;
                await using var connection = await bank.Source.OpenConnectionAsync();
                await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = balance + 1 WHERE id = 1");
                if (completes)
                    scope.Complete();
            }

            Assert.Equal(completes ? TransactionStatus.Committed : TransactionStatus.Aborted, told);
            Assert.Equal(101, await bank.Number($"SELECT balance FROM {bank.Table} WHERE id = 1"));
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_scope_whose_time_passed_between_two_commands_commits_nothing(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind);
        await Assert.ThrowsAsync<TransactionAbortedException>(async () =>
        {
            using var scope = new TransactionScope(
                TransactionScopeOption.Required,
                new TransactionOptions { IsolationLevel = IsolationLevel.ReadCommitted, Timeout = TimeSpan.FromMilliseconds(300) },
                TransactionScopeAsyncFlowOption.Enabled);
            var aborted = new TaskCompletionSource();
            Transaction.Current!.TransactionCompleted += (_, _) => aborted.SetResult();
            await using var connection = await bank.Source.OpenConnectionAsync();
            await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = 0");
            await aborted.Task.WaitAsync(TimeSpan.FromSeconds(20));
            scope.Complete();
        });
        Assert.Equal(200, await bank.Number($"SELECT SUM(balance) FROM {bank.Table}"));
        Assert.Equal(0, bank.Busy);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_transaction_flows_with_the_code_and_only_where_it_may(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind);
        using (var scope = Scope())
        {
            await Deep(3);
            // A thread that was started inside also sees it; one that was started without the flow does not.
            await Task.Run(() => Deep(1));
            Task<long> outside;
            using (ExecutionContext.SuppressFlow())
                outside = Task.Run(async () =>
                {
                    Assert.Null(Transaction.Current);
                    return await bank.Number($"SELECT SUM(balance) FROM {bank.Table}");
                });
            Assert.Equal(200, await outside);
            scope.Complete();
        }

        Assert.Null(Transaction.Current);
        Assert.Equal(206, await bank.Number($"SELECT SUM(balance) FROM {bank.Table}"));

        async Task Deep(int levels)
        {
            await Task.Yield();
            await using (var connection = await bank.Source.OpenConnectionAsync().ConfigureAwait(false))
                await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = balance + 1 WHERE id = 0").ConfigureAwait(false);
            if (levels > 0)
                await Deep(levels - 1).ConfigureAwait(false);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task An_inner_scope_of_another_level_is_refused_and_an_incomplete_one_takes_the_outer_with_it(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind);
        using (var outer = Scope())
        {
            await using var connection = await bank.Source.OpenConnectionAsync();
            await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = 1 WHERE id = 0");
            Assert.Throws<ArgumentException>(
                () =>
                    new TransactionScope(
                        TransactionScopeOption.Required, new TransactionOptions { IsolationLevel = IsolationLevel.Serializable },
                        TransactionScopeAsyncFlowOption.Enabled));
            await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = 2 WHERE id = 0");
            outer.Complete();
        }

        Assert.Equal(2, await bank.Number($"SELECT balance FROM {bank.Table} WHERE id = 0"));
        await Assert.ThrowsAsync<TransactionAbortedException>(async () =>
        {
            using var outer = Scope();
            using (Scope())
            {
                await using var connection = await bank.Source.OpenConnectionAsync();
                await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = 3 WHERE id = 0");
            }

            outer.Complete();
        });
        Assert.Equal(2, await bank.Number($"SELECT balance FROM {bank.Table} WHERE id = 0"));
        Assert.Equal(0, bank.Busy);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task One_transaction_can_be_carried_by_hand_to_many_connections_one_after_the_other(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind);
        foreach (var commits in new[] { false, true })
        {
            using var transaction = new CommittableTransaction(new TransactionOptions { IsolationLevel = IsolationLevel.ReadCommitted });
            for (var i = 0; i < 5; i++)
            {
                await using var connection = await bank.Source.OpenConnectionAsync();
                connection.EnlistTransaction(transaction);
                connection.EnlistTransaction(transaction);
                await Bank.Execute(connection, $"UPDATE {bank.Table} SET balance = balance + 1 WHERE id = 1");
                // The next connection of the transaction sees what the transaction did before; other connections do not.
                Assert.Equal(101 + i, await Bank.Number(connection, $"SELECT balance FROM {bank.Table} WHERE id = 1"));
            }

            if (commits)
                transaction.Commit();
            else
                transaction.Rollback();
            Assert.Equal(commits ? 105 : 100, await bank.Number($"SELECT balance FROM {bank.Table} WHERE id = 1"));
        }

        Assert.Equal(0, bank.Busy);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.MariaDb11)]
    public async Task An_adapter_s_changes_belong_to_the_scope(ServerKind kind)
    {
        await using var bank = await Bank.CreateAsync(kind);
        foreach (var completes in new[] { false, true })
        {
            using var data = new System.Data.DataTable();
            using (var scope = Scope())
            {
                using var connection = ((MySqlDataSource)bank.Source).CreateConnection();
                using var adapter = new MySqlDataAdapter($"SELECT id, balance FROM {bank.Table} ORDER BY id", connection);
                using var builder = new MySqlCommandBuilder(adapter);
                Assert.Equal(2, adapter.Fill(data));
                data.Rows[0]["balance"] = 55;
                data.Rows[1].Delete();
                Assert.Equal(2, adapter.Update(data));
                if (completes)
                    scope.Complete();
            }

            Assert.Equal(completes ? 55 : 200, await bank.Number($"SELECT SUM(balance) FROM {bank.Table}"));
        }
    }

    private static TransactionScope Scope() =>
        new(TransactionScopeOption.Required, new TransactionOptions { IsolationLevel = IsolationLevel.ReadCommitted }, TransactionScopeAsyncFlowOption.Enabled);

    private sealed class Participant(bool agrees) : IEnlistmentNotification
    {
        public List<string> Heard { get; } = [];

        public void Prepare(PreparingEnlistment preparingEnlistment)
        {
            Heard.Add("prepared");
            if (agrees)
                preparingEnlistment.Prepared();
            else
                preparingEnlistment.ForceRollback();
        }

        public void Commit(Enlistment enlistment)
        {
            Heard.Add("committed");
            enlistment.Done();
        }

        public void Rollback(Enlistment enlistment)
        {
            Heard.Add("rolled back");
            enlistment.Done();
        }

        public void InDoubt(Enlistment enlistment) => enlistment.Done();
    }

    /// <summary>Accounts with a balance of one hundred each, and a data source without other users.</summary>
    private sealed class Bank(DbDataSource source) : IAsyncDisposable
    {
        public DbDataSource Source => source;

        public string Table { get; } = $"bank_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";

        public int Busy => source is MySqlDataSource mySql ? mySql.Statistics.Busy : ((PgDataSource)source).Statistics.Busy;

        public static async Task<Bank> CreateAsync(ServerKind kind, int accounts = 2)
        {
            var text = ConnectionStrings.Of(await LiveServers.GetAsync(kind));
            var bank = new Bank(kind.IsPostgreSql() ? PgDataSource.Create(text) : new MySqlDataSource(text));
            await using var connection = await bank.Source.OpenConnectionAsync();
            await Execute(connection, $"CREATE TABLE {bank.Table} (id int PRIMARY KEY, balance int NOT NULL)");
            await Execute(
                connection, $"INSERT INTO {bank.Table} VALUES {string.Join(", ", Enumerable.Range(0, accounts).Select(static id => $"({id}, 100)"))}");
            return bank;
        }

        public static async Task Execute(DbConnection connection, string sql)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            await command.ExecuteNonQueryAsync().ConfigureAwait(false);
        }

        public static async Task<long> Number(DbConnection connection, string sql)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            return Convert.ToInt64(await command.ExecuteScalarAsync().ConfigureAwait(false), CultureInfo.InvariantCulture);
        }

        public async Task<long> Number(string sql)
        {
            await using var connection = await source.OpenConnectionAsync();
            return await Number(connection, sql);
        }

        public async ValueTask DisposeAsync()
        {
            await using (var connection = await source.OpenConnectionAsync())
                await Execute(connection, $"DROP TABLE {Table}");
            await source.DisposeAsync();
        }
    }
}
