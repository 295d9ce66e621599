using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>Query attributes reach the server in both protocols; commands without attributes work as before on a connection that has announced them.</summary>
[Collection(nameof(AllocationTests))]
public sealed class QueryAttributeTests
{
    public static TheoryData<bool, bool> Ways => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory, MemberData(nameof(Ways))]
    public async Task They_are_seen_by_the_server(bool prepare, bool asynchronously)
    {
        await using var connection = await Open(ServerKind.MySql, "");
        await using var component = await QueryAttributeComponent.InstallAsync(connection);
        await using var command = new MySqlCommand(
            "SELECT mysql_query_attribute_string('who'), mysql_query_attribute_string('number'), mysql_query_attribute_string('nothing'), @p", connection);
        command.Parameters.AddWithValue("@p", "parameter");
        command.Attributes.SetAttribute("who", "näme");
        command.Attributes.SetAttribute("number", 42);
        command.Attributes.SetAttribute("nothing", null);
        if (prepare)
            command.Prepare();
        for (var i = 0; i < 4; i++)
        {
            command.Attributes.SetAttribute("number", 42 + i);
            command.Parameters[0].Value = "parameter" + i;
            await using var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
            Assert.True(await reader.ReadAsync());
            Assert.Equal(
                ["näme", (42 + i).ToString(), null, "parameter" + i],
                Enumerable.Range(0, 4).Select(column => reader.IsDBNull(column) ? null : reader.GetString(column)));
        }

        await using var alone = new MySqlCommand("SELECT mysql_query_attribute_string('who')", connection);
        if (prepare)
            alone.Prepare();
        Assert.Equal(DBNull.Value, asynchronously ? await alone.ExecuteScalarAsync() : alone.ExecuteScalar());
        alone.Attributes.Add(new MySqlAttribute("who", "me"));
        Assert.Equal("me", asynchronously ? await alone.ExecuteScalarAsync<string>() : alone.ExecuteScalar<string>());
        using var clone = alone.Clone();
        Assert.Equal("me", asynchronously ? await clone.ExecuteScalarAsync<string>() : clone.ExecuteScalar<string>());
        alone.Attributes.Clear();
        Assert.Equal(DBNull.Value, asynchronously ? await alone.ExecuteScalarAsync() : alone.ExecuteScalar());
    }

    [Theory]
    [InlineData(ServerKind.MySql, "")]
    [InlineData(ServerKind.MySql, "Query Attributes=false")]
    [InlineData(ServerKind.MySql, "Pipelining=false;Auto Prepare=false")]
    [InlineData(ServerKind.MySql, "Use Compression=true")]
    [InlineData(ServerKind.MariaDb, "")]
    public async Task All_else_works_on_a_connection_that_has_announced_them(ServerKind kind, string more)
    {
        await using var source =
            new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Allow Load Local Infile=true;Merge Inserts=true;" + more));
        for (var lease = 0; lease < 3; lease++)
        {
            await using var connection = await source.OpenConnectionAsync();
            await Execute(connection, "CREATE TEMPORARY TABLE attribute_rows (id INT PRIMARY KEY, v VARCHAR(20))");
            await using (var transaction = await connection.BeginTransactionAsync())
            {
                for (var round = 0; round < 4; round++)
                {
                    await using var batch = new MySqlBatch(connection, transaction);
                    for (var i = 0; i < 20; i++)
                        batch.BatchCommands.Add(new MySqlBatchCommand("INSERT INTO attribute_rows VALUES (@id, @v)")
                        {
                            Parameters = { new MySqlParameter("@id", round * 100 + i), new MySqlParameter("@v", i % 3 == 0 ? null : "row " + i) },
                        });
                    Assert.Equal(20, await batch.ExecuteNonQueryAsync());
                }

                await transaction.CommitAsync();
            }

            foreach (var wire in (MySqlBulkCopyMethod[])[MySqlBulkCopyMethod.Auto, MySqlBulkCopyMethod.MultiRow, MySqlBulkCopyMethod.LoadData])
            {
                var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "attribute_rows", Method = wire };
                var first = 1000 * (1 + (int)wire);
                await bulk.WriteToServerAsync(Enumerable.Range(first, 50), static (row, id) =>
                {
                    row.Write(id);
                    row.Write("bulk");
                });
            }

            for (var i = 0; i < 5; i++)
            {
                await using var command = new MySqlCommand("SELECT COUNT(*) FROM attribute_rows WHERE id < @limit OR @nothing IS NOT NULL", connection);
                command.Parameters.AddWithValue("@limit", 90 + i);
                command.Parameters.AddWithValue("@nothing", null);
                Assert.Equal(20L, await command.ExecuteScalarAsync());
            }

            await using var all = new MySqlCommand("SELECT COUNT(*) FROM attribute_rows", connection);
            Assert.Equal(230L, await all.ExecuteScalarAsync());
            Assert.True(connection.Ping());
        }
    }

    [Fact]
    public async Task They_are_refused_where_the_connection_string_forbids_them_and_ignored_where_there_are_none()
    {
        await using var connection = await Open(ServerKind.MySql, "Query Attributes=false");
        await using var command = new MySqlCommand("SELECT 1", connection) { Attributes = { new MySqlAttribute("a", 1) } };
        Assert.Contains("Query Attributes=false", Assert.Throws<NotSupportedException>(() => command.ExecuteScalar()).Message);
        command.Attributes.Clear();
        Assert.Equal(1, Convert.ToInt32(command.ExecuteScalar(), null));

        foreach (var option in (string[])["", "Query Attributes=false"])
        {
            await using var mariaDb = await Open(ServerKind.MariaDb, option);
            await using var ignored = new MySqlCommand("SELECT 1", mariaDb) { Attributes = { new MySqlAttribute("a", 1) } };
            Assert.Equal(1, Convert.ToInt32(await ignored.ExecuteScalarAsync(), null));
        }
    }

    private static async Task Execute(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<MySqlConnection> Open(ServerKind kind, string more)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), more));
        await connection.OpenAsync();
        return connection;
    }
}
