using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Column mappings with variables and expressions, which LOAD DATA evaluates.</summary>
public class BulkCopyMappingTests
{
    public static TheoryData<ServerKind, bool> Servers()
    {
        var data = new TheoryData<ServerKind, bool>();
        foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
        {
            data.Add(kind, false);
            data.Add(kind, true);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Bytes_for_a_variable_are_hexadecimal_digits_as_MySqlConnectors(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE mapped_bytes (id INT, b VARBINARY(40), g BINARY(16), t VARCHAR(20))");
        using var table = Table(("id", typeof(int)), ("b", typeof(byte[])), ("g", typeof(Guid)), ("t", typeof(string)));
        var guid = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        table.Rows.Add(1, new byte[] { 1, 2, 255, 65 }, guid, "0A");
        table.Rows.Add(2, DBNull.Value, DBNull.Value, DBNull.Value);
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "mapped_bytes" };
        bulk.ColumnMappings.Add(new(0, "id"));
        bulk.ColumnMappings.Add(new(1, "@b", "b = UNHEX(@b)"));
        bulk.ColumnMappings.Add(new(2, "@g", "g = UNHEX(@g)"));
        bulk.ColumnMappings.Add(new(3, "@t", "t = CONCAT(@t, '!')"));
        var result = asynchronous ? await bulk.WriteToServerAsync(table) : bulk.WriteToServer(table);
        Assert.Equal(2, result.RowsInserted);
        Assert.Empty(result.Warnings);
        Assert.Equal($"1:0102FF41,{Convert.ToHexString(guid.ToByteArray(bigEndian: true))},0A!;2:,,", await Text(connection,
            "SELECT GROUP_CONCAT(CONCAT(id, ':', IFNULL(HEX(b), ''), ',', IFNULL(HEX(g), ''), ',', IFNULL(t, '')) ORDER BY id SEPARATOR ';') FROM "
                + "mapped_bytes"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task An_expression_beside_a_column_leaves_the_columns_value_alone(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE mapped_beside (id INT, b VARBINARY(40), f BIT(8), other INT)");
        using var table = Table(("id", typeof(int)), ("b", typeof(byte[])), ("f", typeof(int)));
        table.Rows.Add(1, new byte[] { 0, 39, 255 }, 5);
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "mapped_beside" };
        bulk.ColumnMappings.Add(new(0, "id"));
        bulk.ColumnMappings.Add(new(1, "b", "other = 7"));
        bulk.ColumnMappings.Add(new(2, "f"));
        _ = asynchronous ? await bulk.WriteToServerAsync(table) : bulk.WriteToServer(table);
        Assert.Equal("1:0027FF,5,7", await Text(connection, "SELECT CONCAT(id, ':', HEX(b), ',', f + 0, ',', other) FROM mapped_beside"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_column_whose_name_begins_with_an_at_sign_takes_its_value(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind);
        foreach (var wire in Wires(kind))
        {
            await Execute(connection, "DROP TEMPORARY TABLE IF EXISTS mapped_at");
            await Execute(connection, "CREATE TEMPORARY TABLE mapped_at (id INT, `@a` TEXT, `@b` VARBINARY(10))");
            using var table = Table(("id", typeof(int)), ("@a", typeof(string)), ("@b", typeof(byte[])));
            table.Rows.Add(1, "one", new byte[] { 0, 255 });
            foreach (var isMapped in (bool[])[false, true])
            {
                var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "mapped_at", Method = wire };
                if (isMapped)
                    bulk.ColumnMappings.AddRange([new(0, "id"), new(1, "@a"), new(2, "@b")]);
                Assert.Equal(wire, (asynchronous ? await bulk.WriteToServerAsync(table) : bulk.WriteToServer(table)).Method);
                Assert.Equal("1:one,00FF", await Text(connection, "SELECT CONCAT(id, ':', `@a`, ',', HEX(`@b`)) FROM mapped_at"));
                await Execute(connection, "DELETE FROM mapped_at");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_variable_without_an_expression_leaves_a_value_out(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind);
        await Execute(connection, "CREATE TEMPORARY TABLE mapped_out (id INT, name VARCHAR(10))");
        using var table = Table(("id", typeof(int)), ("unused", typeof(byte[])), ("name", typeof(string)));
        table.Rows.Add(1, new byte[] { 1 }, "x");
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "mapped_out" };
        bulk.ColumnMappings.AddRange([new(0, "id"), new(1, "@unused"), new(2, "name")]);
        Assert.Equal(MySqlBulkCopyMethod.LoadData, (asynchronous ? await bulk.WriteToServerAsync(table) : bulk.WriteToServer(table)).Method);
        Assert.Equal("1x", await Text(connection, "SELECT CONCAT(id, name) FROM mapped_out"));
        bulk.Method = MySqlBulkCopyMethod.MultiRow;
        Assert.Contains("LOAD DATA", Assert.Throws<NotSupportedException>(() => bulk.WriteToServer(table)).Message);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_readers_decimals_keep_all_their_digits(ServerKind kind, bool asynchronous)
    {
        await using var source = await Open(kind);
        await using var connection = await Open(kind);
        await Execute(source, "CREATE TEMPORARY TABLE long_decimals (id INT, d DECIMAL(50,30), s DECIMAL(65,0), n DECIMAL(10,2))");
        await Execute(source, """
            INSERT INTO long_decimals VALUES (1, 12345678901234567890.123456789012345678901234567891, 99999999999999999999999999999999999999999999999999999999999999999, 1.25),
                (2, -0.000000000000000000000000000001, -79228162514264337593543950336, -0.01), (3, 1.5, 0, NULL), (4, NULL, 7, 99999999.99)
            """);
        foreach (var wire in Wires(kind))
        {
            await Execute(connection, "DROP TEMPORARY TABLE IF EXISTS copied_decimals");
            await Execute(connection, "CREATE TEMPORARY TABLE copied_decimals (id INT, d DECIMAL(50,30), s DECIMAL(65,0), n DECIMAL(10,2))");
            var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "copied_decimals", Method = wire };
            await using (var command = new MySqlCommand("SELECT * FROM long_decimals ORDER BY id", source))
            await using (var reader = await command.ExecuteReaderAsync())
                Assert.Equal(4, (asynchronous ? await bulk.WriteToServerAsync(reader) : bulk.WriteToServer(reader)).RowsInserted);
            const string All = "SELECT GROUP_CONCAT(CONCAT(IFNULL(d, '-'), ',', s, ',', IFNULL(n, '-')) ORDER BY id SEPARATOR ';') FROM ";
            Assert.Equal(await Text(source, All + "long_decimals"), await Text(connection, All + "copied_decimals"));
        }
    }

    private static MySqlBulkCopyMethod[] Wires(ServerKind kind) => kind == ServerKind.MySql
        ? [MySqlBulkCopyMethod.LoadData, MySqlBulkCopyMethod.MultiRow]
        : [MySqlBulkCopyMethod.LoadData, MySqlBulkCopyMethod.MultiRow, MySqlBulkCopyMethod.BulkExecute];

    private static DataTable Table(params (string Name, Type Type)[] columns)
    {
        var table = new DataTable();
        foreach (var (name, type) in columns)
            table.Columns.Add(name, type);
        return table;
    }

    private static async Task<MySqlConnection> Open(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Allow Load Local Infile=true;Guid Format=Binary16"));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task Execute(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<string> Text(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await using var reader = await command.ExecuteReaderAsync();
        return await reader.ReadAsync() ? reader.GetString(0) : "";
    }
}
