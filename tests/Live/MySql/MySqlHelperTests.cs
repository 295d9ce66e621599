using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>The static methods of Connector/NET, with a connection and with a connection string, synchronous and asynchronous.</summary>
public class MySqlHelperTests
{
    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    private static MySqlParameter[] Four => [new("@v", 4)];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Each_call_works_with_a_connection_string_and_gives_its_lease_back(ServerKind kind)
    {
        var text = ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1;Connection Timeout=30;Application Name=helper;");
        Assert.Equal(4L, Convert.ToInt64(MySqlHelper.ExecuteScalar(text, "SELECT @v", Four)));
        Assert.Equal(7L, Convert.ToInt64(MySqlHelper.ExecuteScalar(text, "SELECT 7")));
        Assert.Equal(0, MySqlHelper.ExecuteNonQuery(text, "DO @v", Four));
        using (var reader = MySqlHelper.ExecuteReader(text, "SELECT @v", Four))
            Assert.True(reader.Read());
        Assert.ThrowsAny<MySqlException>(() => MySqlHelper.ExecuteReader(text, "SELECT nothing FROM nowhere"));
        Assert.Equal(2, MySqlHelper.ExecuteDataset(text, "SELECT 1; SELECT @v", Four).Tables.Count);
        Assert.Equal("x", MySqlHelper.ExecuteDataRow(text, "SELECT 'x' AS one UNION SELECT 'y'")!["one"]);
        Assert.Null(MySqlHelper.ExecuteDataRow(text, "SELECT 'x' AS one FROM DUAL WHERE FALSE"));

        Assert.Equal(4L, Convert.ToInt64(await MySqlHelper.ExecuteScalarAsync(text, "SELECT @v", Four)));
        Assert.Equal(0, await MySqlHelper.ExecuteNonQueryAsync(text, "DO @v", Four));
        await using (var reader = await MySqlHelper.ExecuteReaderAsync(text, "SELECT @v", Four))
            Assert.True(await reader.ReadAsync());
        await Assert.ThrowsAnyAsync<MySqlException>(() => MySqlHelper.ExecuteReaderAsync(text, "SELECT nothing FROM nowhere"));
        Assert.Equal("y", (await MySqlHelper.ExecuteDataRowAsync(text, "SELECT 'y' AS one", CancellationToken.None))!["one"]);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => MySqlHelper.ExecuteScalarAsync(text, "SELECT 1", new CancellationToken(canceled: true)));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_given_connection_stays_open_and_both_fills_make_the_same_tables(ServerKind kind)
    {
        using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        connection.Open();
        const string Sql = "SELECT 1 AS a, NULL AS b, 'x' AS a, 2.50 AS A2, '' AS ``; DO 1; SELECT CAST(1 AS DATE) AS d FROM DUAL WHERE FALSE";
        var waited = MySqlHelper.ExecuteDataset(connection, Sql);
        var awaited = await MySqlHelper.ExecuteDatasetAsync(connection, Sql);
        Assert.Equal(["Table", "Table1"], Shown(awaited).Select(static one => one.Name));
        Assert.Equal(Shown(waited), Shown(awaited));
        Assert.All(awaited.Tables[0].Rows.Cast<DataRow>(), static row => Assert.Equal(DataRowState.Unchanged, row.RowState));
        Assert.Equal(ConnectionState.Open, connection.State);
        using (var reader = await MySqlHelper.ExecuteReaderAsync(connection, "SELECT 1"))
            Assert.True(reader.Read());
        Assert.Equal(1L, Convert.ToInt64(MySqlHelper.ExecuteScalar(connection, "SELECT 1")));
        Assert.Throws<ArgumentNullException>(() => MySqlHelper.ExecuteScalar((MySqlConnection)null!, "SELECT 1"));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_changed_table_is_brought_back(ServerKind kind)
    {
        var text = ConnectionStrings.MySql(await LiveServers.GetAsync(kind));
        var name = $"helper_{Environment.ProcessId}";
        MySqlHelper.ExecuteNonQuery(text, $"CREATE TABLE {name} (id int PRIMARY KEY, v varchar(20))");
        try
        {
            MySqlHelper.ExecuteNonQuery(text, $"INSERT INTO {name} VALUES (1, 'one'), (2, 'two')");
            var data = MySqlHelper.ExecuteDataset(text, $"SELECT * FROM {name} ORDER BY id");
            data.Tables[0].Rows[0]["v"] = "changed";
            data.Tables[0].Rows[1].Delete();
            data.Tables[0].Rows.Add(3, "three");
            MySqlHelper.UpdateDataSet(text, $"SELECT * FROM {name}", data, "Table");
            Assert.Equal("1changed,3three", MySqlHelper.ExecuteScalar(text, $"SELECT GROUP_CONCAT(id, v ORDER BY id) FROM {name}"));
        }
        finally
        {
            MySqlHelper.ExecuteNonQuery(text, $"DROP TABLE {name}");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_was_escaped_is_read_as_it_was(ServerKind kind)
    {
        const string Value = "it's \"quoted\" \\ `so` \n\t ü";
        var text = ConnectionStrings.MySql(await LiveServers.GetAsync(kind));
        Assert.Equal(Value, MySqlHelper.ExecuteScalar(text, $"SELECT '{MySqlHelper.EscapeString(Value)}'"));
        Assert.Equal(Value, MySqlHelper.ExecuteScalar(text, $"SELECT \"{MySqlHelper.EscapeString(Value)}\""));
        Assert.Equal("it's \\", MySqlHelper.ExecuteScalar(text, $"SELECT '{MySqlHelper.DoubleQuoteString("it's \\")}'"));
    }

    private static List<(string Name, string Columns, string Rows)> Shown(DataSet data) =>
        [.. data.Tables.Cast<DataTable>().Select(static table => (
            table.TableName,
            string.Join(", ", table.Columns.Cast<DataColumn>().Select(static column => $"{column.ColumnName} {column.DataType}")),
            string.Join(
                "; ", table.Rows.Cast<DataRow>().Select(static row => string.Join(", ", row.ItemArray.Select(static cell => $"{cell?.GetType()} {cell}"))))))];
}
