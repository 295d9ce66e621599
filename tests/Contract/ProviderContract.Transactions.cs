using System.Data;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    [Fact]
    public async Task A_transaction_that_was_disposed_or_lost_its_connection_says_so()
    {
        await using var connection = await Open();
        var disposed = await connection.BeginTransactionAsync();
        await Mode.Dispose(disposed);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => disposed.CommitAsync());
        Assert.Throws<ObjectDisposedException>(disposed.Rollback);
        var left = await connection.BeginTransactionAsync();
        await connection.CloseAsync();
        Assert.Throws<ObjectDisposedException>(left.Commit);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => left.RollbackAsync());
    }

    [Fact]
    public async Task Disposing_a_transaction_under_an_open_reader_rolls_back_and_does_not_hide_the_exception_on_its_way()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        var thrown = await Assert.ThrowsAsync<TimeZoneNotFoundException>(async () =>
        {
            var transaction = await Mode.Begin(connection);
            try
            {
                await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
                var command = Command(connection, "SELECT 1 UNION ALL SELECT 2");
                command.Transaction = transaction;
                var reader = await Mode.Reader(command);
                Assert.True(await Mode.Read(reader));
                throw new TimeZoneNotFoundException("the caller's own");
            }
            finally
            {
                if (Mode.IsAsync)
                    await transaction.DisposeAsync();
                else
                    transaction.Dispose();
            }
        });
        Assert.Equal("the caller's own", thrown.Message);
        await StillUsable(connection);
        Assert.Equal(0, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_disposed_transaction_says_so_whatever_is_asked_of_it()
    {
        await using var connection = await Open();
        var transaction = await Mode.Begin(connection);
        await transaction.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => Mode.Commit(transaction));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => Mode.Rollback(transaction));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => transaction.SaveAsync("a"));
        await transaction.DisposeAsync();
        transaction = await Mode.Begin(connection);
        await Mode.Commit(transaction);
        Assert.IsNotType<ObjectDisposedException>(await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Rollback(transaction)));
        await StillUsable(connection);
    }

    [Fact]
    public async Task What_is_committed_stays_and_what_is_rolled_back_goes()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        foreach (var (ending, expected) in new[] { ("commit", 1), ("rollback", 1), ("dispose", 1), ("commit", 2) })
        {
            var transaction = await Mode.Begin(connection);
            Assert.Same(connection, transaction.Connection);
            await using (var command = Command(connection, $"INSERT INTO {table} VALUES (1)"))
            {
                command.Transaction = transaction;
                Assert.Equal(1, await Mode.NonQuery(command));
            }

            switch (ending)
            {
                case "commit": await Mode.Commit(transaction); break;
                case "rollback": await Mode.Rollback(transaction); break;
            }

            await Mode.Dispose(transaction);
            Assert.Null(transaction.Connection);
            Assert.Equal(expected, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
        }
    }

    [Fact]
    public async Task Others_do_not_see_what_is_not_committed()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        await using var other = await Open();
        await using var transaction = await Mode.Begin(connection);
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
        Assert.Equal(0, await Number(other, $"SELECT COUNT(*) FROM {table}"));
        await Mode.Commit(transaction);
        Assert.Equal(1, await Number(other, $"SELECT COUNT(*) FROM {table}"));
    }

    [Theory]
    [InlineData(IsolationLevel.Unspecified)]
    [InlineData(IsolationLevel.ReadUncommitted)]
    [InlineData(IsolationLevel.ReadCommitted)]
    [InlineData(IsolationLevel.RepeatableRead)]
    [InlineData(IsolationLevel.Serializable)]
    [InlineData(IsolationLevel.Snapshot)]
    public async Task Every_isolation_level_can_be_asked_for(IsolationLevel level)
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        await using (var transaction = await Mode.Begin(connection, level))
        {
            if (level != IsolationLevel.Unspecified)
                Assert.Equal(level, transaction.IsolationLevel);
            await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
            await Mode.Rollback(transaction);
        }

        await using (var transaction = await Mode.Begin(connection, level))
        {
            await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
            await Mode.Commit(transaction);
        }

        Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task An_isolation_level_that_no_server_has_is_refused()
    {
        await using var connection = await Open();
        await Assert.ThrowsAnyAsync<Exception>(() => Mode.Begin(connection, IsolationLevel.Chaos));
        await StillUsable(connection);
        await using var transaction = await Mode.Begin(connection);
        await Mode.Rollback(transaction);
    }

    [Fact]
    public async Task A_transaction_ends_once()
    {
        await using var connection = await Open();
        var transaction = await Mode.Begin(connection);
        await ExecuteIn(transaction, "SELECT 1");
        await Mode.Commit(transaction);
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Commit(transaction));
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Rollback(transaction));
        await Mode.Dispose(transaction);
        await Mode.Dispose(transaction);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_transaction_that_nobody_used_can_be_ended_in_every_way()
    {
        await using var connection = await Open();
        await using (var transaction = await Mode.Begin(connection))
            await Mode.Commit(transaction);
        await using (var transaction = await Mode.Begin(connection))
            await Mode.Rollback(transaction);
        await using (await Mode.Begin(connection))
        {
        }

        await StillUsable(connection);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Pipelining=false")]
    public async Task An_unused_transaction_commits_what_came_before_it_as_START_TRANSACTION_does(string options)
    {
        await using var other = await Open();
        foreach (var begin in Server.BeginsCommittedByNext)
            foreach (var ending in new[] { "commit", "rollback", "dispose", "close" })
            {
                await using var table = await CreateTable("id int");
                await using var connection = await Open(Server.With("Maximum Pool Size=1;" + options));
                await Execute(connection, begin);
                await Execute(connection, $"INSERT INTO {table} VALUES (1)");
                Assert.Equal(0, await Number(other, $"SELECT COUNT(*) FROM {table}"));
                var transaction = await Mode.Begin(connection);
                Assert.Equal(1, await Number(other, $"SELECT COUNT(*) FROM {table}"));
                switch (ending)
                {
                    case "commit": await Mode.Commit(transaction); break;
                    case "rollback": await Mode.Rollback(transaction); break;
                    case "dispose": await Mode.Dispose(transaction); break;
                }

                await Mode.Close(connection);
                await Mode.Open(connection);
                Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
            }
    }

    [Theory]
    [InlineData("")]
    [InlineData("Pipelining=false")]
    public async Task Behind_one_begun_by_sql_a_transaction_is_refused_where_it_would_be_the_same(string options)
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open(Server.With(options));
        await Execute(connection, "START TRANSACTION");
        await Execute(connection, $"INSERT INTO {table} VALUES (1)");
        if (Server.BeginsCommittedByNext.Count == 0)
            await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Begin(connection));
        else
            await Mode.Dispose(await Mode.Begin(connection));
        await Execute(connection, "COMMIT");
        Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Pipelining=false")]
    public async Task A_canceled_token_keeps_a_transaction_from_being_ended_used_or_not(string options)
    {
        var canceled = new CancellationToken(canceled: true);
        foreach (var isUsed in new[] { false, true })
        {
            await using var connection = await Open(Server.With(options));
            await using var transaction = await Mode.Begin(connection);
            if (isUsed)
                await ExecuteIn(transaction, "SELECT 1");
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => transaction.CommitAsync(canceled));
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => transaction.RollbackAsync(canceled));
            Assert.Same(connection, transaction.Connection);
            await ExecuteIn(transaction, "SELECT 1");
            await Mode.Commit(transaction);
            await StillUsable(connection);
        }
    }

    [Fact]
    public async Task Transactions_do_not_nest()
    {
        await using var connection = await Open();
        await using var transaction = await Mode.Begin(connection);
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Begin(connection));
        await ExecuteIn(transaction, "SELECT 1");
        await Mode.Commit(transaction);
        await using var another = await Mode.Begin(connection);
        await Mode.Rollback(another);
    }

    [Fact]
    public async Task A_transaction_needs_an_open_connection()
    {
        await using var connection = Create();
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Begin(connection));
    }

    [Fact]
    public async Task A_transaction_of_another_connection_is_refused()
    {
        await using var one = await Open();
        await using var other = await Open();
        await using var transaction = await Mode.Begin(one);
        await using var command = Command(other, "SELECT 1");
        command.Transaction = transaction;
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Scalar(command));
        command.Transaction = null;
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(command)));
    }

    [Fact]
    public async Task Closing_the_connection_rolls_back()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        var transaction = await Mode.Begin(connection);
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
        await Mode.Close(connection);
        await Mode.Open(connection);
        Assert.Equal(0, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
        await Mode.Dispose(transaction);
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_transaction_begun_by_sql_does_not_survive_the_lease()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open(Server.With("Maximum Pool Size=1"));
        await Execute(connection, "START TRANSACTION");
        await Execute(connection, $"INSERT INTO {table} VALUES (1)");
        await Mode.Close(connection);
        await Mode.Open(connection);
        Assert.Equal(0, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task Savepoints_undo_a_part()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        await using var transaction = await Mode.Begin(connection);
        Assert.True(transaction.SupportsSavepoints);
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
        await Mode.Save(transaction, "a strange \" ` name");
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (2)");
        await Mode.Rollback(transaction, "a strange \" ` name");
        await Mode.Save(transaction, "another");
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (3)");
        await Mode.Release(transaction, "another");
        await Mode.Commit(transaction);
        Assert.Equal(4, await Number(connection, $"SELECT SUM(id) FROM {table}"));
        Assert.ThrowsAny<Exception>(() => transaction.Save("late"));
    }

    [Fact]
    public async Task The_first_command_of_a_transaction_may_fail()
    {
        await using var table = await CreateTable("id int PRIMARY KEY");
        await using var connection = await Open();
        await using (var transaction = await Mode.Begin(connection))
        {
            await Assert.ThrowsAnyAsync<System.Data.Common.DbException>(() => ExecuteIn(transaction, "SELECT no_such_column"));
            await Mode.Rollback(transaction);
        }

        await using (var transaction = await Mode.Begin(connection))
        {
            await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
            await Mode.Commit(transaction);
        }

        Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }

    private async Task ExecuteIn(System.Data.Common.DbTransaction transaction, string sql)
    {
        await using var command = Command(transaction.Connection!, sql);
        command.Transaction = transaction;
        await Mode.NonQuery(command);
    }
}
