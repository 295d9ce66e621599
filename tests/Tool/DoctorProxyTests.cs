using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Tool.Tests;

/// <summary>doctor behind proxies that begin or end TLS, and with accounts that may have few connections.</summary>
public sealed class DoctorProxyTests
{
    private static readonly byte[] SslRequest = [0, 0, 0, 8, 4, 210, 22, 47];

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    // What the server says about TLS is true for the proxy's connection only.
    [Fact]
    public async Task A_proxy_that_begins_TLS_does_not_hide_that_the_program_has_none()
    {
        var finding = await TlsFindingAsync("SSL Mode=Disable", static stream => Task.FromResult<Stream>(stream), static async stream =>
        {
            await stream.WriteAsync(SslRequest, Stop);
            await stream.ReadExactlyAsync(new byte[1], Stop);
            var tls = new SslStream(stream, leaveInnerStreamOpen: false, static (_, _, _, _) => true);
            await tls.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost" }, Stop);
            return tls;
        });
        Assert.StartsWith("No TLS to a proxy on this machine, which uses TLSv1.", finding, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_proxy_that_ends_TLS_is_found()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        var finding = await TlsFindingAsync("SSL Mode=Require;SSL Negotiation=Direct", async stream =>
        {
            var tls = new SslStream(stream);
            var protocols = new List<SslApplicationProtocol> { new("postgresql") };
            await tls.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate, ApplicationProtocols = protocols }, Stop);
            return tls;
        }, static stream => Task.FromResult<Stream>(stream));
        Assert.StartsWith("TLS ends at a proxy", finding, StringComparison.Ordinal);
    }

    // What was found on the first connection is not lost.
    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    [InlineData(ServerKind.PostgreSql)]
    public async Task An_account_with_one_connection_is_a_problem_and_not_the_end(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var name = $"tool_{Environment.ProcessId}_{kind}".ToLowerInvariant();
        await using System.Data.Common.DbDataSource admin = kind.IsPostgreSql()
            ? PgDataSource.Create(ConnectionStrings.Of(server))
            : new MySqlDataSource(ConnectionStrings.Of(server));
        async Task Execute(string sql)
        {
            await using var command = admin.CreateCommand(sql);
            await command.ExecuteNonQueryAsync(Stop);
        }

        await Execute(kind.IsPostgreSql()
            ? $"CREATE ROLE {name} LOGIN PASSWORD 'hunter-2-two' CONNECTION LIMIT 1"
            : $"CREATE USER {name} IDENTIFIED BY 'hunter-2-two' WITH MAX_USER_CONNECTIONS 1");
        try
        {
            var options = kind.IsPostgreSql() ? $"Username={name};Password=hunter-2-two" : $"User ID={name};Password=hunter-2-two;Database=";
            var (code, output, error) = await Run.ToolAsync(
                "doctor", ConnectionStrings.Of(server, options), "--provider", kind.IsPostgreSql() ? "postgresql" : "mysql", "--samples", "1", "--json");
            Assert.Equal((1, ""), (code, error));
            using var document = JsonDocument.Parse(output);
            var checks = document.RootElement.GetProperty("checks").EnumerateArray().ToDictionary(static check => check.GetProperty("id").GetString()!);
            Assert.Equal("problem", checks["round-trips"].GetProperty("level").GetString());
            Assert.Equal("problem", checks["connect"].GetProperty("level").GetString());
            Assert.StartsWith("A further connection failed: ", checks["connect"].GetProperty("finding").GetString(), StringComparison.Ordinal);
            Assert.Equal("ok", checks["server"].GetProperty("level").GetString());
            Assert.DoesNotContain("hunter-2-two", output, StringComparison.Ordinal);
        }
        finally
        {
            await Execute(kind.IsPostgreSql() ? $"DROP ROLE {name}" : $"DROP USER {name}");
        }
    }

    private static async Task<string> TlsFindingAsync(string options, Func<Stream, Task<Stream>> toClient, Func<Stream, Task<Stream>> toServer)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var accepting = AcceptAsync(listener, server, toClient, toServer);
        var (code, output, error) = await Run.ToolAsync(
            "doctor", ConnectionStrings.Of(server, $"Host=127.0.0.1;Port={((IPEndPoint)listener.LocalEndpoint).Port};{options}"), "--samples", "1", "--json");
        Assert.True(code is 0 or 1, output + error);
        listener.Stop();
        await accepting;
        using var document = JsonDocument.Parse(output);
        return document.RootElement.GetProperty("checks").EnumerateArray().Single(static check => check.GetProperty("id").GetString() == "tls")
            .GetProperty("finding").GetString()!;
    }

    private static async Task AcceptAsync(TcpListener listener, LabServer server, Func<Stream, Task<Stream>> toClient, Func<Stream, Task<Stream>> toServer)
    {
        var connections = new List<Task>();
        try
        {
            while (true)
                connections.Add(RelayAsync(await listener.AcceptTcpClientAsync(Stop), server, toClient, toServer));
        }
        catch (SocketException)
        {
            // The test has ended.
        }

        await Task.WhenAll(connections);
    }

    private static async Task RelayAsync(TcpClient client, LabServer server, Func<Stream, Task<Stream>> toClient, Func<Stream, Task<Stream>> toServer)
    {
        using (client)
        using (var other = new TcpClient())
        {
            try
            {
                await other.ConnectAsync(server.Host, server.Port, Stop);
                await using var near = await toClient(client.GetStream());
                await using var far = await toServer(other.GetStream());
                await Task.WhenAny(near.CopyToAsync(far, Stop), far.CopyToAsync(near, Stop));
            }
            catch (Exception exception) when (exception is IOException or SocketException or AuthenticationException)
            {
                // One of the two has ended the connection.
            }
        }
    }
}
