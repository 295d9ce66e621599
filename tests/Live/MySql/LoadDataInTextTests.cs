using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>
/// LOAD DATA LOCAL INFILE and DELIMITER in a command's text, from a script or from code for another driver: the driver refuses them and names the alternative.
/// </summary>
public class LoadDataInTextTests
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
    public async Task LOAD_DATA_LOCAL_in_a_text_is_refused_and_the_connection_stays(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind, "Allow Load Local Infile=true");
        await Execute(connection, "CREATE TEMPORARY TABLE load_in_text (a INT)");
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, "1\n2\n");
            var session = connection.ServerThread;
            foreach (var way in (string[])["NonQuery", "Scalar", "Reader"])
            {
                var error = await Refused(connection, $"LOAD DATA LOCAL INFILE '{file}' INTO TABLE load_in_text FIELDS TERMINATED BY ';'", way, asynchronous);
                Assert.Equal(MySqlErrorCode.NotAllowedCommand, error.ErrorCode);
                Assert.Contains("MySqlBulkLoader", error.Message);
                Assert.Contains("MySqlBulkCopy", error.Message);
                Assert.Equal(ConnectionState.Open, connection.State);
                Assert.Equal(0L, await Scalar(connection, "SELECT COUNT(*) FROM load_in_text"));
            }

            Assert.Equal(session, connection.ServerThread);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task What_stands_behind_a_refused_LOAD_DATA_is_not_executed(ServerKind kind, bool asynchronous)
    {
        await using var other = await Open(kind, "");
        var name = "load_behind_" + Guid.NewGuid().ToString("N");
        await Execute(other, $"CREATE TABLE {name} (a INT)");
        try
        {
            await Execute(other, $"INSERT INTO {name} VALUES (1)");
            await using var connection = await Open(kind, "Allow Load Local Infile=true");
            var error =
                await Refused(connection, $"LOAD DATA LOCAL INFILE '/nowhere/none.csv' INTO TABLE {name}; DELETE FROM {name}", "NonQuery", asynchronous);
            Assert.Contains("MySqlBulkLoader", error.Message);
            Assert.Equal(ConnectionState.Closed, connection.State);
            await connection.OpenAsync();
            await using var batch = new MySqlBatch(connection);
            batch.BatchCommands.Add(new MySqlBatchCommand($"LOAD DATA LOCAL INFILE '/nowhere/none.csv' INTO TABLE {name}"));
            batch.BatchCommands.Add(new MySqlBatchCommand($"DELETE FROM {name}"));
            error =
                asynchronous
                    ? await Assert.ThrowsAsync<MySqlException>(() => batch.ExecuteNonQueryAsync())
                    : Assert.Throws<MySqlException>(() => batch.ExecuteNonQuery());
            Assert.Contains("MySqlBulkLoader", error.Message);
            Assert.Equal(1L, await Scalar(other, $"SELECT COUNT(*) FROM {name}"));
        }
        finally
        {
            await Execute(other, $"DROP TABLE {name}");
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_servers_refusal_of_LOAD_DATA_LOCAL_names_what_to_use(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind, "");
        await Execute(connection, "CREATE TEMPORARY TABLE load_in_text (a INT)");
        var error = await Refused(connection, "LOAD DATA LOCAL INFILE '/nowhere/none.csv' INTO TABLE load_in_text", "NonQuery", asynchronous);
        Assert.Contains("MySqlBulkLoader", error.Message);
        // As docs/migrating.md documents it.
        Assert.Equal(kind == ServerKind.MySql ? 3948 : 4166, error.Number);
        Assert.Equal("1", await Scalar(connection, "SELECT '1'"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task DELIMITER_in_a_text_names_MySqlScript(ServerKind kind, bool asynchronous)
    {
        await using var connection = await Open(kind, "");
        foreach (var way in (string[])["NonQuery", "Scalar", "Reader"])
        {
            var error = await Refused(connection, "delimiter //\nCREATE PROCEDURE nobody_makes_it() SELECT 1//\nDELIMITER ;", way, asynchronous);
            Assert.Equal(MySqlErrorCode.DelimiterNotSupported, error.ErrorCode);
            Assert.Contains("MySqlScript", error.Message);
            Assert.Equal(MySqlErrorCode.ParseError, Assert.IsType<MySqlException>(error.InnerException).ErrorCode);
        }

        Assert.Equal(MySqlErrorCode.ParseError, (await Refused(connection, "SELEC 'delimiter'", "NonQuery", asynchronous)).ErrorCode);
    }

    private static async Task<MySqlException> Refused(MySqlConnection connection, string sql, string way, bool asynchronous)
    {
        await using var command = new MySqlCommand(sql, connection);
        return await Assert.ThrowsAsync<MySqlException>(async () => _ = (way, asynchronous) switch
        {
            ("NonQuery", false) => command.ExecuteNonQuery(),
            ("NonQuery", true) => await command.ExecuteNonQueryAsync(),
            ("Scalar", false) => command.ExecuteScalar(),
            ("Scalar", true) => await command.ExecuteScalarAsync(),
            (_, false) => command.ExecuteReader(),
            _ => (object?)await command.ExecuteReaderAsync(),
        });
    }

    private static async Task<MySqlConnection> Open(ServerKind kind, string more)
    {
        var server = await LiveServers.GetAsync(kind);
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, more));
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
