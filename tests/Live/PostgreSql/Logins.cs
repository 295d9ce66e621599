using System.Data;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Every user of the lab's PostgreSQL, with every way to connect to it.</summary>
public class Logins
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    public static readonly TheoryData<string, string, bool> Ways = new()
    {
        { "scram-sha-256", "SSL Mode=Disable", true },
        { "scram-sha-256", "SSL Mode=Prefer", true },
        { "scram-sha-256", "SSL Mode=Require;Channel Binding=Require", true },
        { "scram-sha-256", "SSL Mode=Require;Channel Binding=Disable", true },
        { "scram-sha-256", "SSL Mode=VerifyFull;Root Certificate={ca}", true },
        { "scram-sha-256", "SSL Mode=VerifyFull;Root Certificate={ca};Require Auth=MD5", false },
        { "lab_special", "SSL Mode=Disable", true },
        { "md5", "SSL Mode=VerifyFull;Root Certificate={ca}", false },
        { "md5", "SSL Mode=Disable;Require Auth=MD5", true },
        { "password", "SSL Mode=Require", false },
        { "password", "SSL Mode=VerifyFull;Root Certificate={ca}", true },
        { "trust", "SSL Mode=Disable", true },
        { "trust", "SSL Mode=Disable;Require Auth=ScramSHA256", false },
        { "cert", "SSL Mode=VerifyFull;Root Certificate={ca}", false },
        { "cert", "SSL Mode=VerifyFull;Root Certificate={ca};SSL Certificate={pem};SSL Key={key}", true },
        { "cert", "SSL Mode=VerifyFull;Root Certificate={ca};SSL Certificate={pfx};SSL Password={pfxPassword}", true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Each_method_is_followed_where_it_may_be(string methodOrName, string options, bool works)
    {
        var server = await LiveServers.GetAsync(Kind);
        var user = server.RequireUser(methodOrName);
        options = options.Replace("{ca}", server.CaFile).Replace("{pem}", server.ClientCertificatePem).Replace("{key}", server.ClientKeyPem)
            .Replace("{pfxPassword}", server.ClientPfxPassword).Replace("{pfx}", server.ClientPfx);
        var text = new PgConnectionStringBuilder($"Host={server.Host};Port={server.Port};Database={server.Database};Pooling=false;{options}")
        {
            Username = user.Name,
            Password = user.Password
        };

        foreach (var asynchronously in new[] { false, true })
        {
            await using var connection = new PgConnection(text.ConnectionString);
            if (!works)
            {
                var error = await Assert.ThrowsAsync<PgException>(async () => await Open(connection, asynchronously));
                Assert.Equal(ErrorKind.AuthenticationFailed, error.Kind);
                Assert.Equal(ConnectionState.Closed, connection.State);
                continue;
            }

            await Open(connection, asynchronously);
            using var command = new PgCommand("select current_user::text", connection);
            Assert.Equal(user.Name, command.ExecuteScalar());
        }
    }

    [Fact]
    public async Task A_unix_socket_is_named_by_its_folder_or_its_path()
    {
        var server = await LiveServers.GetAsync(Kind);
        foreach (var host in new[] { server.UnixSocket, Path.GetDirectoryName(server.UnixSocket)! })
        {
            await using var connection = new PgConnection(
                $"Host={host};Port={server.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=VerifyFull");
            connection.Open();
            using var command = new PgCommand("select inet_server_addr() is null", connection);
            Assert.Equal(true, command.ExecuteScalar());
        }
    }

    [Fact]
    public async Task The_sessions_settings_arrive()
    {
        var server = await LiveServers.GetAsync(Kind);
        await using var connection = new PgConnection(
            ConnectionStrings.PostgreSql(server, "Application Name=an app;Search Path=pg_catalog;Timezone=Asia/Tokyo;Options=-c statement_timeout=77s"));
        connection.Open();
        foreach (var (name, value) in new[]
        {
            ("application_name", "an app"),
            ("search_path", "pg_catalog"),
            ("TimeZone", "Asia/Tokyo"),
            ("statement_timeout", "77s")
        })
        {
            using var command = new PgCommand($"show {name}", connection);
            Assert.Equal(value, command.ExecuteScalar());
        }

        Assert.Equal("Asia/Tokyo", connection.Timezone);
        Assert.Equal(connection.ServerVersion, connection.PostgreSqlVersion.ToString());
    }

    private static Task Open(PgConnection connection, bool asynchronously)
    {
        if (asynchronously)
            return connection.OpenAsync();
        connection.Open();
        return Task.CompletedTask;
    }
}
