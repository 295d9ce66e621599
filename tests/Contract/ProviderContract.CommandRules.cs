using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

// The rules in the documentation of DbCommand, DbTransaction, DbBatch and DbException.
public abstract partial class ProviderContract
{
    [Fact]
    public void A_command_s_properties_keep_what_they_are_given()
    {
        using var connection = Server.Factory.CreateConnection()!;
        using var command = connection.CreateCommand();
        (command.CommandText, command.CommandTimeout, command.CommandType, command.UpdatedRowSource) =
            ("SELECT 1", 7, CommandType.StoredProcedure, UpdateRowSource.FirstReturnedRecord);
        Assert.Equal(
            ("SELECT 1", 7, CommandType.StoredProcedure, UpdateRowSource.FirstReturnedRecord),
            (command.CommandText, command.CommandTimeout, command.CommandType, command.UpdatedRowSource));
        command.CommandType = CommandType.Text;
        command.Connection = null;
        Assert.Null(command.Connection);
        command.DesignTimeVisible = !command.DesignTimeVisible;
        Assert.ThrowsAny<ArgumentException>(() => command.CommandType = 0);
        Assert.Equal(CommandType.Text, command.CommandType);
        Assert.ThrowsAny<ArgumentException>(() => command.CommandTimeout = -1);
        Assert.Equal(7, command.CommandTimeout);
        Assert.Throws<ArgumentOutOfRangeException>(() => command.UpdatedRowSource = (UpdateRowSource)4);
        Assert.Equal(UpdateRowSource.FirstReturnedRecord, command.UpdatedRowSource);
    }

    [Fact]
    public void A_parameter_that_a_command_creates_is_not_added_to_it()
    {
        using var command = Server.Factory.CreateCommand()!;
        var first = command.CreateParameter();
        Assert.NotSame(first, command.CreateParameter());
        Assert.Empty(command.Parameters);
        Assert.IsType(Server.Factory.CreateParameter()!.GetType(), ((IDbCommand)command).CreateParameter());
        Assert.Same(command.Parameters, ((IDbCommand)command).Parameters);
    }

    [Fact]
    public void Cancelling_a_command_that_has_nothing_to_cancel_is_harmless()
    {
        using var command = Server.Factory.CreateCommand()!;
        command.Cancel();
        using var connection = Create();
        command.Connection = connection;
        command.Cancel();
        connection.Open();
        command.Cancel();
        command.CommandText = "SELECT 1";
        Assert.Equal(1, Convert.ToInt32(command.ExecuteScalar()));
        command.Cancel();
        Assert.Equal(1, Convert.ToInt32(command.ExecuteScalar()));
    }

    [Fact]
    public async Task A_command_whose_reader_is_open_keeps_its_text_and_its_connection()
    {
        await using var connection = await Open();
        await using var other = await Open();
        await using var command = Command(connection, "SELECT 1 UNION ALL SELECT 2");
        await using (var reader = await Mode.Reader(command))
        {
            Assert.True(await Mode.Read(reader));
            Assert.Throws<InvalidOperationException>(() => command.Connection = other);
            Assert.Throws<InvalidOperationException>(() => command.Connection = null);
            Assert.Throws<InvalidOperationException>(() => command.CommandText = "SELECT 3");
            Assert.Same(connection, command.Connection);
            Assert.True(await Mode.Read(reader));
        }

        command.Connection = other;
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(command)));
    }

    [Fact]
    public async Task A_reader_outlives_its_disposed_command()
    {
        await using var connection = await Open();
        var command = Command(connection, ThousandRows);
        await using (var reader = await Mode.Reader(command))
        {
            command.Dispose();
            for (var i = 0; i < 1000; i++)
                Assert.True(await Mode.Read(reader));
            Assert.False(await Mode.Read(reader));
        }

        await Assert.ThrowsAsync<ObjectDisposedException>(() => Mode.Reader(command));
        await StillUsable(connection);
    }

    [Fact]
    public async Task Preparing_needs_what_executing_needs()
    {
        await using var connection = await Open();
        await using var command = connection.CreateCommand();
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Prepare(command));
        command.CommandText = "SELECT 3";
        await Mode.Prepare(command);
        await Mode.Prepare(command);
        Assert.Equal(3, Convert.ToInt32(await Mode.Scalar(command)));
        command.CommandText = "SELECT 4";
        Assert.Equal(4, Convert.ToInt32(await Mode.Scalar(command)));
    }

    [Fact]
    public async Task A_refusal_of_the_server_names_its_state_and_no_batch()
    {
        await using var connection = await Open();
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Scalar(connection, "SELECT nothing FROM no_such_table"));
        Assert.Equal(5, error.SqlState!.Length);
        Assert.False(error.IsTransient);
        Assert.Null(error.BatchCommand);
        Assert.NotEqual("", error.Message);
        Assert.Contains(error.Message, error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_an_asynchronous_verb_throws_comes_with_its_task()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1");
        await using var none = Server.Factory.CreateCommand()!;
        List<Task> failures =
            [
                none.ExecuteScalarAsync(), none.ExecuteNonQueryAsync(), none.ExecuteReaderAsync(), none.PrepareAsync(), connection.OpenAsync(),
                connection.ChangeDatabaseAsync("")
            ];
        var reader = await command.ExecuteReaderAsync();
        failures.AddRange([command.ExecuteScalarAsync(), reader.IsDBNullAsync(0), reader.GetFieldValueAsync<int>(0)]);
        Assert.True(await reader.ReadAsync());
        failures.AddRange([reader.IsDBNullAsync(7), reader.GetFieldValueAsync<int>(-1), reader.GetFieldValueAsync<Version>(0)]);
        await reader.CloseAsync();
        failures.AddRange(
            [
                reader.ReadAsync(), reader.NextResultAsync(), reader.IsDBNullAsync(0), reader.GetFieldValueAsync<int>(0), reader.GetColumnSchemaAsync(),
                reader.GetSchemaTableAsync()
            ]);
        foreach (var failure in failures)
            await Assert.ThrowsAnyAsync<Exception>(() => failure);
        await StillUsable(connection);
    }

    // ---------------------------------------------------------------- transactions

    [Fact]
    public async Task A_disposed_or_ended_transaction_can_do_nothing_more()
    {
        await using var connection = await Open();
        foreach (var ending in new[] { Mode.Commit, Mode.Rollback, Mode.Dispose })
        {
            var transaction = await Mode.Begin(connection);
            await ExecuteIn(transaction, "SELECT 1");
            await ending(transaction);
            Assert.Null(transaction.Connection);
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Commit(transaction));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Rollback(transaction));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Save(transaction, "late"));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Rollback(transaction, "late"));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Release(transaction, "late"));
            await Mode.Dispose(transaction);
            await using var command = Command(connection, "SELECT 1");
            command.Transaction = transaction;
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Scalar(command));
            command.Transaction = null;
            Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(command)));
        }
    }

    [Fact]
    public async Task Savepoints_need_names_that_exist()
    {
        await using var connection = await Open();
        await using (var transaction = await Mode.Begin(connection))
        {
            foreach (var name in new[] { null!, "" })
            {
                await Assert.ThrowsAnyAsync<ArgumentException>(() => Mode.Save(transaction, name));
                await Assert.ThrowsAnyAsync<ArgumentException>(() => Mode.Rollback(transaction, name));
                await Assert.ThrowsAnyAsync<ArgumentException>(() => Mode.Release(transaction, name));
            }

            await Assert.ThrowsAnyAsync<DbException>(() => Mode.Rollback(transaction, "missing"));
            await Mode.Rollback(transaction);
        }

        await using (var transaction = await Mode.Begin(connection))
        {
            await Assert.ThrowsAnyAsync<DbException>(() => Mode.Release(transaction, "missing"));
            await Mode.Rollback(transaction);
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task A_transaction_neither_begins_nor_ends_under_an_open_reader()
    {
        await using var table = await CreateTable("id int");
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 UNION ALL SELECT 2");
        await using (await Mode.Reader(command))
            await ThrowsBusy(() => Mode.Begin(connection));
        await using var transaction = await Mode.Begin(connection);
        await ExecuteIn(transaction, $"INSERT INTO {table} VALUES (1)");
        command.Transaction = transaction;
        await using (var reader = await Mode.Reader(command))
        {
            await ThrowsBusy(() => Mode.Commit(transaction));
            await ThrowsBusy(() => Mode.Rollback(transaction));
            await ThrowsBusy(() => Mode.Save(transaction, "point"));
            Assert.True(await Mode.Read(reader));
        }

        await Mode.Commit(transaction);
        Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_transaction_of_a_closed_connection_is_over()
    {
        await using var connection = await Open();
        var transaction = await Mode.Begin(connection);
        await ExecuteIn(transaction, "SELECT 1");
        await Mode.Close(connection);
        Assert.Null(transaction.Connection);
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Commit(transaction));
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Rollback(transaction));
        await Mode.Open(connection);
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Commit(transaction));
        await using var another = await Mode.Begin(connection);
        await Mode.Dispose(transaction);
        await ExecuteIn(another, "SELECT 1");
        await Mode.Commit(another);
    }

    // ---------------------------------------------------------------- batches

    [Fact]
    public async Task A_new_batch_has_the_documented_defaults_and_refuses_the_impossible()
    {
        var batch = Server.Factory.CreateBatch()!;
        Assert.Equal((30, null, null), (batch.Timeout, batch.Connection, batch.Transaction));
        Assert.Empty(batch.BatchCommands);
        Assert.ThrowsAny<ArgumentException>(() => batch.Timeout = -1);
        batch.Cancel();
        Add(batch, "SELECT 1", []);
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Scalar(batch));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.NonQuery(batch));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Reader(batch));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Prepare(batch));
        await using var connection = Create();
        batch.Connection = connection;
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Scalar(batch));
        await Mode.Open(connection);
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(batch)));
        batch.Dispose();
        await batch.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => Mode.Scalar(batch));
        await StillUsable(connection);
    }

    [Fact]
    public void A_new_batch_command_has_the_documented_defaults()
    {
        var command = Server.Factory.CreateBatchCommand()!;
        Assert.Equal(("", CommandType.Text), (command.CommandText, command.CommandType));
        Assert.Empty(command.Parameters);
        Assert.True(command.CanCreateParameter);
        Assert.IsType(Server.Factory.CreateParameter()!.GetType(), command.CreateParameter());
        Assert.Empty(command.Parameters);
        Assert.ThrowsAny<ArgumentException>(() => command.CommandType = (CommandType)42);
        command.CommandText = null!;
        Assert.Equal("", command.CommandText);
    }

    [Fact]
    public void The_commands_of_a_batch_are_a_list()
    {
        using var batch = Server.Factory.CreateBatch()!;
        var (a, b, c) = (batch.CreateBatchCommand(), batch.CreateBatchCommand(), batch.CreateBatchCommand());
        var list = batch.BatchCommands;
        Assert.False(list.IsReadOnly);
        list.Add(a);
        list.Add(c);
        list.Insert(1, b);
        Assert.Equal([a, b, c], list);
        Assert.Equal((3, 2, true, -1), (list.Count, list.IndexOf(c), list.Contains(b), list.IndexOf(Server.Factory.CreateBatchCommand()!)));
        list[0] = c;
        Assert.Same(c, list[0]);
        var copy = new DbBatchCommand[4];
        list.CopyTo(copy, 1);
        Assert.Equal([null!, c, b, c], copy);
        Assert.True(list.Remove(b));
        Assert.False(list.Remove(b));
        list.RemoveAt(0);
        Assert.Equal([c], list);
        Assert.ThrowsAny<ArgumentException>(() => list.Add(null!));
        Assert.ThrowsAny<ArgumentException>(() => list[5]);
        Assert.ThrowsAny<ArgumentException>(() => list.RemoveAt(-1));
        Assert.ThrowsAny<ArgumentException>(() => list.Insert(3, a));
        Assert.Equal([c], list);
        list.Clear();
        Assert.Empty(list);
    }

    [Fact]
    public async Task A_batch_s_scalar_tells_NULL_from_nothing_and_its_reader_can_close_the_connection()
    {
        await using var connection = await Open();
        await using (var batch = Batch(connection, "SELECT NULL", "SELECT 1"))
            Assert.Equal(DBNull.Value, await Mode.Scalar(batch));
        await using (var batch = Batch(connection, "SELECT 1 WHERE 1 = 0"))
            Assert.Null(await Mode.Scalar(batch));
        await using (var batch = Batch(connection, "SELECT 1", "SELECT 2"))
        {
            await using (var reader = await Mode.Reader(batch, CommandBehavior.CloseConnection))
                Assert.True(await Mode.Read(reader));
            Assert.Equal(ConnectionState.Closed, connection.State);
        }
    }
}
