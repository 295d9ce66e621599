using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>An account whose password has expired: refused, or accepted so that the user can change it.</summary>
public class ExpiredPasswordTests
{
    public static TheoryData<ServerKind, string, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, string, bool>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 })
            {
                ways.Add(kind, "", false);
                ways.Add(kind, "", true);
                ways.Add(kind, "Use Compression=true;Reset Mode=Never", true);
                ways.Add(kind, "Pipelining Mode=On;Reset Mode=Tracked", true);
                ways.Add(kind, "Pipelining Mode=Off", false);
            }

            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Who_may_is_let_in_changes_it_and_goes_on_and_nobody_else_gets_the_session(ServerKind kind, string more, bool asynchronously)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var administrator = new MySqlConnection(ConnectionStrings.Of(server));
        await administrator.OpenAsync();
        var name = $"expired_{Environment.ProcessId}_{administrator.ServerThread}";
        await ExecuteAsync(administrator, $"CREATE USER '{name}'@'%' IDENTIFIED BY 'Old-1-password' PASSWORD EXPIRE");
        try
        {
            string Options(string password) =>
                $"Server={server.Host};Port={server.Port};User ID={name};Password={password};SSL Mode=Required;Can Handle Expired Passwords=true;{more}";
            await using var source = new MySqlDataSource(Options("Old-1-password"));
            for (var session = 0; session < 2; session++)
            {
                // Twice: the first session learns more about the server than the second.
                await using var first = source.CreateConnection();
                await OpenAsync(first, asynchronously);
                Assert.True(first.IsPasswordExpired);
                Assert.Equal(1820, (await Assert.ThrowsAsync<MySqlException>(() => ExecuteAsync(first, "SELECT 1"))).Number);
                if (session == 0)
                    continue;
                await ExecuteAsync(
                    first, kind == ServerKind.MySql ? "ALTER USER USER() IDENTIFIED BY 'New-2-password'" : "SET PASSWORD = PASSWORD('New-2-password')");
                for (var i = 0; i < 4; i++)
                    Assert.Equal(7, Convert.ToInt32(await ExecuteAsync(first, "SELECT 7")));
            }

            // If the session had returned to the pool, the old password would still open a connection.
            await using var old = source.CreateConnection();
            Assert.Equal(MySqlErrorCode.AccessDenied, (await Assert.ThrowsAsync<MySqlException>(() => OpenAsync(old, asynchronously))).ErrorCode);

            await using var renewed = new MySqlDataSource(Options("New-2-password"));
            for (var i = 0; i < 2; i++)
            {
                await using var connection = renewed.CreateConnection();
                await OpenAsync(connection, asynchronously);
                Assert.False(connection.IsPasswordExpired);
                Assert.Equal(7, Convert.ToInt32(await ExecuteAsync(connection, "SELECT 7")));
            }

            Assert.Equal(1, renewed.Statistics.Idle);
        }
        finally
        {
            await ExecuteAsync(administrator, $"DROP USER '{name}'@'%'");
        }
    }

    private static Task OpenAsync(MySqlConnection connection, bool asynchronously) => asynchronously ? connection.OpenAsync() : Task.Run(connection.Open);

    private static async Task<object?> ExecuteAsync(MySqlConnection connection, string sql)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        return await command.ExecuteScalarAsync();
    }
}
