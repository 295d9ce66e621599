using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>
/// Before a KILL, the driver queries the list of sessions. MySQL answers that query with error 3854 while a session runs a text that utf8mb3 cannot represent,
/// for example the session to be stopped.
/// </summary>
public class KillQuestionTests
{
    public static TheoryData<ServerKind, string, bool> Cases
    {
        get
        {
            var cases = new TheoryData<ServerKind, string, bool>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
            {
                foreach (var options in (string[])["SSL Mode=None;Allow Public Key Retrieval=true", "SSL Mode=Required"])
                {
                    cases.Add(kind, options, false);
                    cases.Add(kind, options, true);
                }
            }

            return cases;
        }
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task A_text_that_utf8mb3_cannot_hold_is_stopped_like_any_other(ServerKind kind, string options, bool asynchronously)
    {
        await using var connection =
            new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), options + ";Pooling=false;Cancellation Timeout=20"));
        await connection.OpenAsync();
        var number = connection.ServerThread;
        await using var command = new MySqlCommand("SELECT SLEEP(30), '😀'", connection) { CommandTimeout = 1 };
        var failure =
            asynchronously
                ? await Assert.ThrowsAsync<MySqlException>(() => command.ExecuteScalarAsync())
                : Assert.Throws<MySqlException>(() => command.ExecuteScalar());
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, failure.ErrorCode);
        await using var next = new MySqlCommand("SELECT CONNECTION_ID()", connection);
        Assert.Equal(number, Convert.ToInt32(next.ExecuteScalar(), null));
    }
}
