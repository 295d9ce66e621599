using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    [Fact]
    public async Task A_batch_of_reads_gives_its_results_in_order()
    {
        await using var connection = await Open();
        await using var batch =
            Batch(connection, Enumerable.Range(0, 30).Select(i => ("SELECT @value + 1, @text", Values(("@value", i), ("@text", $"text {i}")))));
        for (var round = 0; round < 3; round++)
        {
            await using var reader = await Mode.Reader(batch);
            for (var i = 0; i < 30; i++)
            {
                Assert.True(await Mode.Read(reader));
                Assert.Equal(i + 1, Convert.ToInt32(reader.GetValue(0)));
                Assert.Equal($"text {i}", reader.GetString(1));
                Assert.False(await Mode.Read(reader));
                Assert.Equal(i < 29, await Mode.NextResult(reader));
            }

            Assert.Equal(-1, reader.RecordsAffected);
        }

        Assert.All(batch.BatchCommands, command => Assert.Equal(-1, command.RecordsAffected));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_scalar_of_a_batch_is_the_first_value_of_its_first_result_set()
    {
        await using var connection = await Open();
        await using (var batch = Batch(connection, "SELECT 7, 8", "SELECT 9"))
            Assert.Equal(7, Convert.ToInt32(await Mode.Scalar(batch)));
        await using (var batch = Batch(connection, "SELECT 7 FROM (SELECT 1 AS one) t WHERE one = 2", "SELECT 9"))
            Assert.Null(await Mode.Scalar(batch));
        await StillUsable(connection);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_batch_of_changes_counts_the_rows_of_each_command(bool inTransaction)
    {
        await using var table = await CreateTable("id int PRIMARY KEY, v varchar(100)");
        await using var connection = await Open();
        await using var transaction = inTransaction ? await Mode.Begin(connection) : null;
        await using var batch = Batch(
            connection,
            Enumerable.Range(0, 20)
                .Select(i => ($"INSERT INTO {table} (id, v) VALUES (@id, @v)", Values(("@id", i), ("@v", i % 3 == 0 ? null : $"it's {i}\\")))));
        batch.Transaction = transaction;
        Add(batch, $"UPDATE {table} SET v = 'new' WHERE id < @limit", Values(("@limit", 5)));
        Add(batch, $"SELECT COUNT(*) FROM {table}", []);
        Add(batch, $"DELETE FROM {table} WHERE id >= 18", []);
        Assert.Equal(20 + 5 + 2, await Mode.NonQuery(batch));
        for (var i = 0; i < 20; i++)
            Assert.Equal(1, batch.BatchCommands[i].RecordsAffected);
        Assert.Equal(5, batch.BatchCommands[20].RecordsAffected);
        Assert.Equal(2, batch.BatchCommands[22].RecordsAffected);
        if (transaction is not null)
            await Mode.Commit(transaction);
        Assert.Equal(18, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
        Assert.Equal("it's 7\\", await Scalar(connection, $"SELECT v FROM {table} WHERE id = 7"));
        Assert.Equal(5, await Number(connection, $"SELECT COUNT(*) FROM {table} WHERE v = 'new'"));
        Assert.Equal(4, await Number(connection, $"SELECT COUNT(*) FROM {table} WHERE v IS NULL"));
    }

    [Fact]
    public async Task A_reader_of_a_batch_passes_over_what_returns_no_rows()
    {
        await using var table = await CreateTable("id int PRIMARY KEY");
        await using var connection = await Open();
        await using var batch =
            Batch(connection, $"INSERT INTO {table} VALUES (1)", $"SELECT id FROM {table}", $"INSERT INTO {table} VALUES (2)", $"SELECT COUNT(*) FROM {table}");
        await using (var reader = await Mode.Reader(batch))
        {
            Assert.True(await Mode.Read(reader));
            Assert.Equal(1, Convert.ToInt32(reader.GetValue(0)));
            Assert.True(await Mode.NextResult(reader));
            Assert.True(await Mode.Read(reader));
            Assert.Equal(2, Convert.ToInt32(reader.GetValue(0)));
            Assert.False(await Mode.NextResult(reader));
            Assert.Equal(2, reader.RecordsAffected);
        }

        Assert.Equal(1, batch.BatchCommands[0].RecordsAffected);
        Assert.Equal(1, batch.BatchCommands[2].RecordsAffected);
        await StillUsable(connection);
    }

    [Fact]
    public async Task Nothing_behind_an_error_is_executed()
    {
        await using var table = await CreateTable("id int PRIMARY KEY");
        await using var connection = await Open();
        await using var batch = Batch(connection, $"INSERT INTO {table} VALUES (1)", "SELECT wrong FROM nothing", $"INSERT INTO {table} VALUES (2)");
        var refused = await Assert.ThrowsAnyAsync<DbException>(() => Mode.NonQuery(batch));
        Assert.Same(batch.BatchCommands[1], refused.BatchCommand);
        Assert.Equal(0, await Number(connection, $"SELECT COUNT(*) FROM {table} WHERE id = 2"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task Results_in_front_of_an_error_can_be_read()
    {
        await using var connection = await Open();
        await using var batch = Batch(connection, "SELECT 1", "SELECT 2", "SELECT wrong FROM nothing", "SELECT 4");
        await using (var reader = await Mode.Reader(batch))
        {
            Assert.True(await Mode.Read(reader));
            Assert.True(await Mode.NextResult(reader));
            Assert.True(await Mode.Read(reader));
            Assert.Equal(2, Convert.ToInt32(reader.GetValue(0)));
            var refused = await Assert.ThrowsAnyAsync<DbException>(async () =>
            {
                // Either of the two calls may throw the error.
                Assert.False(await Mode.Read(reader));
                await Mode.NextResult(reader);
            });
            Assert.Same(batch.BatchCommands[2], refused.BatchCommand);
            Assert.False(await Mode.NextResult(reader));
        }

        await StillUsable(connection);
        batch.BatchCommands.RemoveAt(2);
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(batch)));
        batch.BatchCommands.Insert(0, Added(batch, "SELECT wrong FROM nothing", []));
        await Assert.ThrowsAnyAsync<DbException>(() => Mode.Reader(batch));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_reader_that_is_closed_early_leaves_the_batch_executed()
    {
        await using var table = await CreateTable("id int PRIMARY KEY");
        await using var connection = await Open();
        await using var batch = Batch(connection, "SELECT 1", "SELECT 2", $"INSERT INTO {table} VALUES (1)");
        await using (var reader = await Mode.Reader(batch))
            Assert.True(await Mode.Read(reader));
        Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
        Assert.Equal(1, batch.BatchCommands[2].RecordsAffected);
    }

    [Fact]
    public async Task A_batch_may_be_long()
    {
        await using var table = await CreateTable($"id int PRIMARY KEY, v {Server.ColumnType(typeof(string))}");
        await using var connection = await Open();
        var text = new string('x', 2000);
        await using var batch =
            Batch(connection, Enumerable.Range(0, 1500).Select(i => ($"INSERT INTO {table} (id, v) VALUES (@id, @v)", Values(("@id", i), ("@v", text)))));
        Assert.Equal(1500, await Mode.NonQuery(batch));
        Assert.Equal(1500 * 2000, await Number(connection, $"SELECT SUM(LENGTH(v)) FROM {table}"));
        await using var reads =
            Batch(connection, Enumerable.Range(0, 1500).Select(i => ($"SELECT id, v, @text FROM {table} WHERE id = @id", Values(("@id", i), ("@text", text)))));
        await using var reader = await Mode.Reader(reads);
        for (var i = 0; i < 1500; i++)
        {
            Assert.True(await Mode.Read(reader));
            Assert.Equal((i, 2000), (reader.GetInt32(0), reader.GetString(1).Length));
            Assert.Equal(i < 1499, await Mode.NextResult(reader));
        }
    }

    [Fact]
    public async Task A_batch_belongs_to_its_transaction()
    {
        await using var table = await CreateTable("id int PRIMARY KEY");
        await using var connection = await Open();
        await using (var transaction = await Mode.Begin(connection))
        {
            await using var batch = Batch(connection, $"INSERT INTO {table} VALUES (1)", $"INSERT INTO {table} VALUES (2)", $"SELECT COUNT(*) FROM {table}");
            batch.Transaction = transaction;
            Assert.Equal(2, Convert.ToInt32(await Mode.Scalar(batch)));
            await Mode.Rollback(transaction);
        }

        Assert.Equal(0, await Number(connection, $"SELECT COUNT(*) FROM {table}"));
    }

    [Fact]
    public async Task A_prepared_batch_gives_what_it_gives_otherwise()
    {
        await using var connection = await Open();
        await using var batch = Batch(connection, Enumerable.Range(0, 5).Select(i => ("SELECT @value + 1", Values(("@value", i)))));
        await Mode.Prepare(batch);
        for (var round = 0; round < 3; round++)
        {
            await using var reader = await Mode.Reader(batch);
            for (var i = 0; i < 5; i++)
            {
                Assert.True(await Mode.Read(reader));
                Assert.Equal(i + 1, Convert.ToInt32(reader.GetValue(0)));
                await Mode.NextResult(reader);
            }
        }
    }

    [Fact]
    public async Task A_batch_that_takes_too_long_is_stopped()
    {
        await using var connection = await Open();
        await using var batch = Batch(connection, "SELECT 1", Server.TenSeconds, "SELECT 2");
        batch.Timeout = 1;
        var began = Environment.TickCount64;
        await Assert.ThrowsAnyAsync<DbException>(() => Mode.NonQuery(batch));
        Assert.InRange(Environment.TickCount64 - began, 900, 9000);
        await StillUsable(connection);
        batch.BatchCommands.RemoveAt(1);
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(batch)));
    }

    [Fact]
    public async Task A_batch_without_commands_or_texts_or_connection_is_refused()
    {
        await using var connection = await Open();
        await using var batch = NewBatch(connection);
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.NonQuery(batch));
        Add(batch, "", []);
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.NonQuery(batch));
        batch.BatchCommands[0].CommandText = "SELECT 1";
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(batch)));
        batch.Connection = null;
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.NonQuery(batch));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_parameter_that_is_missing_leaves_the_connection_usable()
    {
        await using var connection = await Open();
        await using var batch = Batch(connection, [("SELECT @a", Values(("@a", 1))), ("SELECT @b", [])]);
        await Assert.ThrowsAnyAsync<Exception>(() => Mode.NonQuery(batch));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_data_source_and_a_factory_make_batches()
    {
        Assert.SkipUnless(Server.Factory.CanCreateBatch, "The provider has no batches.");
        await using (var source = Server.CreateSource(Server.ConnectionString))
        await using (var batch = source.CreateBatch())
        {
            Add(batch, "SELECT 1", []);
            Add(batch, "SELECT 2", []);
            Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(batch)));
        }

        await using var connection = await Open();
        await using var made = Server.Factory.CreateBatch()!;
        made.Connection = connection;
        var command = Server.Factory.CreateBatchCommand()!;
        Assert.True(command.CanCreateParameter);
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = ("@a", 5);
        command.Parameters.Add(parameter);
        command.CommandText = "SELECT @a + 1";
        made.BatchCommands.Add(command);
        Assert.Equal(6, Convert.ToInt32(await Mode.Scalar(made)));
        Assert.Equal(0, made.BatchCommands.IndexOf(command));
        Assert.True(made.BatchCommands.Remove(command));
        Assert.Empty(made.BatchCommands);
    }

    private static (string Name, object? Value)[] Values(params (string Name, object? Value)[] values) => values;

    private static DbBatch NewBatch(DbConnection connection)
    {
        Assert.SkipUnless(connection.CanCreateBatch, "The provider has no batches.");
        return connection.CreateBatch();
    }

    private static DbBatch Batch(DbConnection connection, params string[] texts) => Batch(connection, texts.Select(text => (text, Values())));

    private static DbBatch Batch(DbConnection connection, IEnumerable<(string Text, (string Name, object? Value)[] Values)> commands)
    {
        var batch = NewBatch(connection);
        foreach (var (text, values) in commands)
            Add(batch, text, values);
        return batch;
    }

    private static void Add(DbBatch batch, string text, (string Name, object? Value)[] values) => batch.BatchCommands.Add(Added(batch, text, values));

    private static DbBatchCommand Added(DbBatch batch, string text, (string Name, object? Value)[] values)
    {
        var command = batch.CreateBatchCommand();
        command.CommandText = text;
        foreach (var (name, value) in values)
        {
            var parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = (name, value ?? DBNull.Value);
            command.Parameters.Add(parameter);
        }

        return command;
    }
}
