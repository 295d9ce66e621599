using System.Data;
using System.Runtime.CompilerServices;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

public class BulkCopyTests
{
    public static TheoryData<ServerKind, MySqlBulkCopyWire, bool> Wires()
    {
        var data = new TheoryData<ServerKind, MySqlBulkCopyWire, bool>();
        foreach (var asynchronous in (bool[])[false, true])
        {
            data.Add(ServerKind.MySql, MySqlBulkCopyWire.MultiRow, asynchronous);
            data.Add(ServerKind.MySql, MySqlBulkCopyWire.LoadData, asynchronous);
            data.Add(ServerKind.MariaDb, MySqlBulkCopyWire.BulkExecute, asynchronous);
            data.Add(ServerKind.MariaDb, MySqlBulkCopyWire.MultiRow, asynchronous);
            data.Add(ServerKind.MariaDb, MySqlBulkCopyWire.LoadData, asynchronous);
        }

        return data;
    }

    private sealed record Item(int Id, string? Name, double Score);

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Rows_arrive_as_they_were(ServerKind kind, MySqlBulkCopyWire wire, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_rows (id INT PRIMARY KEY, name VARCHAR(100), score DOUBLE NOT NULL)");
        var items = Enumerable.Range(1, 2777).Select(static i => new Item(i, i % 7 == 0 ? null : $"näme '{i}' \\ \"x\",\n\t", i / 4.0)).ToArray();
        var copied = new List<long>();
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_rows", Wire = wire, NotifyAfter = 1000 };
        bulk.MySqlRowsCopied += (_, e) => copied.Add(e.RowsCopied);
        var result = asynchronous ? await bulk.WriteToServerAsync(items, Write) : bulk.WriteToServer(items, Write);
        Assert.Equal(wire, result.Wire);
        Assert.Equal(2777, result.RowsInserted);
        Assert.Empty(result.Warnings);
        Assert.Equal([1000, 2000], copied);
        await using var command = new MySqlCommand("SELECT id, name, score FROM bulk_rows ORDER BY id", connection);
        await using var reader = await command.ExecuteReaderAsync();
        foreach (var item in items)
        {
            Assert.True(await reader.ReadAsync());
            Assert.Equal(item, new(reader.GetInt32(0), reader.IsDBNull(1) ? null : reader.GetString(1), reader.GetDouble(2)));
        }

        Assert.False(await reader.ReadAsync());
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task A_bad_row_is_named_and_nothing_stays(ServerKind kind, MySqlBulkCopyWire wire, bool asynchronous)
    {
        if (wire == MySqlBulkCopyWire.LoadData)
            return;
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE bulk_bad (id INT PRIMARY KEY, name VARCHAR(10))");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_bad", Wire = wire };
        foreach (var (bad, id, name, number) in ((int, int, string, MySqlErrorCode)[])[(1777, 5, "x", MySqlErrorCode.DuplicateKeyEntry), (1500, 1500, "much too long", MySqlErrorCode.DataTooLong)])
        {
            var items = Enumerable.Range(1, 2777).Select(i => i == bad ? new Item(id, name, 0) : new Item(i, "x", 0));
            var error = asynchronous
                ? await Assert.ThrowsAsync<MySqlException>(async () => await bulk.WriteToServerAsync(items, Two))
                : Assert.Throws<MySqlException>(() => bulk.WriteToServer(items, Two));
            Assert.Equal(number, error.ErrorCode);
            Assert.Equal((long)bad, error.Data["Row"]);
            Assert.StartsWith($"Row {bad}: ", error.Message);
            Assert.EndsWith("No row was written.", error.Message);
            Assert.Equal(0L, await Scalar(connection, "SELECT COUNT(*) FROM bulk_bad"));
        }
    }

    private static void Write(MySqlBulkRow row, Item item)
    {
        row.Write(item.Id);
        row.Write(item.Name);
        row.Write(item.Score);
    }

    private static void Two(MySqlBulkRow row, Item item)
    {
        row.Write(item.Id);
        row.Write(item.Name);
    }

    private static async Task<MySqlConnection> Open(ServerKind kind, string more = "")
    {
        var server = await LiveServers.GetAsync(kind);
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Allow Load Local Infile=true;" + more));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task Execute(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<object?> Scalar(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        return await command.ExecuteScalarAsync();
    }
}
