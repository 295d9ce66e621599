using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    // Each of them ends a name or a text in one of the databases.
    private static readonly string[] StrangeNames = ["a b", "a`b", "a``b", "a\"b", "a'b", "a;b", "a--b", "a\\b", "a[b]", "select", "@a", "$1", "grüße"];

    [Theory, InlineData(1), InlineData(0), InlineData(2)]
    public async Task An_adapter_fills_a_table_and_writes_its_changes(int batchSize)
    {
        await using var table = await CreateTable("id INT PRIMARY KEY, text VARCHAR(40)");
        await using var connection = await Open();
        await Execute(connection, $"INSERT INTO {table} VALUES (1, 'one'), (2, 'two'), (3, NULL)");
        using var adapter = Adapter(connection, $"SELECT id, text FROM {table} ORDER BY id", out var builder);
        using var rows = new DataTable();
        using (builder)
        {
            adapter.UpdateBatchSize = batchSize;
            Assert.Equal(3, adapter.Fill(rows));
            Assert.True(rows.Rows[2].IsNull("text"));
            rows.Rows[0]["text"] = "it's `one` \"two\" \\";
            rows.Rows[1].Delete();
            rows.Rows[2]["text"] = "three";
            rows.Rows.Add(4, DBNull.Value);
            Assert.Equal(4, adapter.Update(rows));
        }

        Assert.Equal("it's `one` \"two\" \\", await Scalar(connection, $"SELECT text FROM {table} WHERE id = 1"));
        Assert.Equal(0, await Number(connection, $"SELECT COUNT(*) FROM {table} WHERE id = 2"));
        Assert.Equal("three", await Scalar(connection, $"SELECT text FROM {table} WHERE id = 3"));
        Assert.Equal(DBNull.Value, await Scalar(connection, $"SELECT text FROM {table} WHERE id = 4"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_row_that_has_changed_meanwhile_is_a_conflict_for_an_adapter()
    {
        await using var table = await CreateTable("id INT PRIMARY KEY, text VARCHAR(40)");
        await using var connection = await Open();
        await Execute(connection, $"INSERT INTO {table} VALUES (1, 'one')");
        using var adapter = Adapter(connection, $"SELECT id, text FROM {table}", out var builder);
        using (builder)
        using (var rows = new DataTable())
        {
            adapter.Fill(rows);
            await Execute(connection, $"UPDATE {table} SET text = 'other'");
            rows.Rows[0]["text"] = "mine";
            Assert.Throws<DBConcurrencyException>(() => adapter.Update(rows));
        }

        Assert.Equal("other", await Scalar(connection, $"SELECT text FROM {table}"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_builder_quotes_every_name()
    {
        await using var connection = await Open();
        using var builder = Server.Factory.CreateCommandBuilder()!;
        foreach (var name in StrangeNames)
        {
            var quoted = builder.QuoteIdentifier(name);
            Assert.Equal(name, builder.UnquoteIdentifier(quoted));
            await using var command = Command(connection, $"SELECT 1 AS {quoted}");
            await using var reader = await Mode.Reader(command);
            Assert.Equal(name, reader.GetName(0));
            Assert.Equal(0, reader.GetOrdinal(name));
            Assert.True(await Mode.Read(reader));
        }
    }

    [Fact]
    public async Task Names_that_a_table_chose_are_names_in_the_commands_of_a_builder()
    {
        using var quoting = Server.Factory.CreateCommandBuilder()!;
        var columns = StrangeNames.Select(name => $"{quoting.QuoteIdentifier(name)} VARCHAR(40)");
        await using var table = await CreateTable($"id INT PRIMARY KEY, {string.Join(", ", columns)}");
        await using var connection = await Open();
        await Execute(connection, $"INSERT INTO {table} (id) VALUES (1)");
        using var adapter = Adapter(connection, $"SELECT * FROM {table}", out var builder);
        using (builder)
        using (var rows = new DataTable())
        {
            adapter.Fill(rows);
            foreach (var name in StrangeNames)
                rows.Rows[0][name] = $"value of {name}";
            Assert.Equal(1, adapter.Update(rows));
            rows.Clear();
            adapter.Fill(rows);
            foreach (var name in StrangeNames)
                Assert.Equal($"value of {name}", rows.Rows[0][name]);
        }
    }

    [Fact]
    public void A_data_source_makes_the_types_of_its_factory()
    {
        using var source = Server.CreateSource(Server.ConnectionString);
        using var command = source.CreateCommand("SELECT 1");
        using var batch = source.CreateBatch();
        using var connection = source.CreateConnection();
        Assert.IsType(Server.Factory.CreateCommand()!.GetType(), command);
        Assert.IsType(Server.Factory.CreateBatch().GetType(), batch);
        Assert.IsType(Server.Factory.CreateConnection()!.GetType(), connection);
        Assert.IsType(Server.Factory.CreateBatchCommand().GetType(), batch.CreateBatchCommand());
        Assert.IsType(Server.Factory.CreateParameter()!.GetType(), command.CreateParameter());
        Assert.IsType(command.GetType(), connection.CreateCommand());
        Assert.True(Server.Factory is { CanCreateDataAdapter: true, CanCreateCommandBuilder: true, CanCreateBatch: true });
    }

    [Fact]
    public async Task A_command_of_several_statements_counts_the_rows_of_each()
    {
        await using var table = await CreateTable("id INT PRIMARY KEY, text VARCHAR(40)");
        await using var connection = await Open();
        await using var command = Command(
            connection, $"INSERT INTO {table} VALUES (1, 'a'), (2, 'b'), (3, 'c'); UPDATE {table} SET text = 'd' WHERE id > 1; SELECT text FROM {table}; "
                + $"DELETE FROM {table} WHERE id = 3");
        await using var reader = await Mode.Reader(command);
        do
        {
            while (await Mode.Read(reader))
                Assert.Contains(reader.GetString(0), (string[])["a", "d"]);
        }
        while (await Mode.NextResult(reader));
        var counts = Server.StatementRows(reader);
        Assert.Equal(4, counts.Count);
        Assert.Equal((3, 2, 1), (counts[0], counts[1], counts[3]));
        Assert.Equal(6, reader.RecordsAffected);
    }

    private DbDataAdapter Adapter(DbConnection connection, string select, out DbCommandBuilder builder)
    {
        var adapter = Server.Factory.CreateDataAdapter()!;
        builder = Server.Factory.CreateCommandBuilder()!;
        adapter.SelectCommand = Command(connection, select);
        builder.DataAdapter = adapter;
        return adapter;
    }
}
