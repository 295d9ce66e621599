using System.Data;
using System.Data.Common;
using System.Transactions;
using IsolationLevel = System.Transactions.IsolationLevel;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    [Fact]
    public async Task A_completed_scope_commits_and_another_rolls_back()
    {
        await using var table = await CreateTable("id int");
        foreach (var (completes, expected) in new[] { (true, 1), (false, 1), (true, 2) })
        {
            using (var scope = Scope())
            {
                await using var connection = await Open();
                Assert.Equal(1, await Execute(connection, $"INSERT INTO {table} VALUES (1)"));
                await Mode.Close(connection);
                if (completes)
                    scope.Complete();
            }

            Assert.Equal(expected, await Outside($"SELECT COUNT(*) FROM {table}"));
        }
    }

    [Fact]
    public async Task A_connection_that_is_opened_again_in_a_scope_goes_on_with_the_same_session()
    {
        var text = Server.With("Application Name=same-session;Maximum Pool Size=1");
        await using var table = await CreateTable("id int");
        long session;
        using (var scope = Scope())
        {
            await using var connection = await Open(text);
            session = await Number(connection, Server.SessionId);
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            await Mode.Close(connection);
            Assert.Equal(ConnectionState.Closed, connection.State);
            await Mode.Open(connection);
            Assert.Equal(session, await Number(connection, Server.SessionId));
            await Mode.Close(connection);

            await using var another = await Open(text);
            Assert.Equal(session, await Number(another, Server.SessionId));
            Assert.Equal(1, await Number(another, $"SELECT COUNT(*) FROM {table}"));
            Assert.Equal(0, await Outside($"SELECT COUNT(*) FROM {table}"));
            await Mode.Close(another);
            scope.Complete();
        }

        // The session is back in the pool, whose size is one, and no longer takes part in the transaction.
        await using var later = await Open(text);
        Assert.Equal(session, await Number(later, Server.SessionId));
        Assert.Equal(1, await Number(later, $"SELECT COUNT(*) FROM {table}"));
        await Execute(later, $"INSERT INTO {table} VALUES (2)");
        Assert.Equal(2, await Outside($"SELECT COUNT(*) FROM {table}"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_connection_that_outlives_its_scope_goes_on_without_a_transaction(bool completes)
    {
        await using var table = await CreateTable("id int");
        await using var connection = Create();
        using (var scope = Scope())
        {
            await Mode.Open(connection);
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            if (completes)
                scope.Complete();
        }

        var kept = completes ? 1 : 0;
        Assert.Equal(kept, await Outside($"SELECT COUNT(*) FROM {table}"));
        await Execute(connection, $"INSERT INTO {table} VALUES (2)");
        Assert.Equal(kept + 1, await Outside($"SELECT COUNT(*) FROM {table}"));
        await StillUsable(connection);
        await using var transaction = await Mode.Begin(connection);
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (3)");
        await Mode.Rollback(transaction);
        Assert.Equal(kept + 1, await Outside($"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task Scopes_nest_as_their_options_say()
    {
        await using var table = await CreateTable("id int");
        using (var outer = Scope())
        {
            using (var suppressed = Scope(TransactionScopeOption.Suppress))
            {
                await InsertOnItsOwn(1);
                suppressed.Complete();
            }

            using (var independent = Scope(TransactionScopeOption.RequiresNew))
            {
                await InsertOnItsOwn(2);
                independent.Complete();
            }

            using (Scope(TransactionScopeOption.RequiresNew))
                await InsertOnItsOwn(4);

            using (var joined = Scope())
            {
                await InsertOnItsOwn(8);
                joined.Complete();
            }

            await InsertOnItsOwn(16);
            Assert.Equal(3, await Outside($"SELECT SUM(id) FROM {table}"));
            outer.Complete();
        }

        Assert.Equal(27, await Outside($"SELECT SUM(id) FROM {table}"));
        Assert.Throws<TransactionAbortedException>(() =>
        {
            using var outer = Scope();
            using (Scope())
            {
                // The inner scope is not completed, so the outer one cannot be completed either.
            }

            outer.Complete();
        });

        async Task InsertOnItsOwn(int id)
        {
            await using var connection = await Open();
            await Execute(connection, $"INSERT INTO {table} VALUES ({id})");
        }
    }

    [Fact]
    public async Task A_transaction_can_be_joined_by_hand()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        foreach (var (commits, expected) in new[] { (true, 1), (false, 1), (true, 2) })
        {
            using var transaction = new CommittableTransaction();
            connection.EnlistTransaction(transaction);
            connection.EnlistTransaction(transaction);
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(null));
            using (var other = new CommittableTransaction())
                Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(other));
            await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Begin(connection));
            if (commits)
                transaction.Commit();
            else
                transaction.Rollback();
            Assert.Equal(expected, await Outside($"SELECT COUNT(*) FROM {table}"));
            await StillUsable(connection);
            connection.EnlistTransaction(null);
        }
    }

    [Fact]
    public async Task Who_has_a_transaction_or_is_closed_cannot_join_another()
    {
        await using var connection = await Open();
        using var transaction = new CommittableTransaction();
        await using (var own = await Mode.Begin(connection))
        {
            Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(transaction));
            await Mode.Rollback(own);
        }

        await Execute(connection, "START TRANSACTION");
        Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(transaction));
        await Execute(connection, "ROLLBACK");
        await using (var command = Command(connection, "SELECT 1"))
        await using (await Mode.Reader(command))
            Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(transaction));
        await Mode.Close(connection);
        Assert.Throws<InvalidOperationException>(() => connection.EnlistTransaction(transaction));
    }

    [Fact]
    public async Task A_scope_that_nobody_uses_and_one_without_commands_end_well()
    {
        for (var i = 0; i < 3; i++)
        {
            using var scope = Scope();
            await using (var connection = await Open())
                Assert.Equal(ConnectionState.Open, connection.State);
            if (i > 0)
                scope.Complete();
        }

        await using var later = await Open();
        await StillUsable(later);
    }

    [Fact]
    public async Task Joining_can_be_switched_off()
    {
        await using var table = await CreateTable("id int");
        using (Scope())
        {
            await using var connection = await Open(Server.With(Server.EnlistOption + "=false"));
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
        }

        Assert.Equal(1, await Outside($"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_scope_can_be_completed_by_another_thread_and_waits_for_its_dependents()
    {
        await using var table = await CreateTable("id int");
        using (var scope = Scope())
        {
            await using var connection = await Open();
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            await Mode.Close(connection);
            var dependent = Transaction.Current!.DependentClone(DependentCloneOption.BlockCommitUntilComplete);
            _ = Task.Run(async () =>
            {
                using (dependent)
                {
                    using (var inner = new TransactionScope(dependent, TransactionScopeAsyncFlowOption.Enabled))
                    {
                        await using var another = await Open();
                        await Execute(another, $"INSERT INTO {table} VALUES (2)");
                        inner.Complete();
                    }

                    dependent.Complete();
                }
            });
            scope.Complete();
        }

        Assert.Equal(3, await Outside($"SELECT SUM(id) FROM {table}"));

        var transaction = new CommittableTransaction();
        await using var joined = await Open();
        joined.EnlistTransaction(transaction);
        await Execute(joined, $"INSERT INTO {table} VALUES (4)");
        await Task.Run(transaction.Commit);
        transaction.Dispose();
        Assert.Equal(7, await Outside($"SELECT SUM(id) FROM {table}"));
        await StillUsable(joined);
    }

    [Fact]
    public async Task A_transaction_can_be_committed_without_blocking()
    {
        await using var table = await CreateTable("id int");
        using var transaction = new CommittableTransaction();
        await using var connection = await Open();
        connection.EnlistTransaction(transaction);
        await Execute(connection, $"INSERT INTO {table} VALUES (1)");
        await Task.Factory.FromAsync(transaction.BeginCommit, transaction.EndCommit, null);
        Assert.Equal(1, await Outside($"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task An_open_reader_keeps_a_scope_from_being_completed()
    {
        await using var table = await CreateTable("id int");
        await using var connection = Create();
        await using var command = connection.CreateCommand();
        DbDataReader? reader = null;
        await Assert.ThrowsAsync<TransactionAbortedException>(async () =>
        {
            using var scope = Scope();
            await Mode.Open(connection);
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            command.CommandText = ThousandRows.Replace("SELECT number FROM", "SELECT a.number, REPEAT('x', 100) FROM numbers a CROSS JOIN");
            reader = await Mode.Reader(command);
            Assert.True(await Mode.Read(reader));
            scope.Complete();
        });
        try
        {
            await Mode.Dispose(reader!);
        }
        catch (Exception exception) when (exception is DbException or TransactionAbortedException)
        {
            // The reader belonged to a session that was closed.
        }

        await Mode.Close(connection);
        Assert.Equal(0, await Outside($"SELECT COUNT(*) FROM {table}"));
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Fact]
    public async Task Nothing_runs_outside_a_scope_that_was_rolled_back_meanwhile()
    {
        await using var table = await CreateTable("id int");
        await using var connection = Create();
        using (Scope())
        {
            await Mode.Open(connection);
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            Transaction.Current!.Rollback();
            await Assert.ThrowsAsync<TransactionAbortedException>(() => Execute(connection, $"INSERT INTO {table} VALUES (2)"));
            await using var another = Create();
            await Assert.ThrowsAnyAsync<TransactionException>(() => Mode.Open(another));
            Assert.Equal(ConnectionState.Closed, another.State);
        }

        Assert.Equal(0, await Outside($"SELECT COUNT(*) FROM {table}"));
        await Execute(connection, $"INSERT INTO {table} VALUES (3)");
        Assert.Equal(1, await Outside($"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_scope_whose_time_is_over_stops_its_command()
    {
        await using var table = await CreateTable("id int");
        await using var connection = Create();
        var error = await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            using var scope = new TransactionScope(TransactionScopeOption.Required, TimeSpan.FromSeconds(2), TransactionScopeAsyncFlowOption.Enabled);
            await Mode.Open(connection);
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            await using var command = Command(connection, Server.TenSeconds);
            await Assert.ThrowsAsync<TransactionAbortedException>(() => Mode.Scalar(command).WaitAsync(Soon));
            scope.Complete();
        });
        Assert.IsType<TransactionAbortedException>(error);
        Assert.Equal(ConnectionState.Closed, connection.State);
        Assert.Equal(0, await Outside($"SELECT COUNT(*) FROM {table}"));
        await Mode.Open(connection);
        await StillUsable(connection);
    }

    [Fact]
    public async Task What_fails_in_a_scope_leaves_it_to_its_owner()
    {
        await using var table = await CreateTable("id int PRIMARY KEY");
        using (Scope())
        {
            await using var connection = await Open();
            await Assert.ThrowsAnyAsync<DbException>(() => Execute(connection, "SELECT no_such_column"));
        }

        using (Scope())
        {
            await using var connection = await Open();
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            await Assert.ThrowsAnyAsync<DbException>(() => Execute(connection, $"INSERT INTO {table} VALUES (1)"));
        }

        Assert.Equal(0, await Outside($"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_session_that_is_lost_takes_its_scope_with_it()
    {
        await using var table = await CreateTable("id int");
        await using var killer = await Open(Server.With(Server.EnlistOption + "=false"));
        var error = await Assert.ThrowsAsync<TransactionAbortedException>(async () =>
        {
            using var scope = Scope();
            await using (var connection = await Open())
            {
                await Execute(connection, $"INSERT INTO {table} VALUES (1)");
                await Execute(
                    killer, string.Format(System.Globalization.CultureInfo.InvariantCulture, Server.KillSession, await Number(connection, Server.SessionId)));
                await Assert.ThrowsAnyAsync<DbException>(() => Execute(connection, $"INSERT INTO {table} VALUES (2)"));
                Assert.Equal(ConnectionState.Closed, connection.State);
                await Assert.ThrowsAsync<TransactionAbortedException>(() => Mode.Open(connection));
            }

            scope.Complete();
        });
        Assert.NotNull(error.InnerException);
        Assert.Equal(0, await Outside($"SELECT COUNT(*) FROM {table}"));
    }

    [Theory]
    [InlineData(IsolationLevel.ReadUncommitted)]
    [InlineData(IsolationLevel.ReadCommitted)]
    [InlineData(IsolationLevel.RepeatableRead)]
    [InlineData(IsolationLevel.Serializable)]
    [InlineData(IsolationLevel.Snapshot)]
    [InlineData(IsolationLevel.Unspecified)]
    public async Task A_scope_has_the_isolation_level_that_it_asks_for(IsolationLevel level)
    {
        await using var table = await CreateTable("id int");
        using (var scope = Scope(level: level))
        {
            await using var connection = await Open();
            await Execute(connection, $"INSERT INTO {table} VALUES (1)");
            var expected = level == IsolationLevel.Snapshot ? "REPEATABLE READ" : Words(level.ToString());
            string? name = null;
            // InnoDB caches its list of transactions for a moment. If it was read just before,
            // it may lack this transaction, or still contain an earlier one of the same session.
            for (var i = 0; i < 50 && (name is null || (level != IsolationLevel.Unspecified && name != expected)); i++)
            {
                if (i > 0)
                    await Task.Delay(Random.Shared.Next(105, 300));
                name = (await Scalar(connection, Server.IsolationOfTransaction))?.ToString()?.ToUpperInvariant();
            }

            if (level != IsolationLevel.Unspecified)
                Assert.Equal(expected, name);
            scope.Complete();
        }

        using (Scope(level: IsolationLevel.Chaos))
        {
            await using var connection = Create();
            await Assert.ThrowsAsync<NotSupportedException>(() => Mode.Open(connection));
        }

        static string Words(string name) => string.Concat(name.Select((c, i) => i > 0 && char.IsUpper(c) ? " " + c : char.ToUpperInvariant(c).ToString()));
    }

    [Fact]
    public async Task Batches_bulk_copies_and_commands_of_the_source_take_part()
    {
        await using var table = await CreateTable("id int");
        for (var i = 0; i < 2; i++)
        {
            using var scope = Scope();
            await using (var connection = await Open())
            {
                Assert.Equal(
                    2,
                    await Server.Bulk(new() { Table = table.ToString() })
                        .Write(Mode, connection, Enumerable.Range(10, 2), static (row, item) => row.Write(item)));
                await using var batch = connection.CreateBatch();
                foreach (var id in new[] { 1, 2 })
                {
                    var command = batch.CreateBatchCommand();
                    command.CommandText = $"INSERT INTO {table} VALUES ({id})";
                    batch.BatchCommands.Add(command);
                }

                await Mode.NonQuery(batch);
            }

            if (i == 1)
                scope.Complete();
        }

        Assert.Equal(24, await Outside($"SELECT SUM(id) FROM {table}"));
    }

    private static TransactionScope Scope(
        TransactionScopeOption option = TransactionScopeOption.Required, IsolationLevel level = IsolationLevel.ReadCommitted) =>
        new(option, new TransactionOptions { IsolationLevel = level }, TransactionScopeAsyncFlowOption.Enabled);

    // The view of other sessions: a connection outside the transaction.
    private async Task<long> Outside(string sql)
    {
        using var none = new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled);
        await using var connection = await Open(Server.With(Server.EnlistOption + "=false"));
        return await Number(connection, sql);
    }
}
