using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

public class LongScriptTests
{
    // 15 MB of requests and 30 MB of answers: more than the buffers between two peers hold if neither reads.
    private const int Statements = 150_000;

    [Theory]
    [InlineData(false, "Disable")]
    [InlineData(true, "Disable")]
    [InlineData(false, "Require")]
    [InlineData(true, "Require")]
    public async Task Statements_are_sent_while_answers_are_received(bool asynchronous, string mode)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(server, $"Pooling=false;SSL Mode={mode}"));
        await connection.OpenAsync();
        var script = new StringBuilder();
        for (var i = 0; i < Statements; i++)
            script.Append("SELECT REPEAT('x', 100);\n");
        await using var command = connection.CreateCommand();
        command.CommandText = script.ToString();
        Assert.Equal(-1, asynchronous ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery());
        command.CommandText = "SELECT 7";
        Assert.Equal(7, asynchronous ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
    }
}
