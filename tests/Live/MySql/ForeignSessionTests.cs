using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>Sessions whose user has changed how the server reads or reports, compared with the driver's own login.</summary>
public class ForeignSessionTests
{
    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    /// <summary>In a text, the driver then sends non-ASCII values as digits. The server would read the parameters of a prepared statement as latin1.</summary>
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Texts_are_stored_alike_under_another_character_set_however_often_the_statement_comes(ServerKind kind)
    {
        var table = $"foreign_{Environment.ProcessId}_{kind}";
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1"));
        await using var connection = await source.OpenConnectionAsync();
        await Run(connection, $"CREATE TABLE {table} (n INT, s VARCHAR(20)) CHARACTER SET utf8mb4");
        try
        {
            for (var n = 0; n < 12; n++)
            {
                if (n == 5)
                    await Run(connection, "SET NAMES latin1");
                await using var batch = connection.CreateBatch();
                foreach (var text in (string[])["é", "\uD801"])
                {
                    await using var command = new MySqlCommand($"INSERT INTO {table} VALUES (@n, @s)", connection);
                    command.Parameters.AddWithValue("@n", n);
                    command.Parameters.AddWithValue("@s", text);
                    await command.ExecuteNonQueryAsync();
                    var one = new MySqlBatchCommand(command.CommandText);
                    one.Parameters.AddWithValue("@n", n);
                    one.Parameters.AddWithValue("@s", text);
                    batch.BatchCommands.Add(one);
                }

                await batch.ExecuteNonQueryAsync();
            }

            await using var different = new MySqlCommand($"SELECT GROUP_CONCAT(DISTINCT HEX(s) ORDER BY HEX(s)) FROM {table}", connection);
            Assert.Equal("C3A9,EFBFBD", (string?)await different.ExecuteScalarAsync());
        }
        finally
        {
            await Run(connection, $"DROP TABLE {table}");
        }
    }

    /// <summary>The server reports what a procedure sets before its rows, but not that the setting is restored, nor what a failing block has set.</summary>
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Texts_are_stored_alike_whatever_a_procedure_or_a_block_sets_on_its_way(ServerKind kind)
    {
        var name = $"foreign_inside_{Environment.ProcessId}_{kind}";
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1"));
        await using var connection = await source.OpenConnectionAsync();
        await Run(connection, $"CREATE TABLE {name} (s VARCHAR(20)) CHARACTER SET utf8mb4");
        try
        {
            await Run(connection, $"CREATE PROCEDURE {name}(fails INT) BEGIN SET NAMES utf8mb4; SELECT 1; IF fails THEN SIGNAL SQLSTATE '45000'; END IF; END");
            foreach (var inside in (string[])[$"CALL {name}(0)", $"CALL {name}(1)", "BEGIN NOT ATOMIC SET NAMES latin1; SIGNAL SQLSTATE '45000'; END"])
            {
                if (inside.StartsWith("BEGIN", StringComparison.Ordinal) && kind == ServerKind.MySql)
                    continue;
                await Run(connection, inside.StartsWith("BEGIN", StringComparison.Ordinal) ? "SET NAMES utf8mb4" : "SET NAMES latin1");
                try
                {
                    await Run(connection, inside);
                }
                catch (MySqlException refused)
                {
                    Assert.Equal("45000", refused.SqlState);
                }

                for (var n = 0; n < 5; n++)
                {
                    await using var command = new MySqlCommand($"INSERT INTO {name} VALUES (@s)", connection);
                    command.Parameters.AddWithValue("@s", "é");
                    await command.ExecuteNonQueryAsync();
                }
            }

            await using var different = new MySqlCommand($"SELECT GROUP_CONCAT(DISTINCT HEX(s) ORDER BY HEX(s)) FROM {name}", connection);
            Assert.Equal("C3A9", (string?)await different.ExecuteScalarAsync());
        }
        finally
        {
            await Run(connection, $"DROP TABLE {name}; DROP PROCEDURE IF EXISTS {name}");
        }
    }

    /// <summary>MySQL refuses it as a parameter (3988) in every sql_mode; as a literal it becomes a question mark, or causes another error.</summary>
    [Theory]
    [InlineData(ServerKind.MySql, 0), InlineData(ServerKind.MariaDb, 0), InlineData(ServerKind.MariaDb11, 0)]
    [InlineData(ServerKind.MySql, 3), InlineData(ServerKind.MariaDb, 3), InlineData(ServerKind.MariaDb11, 3)]
    public async Task A_text_that_a_column_cannot_hold_fares_alike_however_often_the_statement_comes(ServerKind kind, int inBatch)
    {
        var table = $"foreign_ascii_{Environment.ProcessId}_{kind}_{inBatch}";
        List<string> told = [];
        foreach (var more in (string[])["", ";Auto Prepare=false"])
        {
            await using var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1" + more));
            await using var connection = await source.OpenConnectionAsync();
            await Run(connection, $"CREATE TABLE {table} (s VARCHAR(20)) CHARACTER SET ascii");
            try
            {
                var outcomes = new List<string>();
                foreach (var mode in (string[])["STRICT_ALL_TABLES", ""])
                {
                    await Run(connection, $"SET sql_mode = '{mode}'");
                    foreach (var sql in (string[])[$"INSERT INTO {table} VALUES (@s)", $"SELECT COUNT(*) FROM {table} WHERE s LIKE @s"])
                    {
                        for (var n = 0; n < 8; n++)
                        {
                            var value = n is 5 or 6 ? "é" : "e";
                            await using var command = new MySqlCommand(sql, connection);
                            command.Parameters.AddWithValue("@s", value);
                            await using var batch = new MySqlBatch(connection);
                            for (var k = 0; k < inBatch; k++)
                                batch.BatchCommands.Add(new MySqlBatchCommand(sql) { Parameters = { new("@s", k == 1 ? value : "e") } });
                            try
                            {
                                outcomes.Add($"{await (inBatch > 0 ? batch.ExecuteScalarAsync() : command.ExecuteScalarAsync())}");
                            }
                            catch (MySqlException refused)
                            {
                                outcomes.Add($"{refused.Number}");
                            }
                        }
                    }
                }

                await using var stored = new MySqlCommand($"SELECT GROUP_CONCAT(HEX(s)) FROM {table}", connection);
                told.Add(string.Join(' ', outcomes) + ' ' + await stored.ExecuteScalarAsync());
            }
            finally
            {
                await Run(connection, $"DROP TABLE {table}");
            }
        }

        Assert.Equal(told[1], told[0]);
    }

    /// <summary>A reset does not change the session's database back, even if the server no longer reports the database.</summary>
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_next_lease_is_in_its_own_database_whatever_the_last_one_hid(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Maximum Pool Size=1"));
        foreach (var usesText in (bool[])[false, true])
        {
            for (var lease = 0; lease < 3; lease++)
            {
                await using var connection = await source.OpenConnectionAsync();
                await using var where = new MySqlCommand("SELECT DATABASE()", connection);
                Assert.Equal(server.Database, (string?)await where.ExecuteScalarAsync());
                await Run(connection, "SET SESSION session_track_schema = OFF");
                if (usesText)
                    await Run(connection, "USE information_schema");
                else
                    await connection.ChangeDatabaseAsync("information_schema");
            }
        }
    }

    private static async Task Run(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
