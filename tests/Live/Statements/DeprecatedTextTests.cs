using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Sessions;

namespace Slipstream.Live.Statements;

/// <summary>MySQL sends a warning for a deprecated text when it parses the text: the driver does not prepare such a text automatically.</summary>
public sealed class DeprecatedTextTests
{
    [Theory]
    [InlineData("SELECT id, id || '' FROM deprecated_rows WHERE id = @id", false)]
    [InlineData("SELECT id, id || '' FROM deprecated_rows WHERE id = @id", true)]
    [InlineData("SELECT id || '' FROM deprecated_rows", false)]
    [InlineData("INSERT INTO deprecated_rows (id) VALUES (@id) ON DUPLICATE KEY UPDATE id = VALUES(id)", false)]
    public async Task A_deprecated_text_is_warned_of_at_each_execution(string sql, bool changesMode)
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server, "Pooling=false;Auto Prepare Min Uses=1"));
        await using var connection = await source.OpenConnectionAsync();
        await Run("CREATE TEMPORARY TABLE deprecated_rows (id INT PRIMARY KEY)");
        await Run("INSERT INTO deprecated_rows VALUES (1)");
        if (changesMode)
        {
            await Run("SET sql_mode = 'PIPES_AS_CONCAT'");
            for (var i = 0; i < 4; i++)
                await Run(sql);
            Assert.True(connection.MySqlSession.Prepared.Count > 0);
            await Run("SET sql_mode = ''");
            // The driver prepares it once more, and the warning comes with the answer to PREPARE.
            await Run(sql);
        }

        for (var i = 0; i < 6; i++)
        {
            await Run(sql);
            await using var warnings = new MySqlCommand("SHOW WARNINGS", connection);
            await using var reader = await warnings.ExecuteReaderAsync();
            Assert.True(await reader.ReadAsync(), $"execution {i} is not warned of");
            Assert.Equal(1287, reader.GetInt32(1));
        }

        async Task Run(string text)
        {
            await using var command = new MySqlCommand(text, connection) { Parameters = { new("@id", 1) } };
            await command.ExecuteNonQueryAsync();
        }
    }
}
