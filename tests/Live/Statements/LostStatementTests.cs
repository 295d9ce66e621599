using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Sessions;
using Slipstream.Testing;

namespace Slipstream.Live.Statements;

/// <summary>The server has lost a prepared statement: the application does not notice it.</summary>
public class LostStatementTests
{
    private const string Sql = "SELECT id, name FROM lost_rows WHERE id = @id";

    public static TheoryData<ServerKind, bool> ServersAndWays => new()
    {
        { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true }, { ServerKind.MariaDb11, false },
        { ServerKind.MariaDb11, true },
    };

    [Theory]
    [MemberData(nameof(ServersAndWays))]
    public async Task An_execution_whose_statement_is_gone_is_prepared_again(ServerKind kind, bool explicitly)
    {
        await using var connection = await OpenAsync(kind);
        foreach (var asynchronous in (bool[])[false, true])
        {
            for (var round = 0; round < 3; round++)
            {
                await using var command = new MySqlCommand(Sql, connection) { Parameters = { new("@id", 2) } };
                if (explicitly)
                    command.Prepare();
                for (var i = 0; i < 4; i++)
                {
                    Lose(connection);
                    await using (var reader = asynchronous ? await command.ExecuteReaderAsync() : command.ExecuteReader())
                    {
                        Assert.True(reader.Read());
                        Assert.Equal("two", reader.GetString(1));
                        Assert.False(reader.Read());
                    }

                    Lose(connection);
                    Assert.Equal(2, asynchronous ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
                }

                await using var update = new MySqlCommand("UPDATE lost_rows SET hits = hits + 1 WHERE id = @id", connection) { Parameters = { new("@id", 1) } };
                if (explicitly)
                    update.Prepare();
                for (var i = 0; i < 4; i++)
                {
                    Lose(connection);
                    Assert.Equal(1, asynchronous ? await update.ExecuteNonQueryAsync() : update.ExecuteNonQuery());
                }
            }
        }

        await using var hits = new MySqlCommand("SELECT hits FROM lost_rows WHERE id = 1", connection);
        Assert.Equal(24, hits.ExecuteScalar());
    }

    [Theory]
    [MemberData(nameof(ServersAndWays))]
    public async Task A_batch_goes_on_from_the_command_whose_statement_is_gone(ServerKind kind, bool continues)
    {
        await using var connection = await OpenAsync(kind);
        for (var round = 0; round < 8; round++)
        {
            // The first statement is lost, or one in the middle.
            await using var batch = new MySqlBatch(connection) { BatchErrors = continues ? MySqlBatchErrors.Continue : MySqlBatchErrors.Stop };
            for (var i = 0; i < 6; i++)
                batch.BatchCommands.Add(
                    new MySqlBatchCommand(i == 3 && round % 2 == 0 ? "SELECT id, name, hits FROM lost_rows WHERE id = @id" : Sql)
                    {
                        Parameters = { new("@id", i % 3 + 1) }
                    });
            if (round > 3)
                Lose(connection);
            if (round == 7)
            {
                Assert.Equal(1, batch.ExecuteScalar());
                continue;
            }

            await using var reader = await batch.ExecuteReaderAsync();
            for (var i = 0; i < 6; i++)
            {
                Assert.True(reader.Read());
                Assert.Equal(i % 3 + 1, reader.GetInt32(0));
                Assert.False(reader.Read());
                Assert.Equal(i < 5, reader.NextResult());
            }
        }
    }

    [Theory]
    [MemberData(nameof(ServersAndWays))]
    public async Task Rows_that_were_merged_are_written_once_when_their_statement_is_gone(ServerKind kind, bool asynchronous)
    {
        await using var connection = await OpenAsync(kind);
        for (var round = 0; round < 8; round++)
        {
            await using var batch = new MySqlBatch(connection);
            for (var i = 0; i < 5; i++)
                batch.BatchCommands.Add(
                    new MySqlBatchCommand("INSERT INTO lost_rows (id, name) VALUES (@id, @name)")
                    {
                        Parameters = { new("@id", 10 + round * 5 + i), new("@name", "more") }
                    });
            if (round > 3)
                Lose(connection);
            Assert.Equal(5, asynchronous ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery());
        }

        await using var count = new MySqlCommand("SELECT count(*) FROM lost_rows", connection);
        Assert.Equal(43L, count.ExecuteScalar());
    }

    // Closes all prepared statements without the session's knowledge.
    private static void Lose(MySqlConnection connection)
    {
        var session = connection.MySqlSession;
        for (var id = 1u; id <= 200; id++)
            StatementClose.Write(session.Wire.Out, id);
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;Auto Prepare Min Uses=1"));
        await connection.OpenAsync();
        foreach (var sql in (string[])[
            "CREATE TEMPORARY TABLE lost_rows (id INT PRIMARY KEY, name VARCHAR(9), hits INT DEFAULT 0)",
            "INSERT INTO lost_rows (id, name) VALUES (1, 'one'), (2, 'two'), (3, 'three')"
        ])
        {
            await using var command = new MySqlCommand(sql, connection);
            await command.ExecuteNonQueryAsync();
        }

        return connection;
    }
}
