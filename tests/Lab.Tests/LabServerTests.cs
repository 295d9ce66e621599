using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Testing;

namespace Slipstream.Lab.Tests;

/// <summary>The guarantees of the lab, checked with real servers.</summary>
public sealed class LabServerTests
{
    public static TheoryData<ServerKind> Kinds => [.. ServerKinds.All];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static async Task<Stream> ConnectAsync(EndPoint endPoint)
    {
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, endPoint is UnixDomainSocketEndPoint ? ProtocolType.Unspecified : ProtocolType.Tcp);
        await socket.ConnectAsync(endPoint, Token);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static IPEndPoint Tcp(LabServer server) => new IPEndPoint(IPAddress.Parse(server.Host), server.Port);

    /// <summary>Exchanges only what shows that the server offers TLS: MySQL's greeting and SSLRequest, or PostgreSQL's SSLRequest.</summary>
    private static async Task AskForTlsAsync(ServerKind kind, Stream stream)
    {
        if (kind.IsPostgreSql())
        {
            // Length 8, code 80877103.
            await stream.WriteAsync(new byte[] { 0, 0, 0, 8, 4, 210, 22, 47 }, Token);
            var answer = new byte[1];
            await stream.ReadExactlyAsync(answer, Token);
            Assert.Equal((byte)'S', answer[0]);
            return;
        }

        var header = new byte[4];
        await stream.ReadExactlyAsync(header, Token);
        var greeting = new byte[header[0] | header[1] << 8];
        await stream.ReadExactlyAsync(greeting, Token);
        Assert.Equal(10, greeting[0]);
        // CLIENT_PROTOCOL_41 | CLIENT_SSL | CLIENT_SECURE_CONNECTION | CLIENT_PLUGIN_AUTH, 16 MiB packets, utf8mb4.
        var request = new byte[36];
        new byte[] { 32, 0, 0, 1, 0x00, 0x8A, 0x08, 0x00, 0, 0, 0, 1, 45 }.CopyTo(request, 0);
        await stream.WriteAsync(request, Token);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_server_answers_on_tcp_and_on_its_unix_socket(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using (var tcp = await ConnectAsync(Tcp(server)))
            await AskForTlsAsync(kind, tcp);
        if (server.UnixSocket.Length == 0)
            return;
        await using var stream = await ConnectAsync(new UnixDomainSocketEndPoint(server.UnixSocket));
        var first = new byte[1];
        // PostgreSQL offers no TLS on a unix socket and reports that; the other servers send their greeting there, too.
        if (kind.IsPostgreSql())
            await stream.WriteAsync(new byte[] { 0, 0, 0, 8, 4, 210, 22, 47 }, Token);
        Assert.Equal(1, await stream.ReadAsync(first, Token));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task The_server_shows_the_certificate_that_its_ca_file_vouches_for(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        Assert.SkipWhen(server.CaFile.Length == 0, $"{kind.Variable()} names no CA file.");
        await using var stream = await ConnectAsync(Tcp(server));
        await AskForTlsAsync(kind, stream);

        await using var tls = new SslStream(stream);
        await tls.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                CustomTrustStore = { X509CertificateLoader.LoadCertificateFromFile(server.CaFile) },
                RevocationMode = X509RevocationMode.NoCheck,
            },
        }, Token);
        Assert.True(tls.IsEncrypted);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Everybody_who_asks_at_once_gets_the_same_server(ServerKind kind)
    {
        await LiveServers.GetAsync(kind);
        var servers = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => LabServer.StartAsync(kind, Token)));
        Assert.Single(servers.Select(server => server.Port).Distinct());
        foreach (var server in servers)
            await server.DisposeAsync();
    }

    [Theory]
    [InlineData(ServerKind.MariaDb, "mysql_native_password")]
    [InlineData(ServerKind.MariaDb, "client_ed25519")]
    [InlineData(ServerKind.MariaDb11, "parsec")]
    [InlineData(ServerKind.MariaDb11, "caching_sha2_password")]
    [InlineData(ServerKind.MySql, "caching_sha2_password")]
    [InlineData(ServerKind.MySql, "sha256_password")]
    [InlineData(ServerKind.PostgreSql, "scram-sha-256")]
    [InlineData(ServerKind.PostgreSql, "md5")]
    [InlineData(ServerKind.PostgreSql, "trust")]
    [InlineData(ServerKind.PostgreSql18, "scram-sha-256")]
    [InlineData(ServerKind.PostgreSql18, "md5")]
    [InlineData(ServerKind.PostgreSql18, "trust")]
    public async Task There_is_a_user_for_each_authentication_method(ServerKind kind, string method)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser(method);
        Assert.Equal(method, user.Method);
        Assert.Equal("", user.Notes);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_private_server_can_be_frozen_stopped_killed_and_started_again(ServerKind kind)
    {
        var shared = await LiveServers.GetAsync(kind);
        await using var server = await LiveServers.StartPrivateAsync(kind);
        Assert.NotEqual(shared.Port, server.Port);
        var port = server.Port;

        server.Pause();
        await using (var frozen = await ConnectAsync(Tcp(server)))
        {
            await frozen.WriteAsync(new byte[] { 0, 0, 0, 8, 4, 210, 22, 47 }, Token);
            var answer = frozen.ReadAsync(new byte[1], Token).AsTask();
            // A server that runs answers within this time.
            Assert.NotSame(answer, await Task.WhenAny(answer, Task.Delay(300, Token)));
            server.Continue();
            Assert.Equal(1, await answer.WaitAsync(TimeSpan.FromSeconds(20), Token));
        }

        await server.StopAsync();
        await Assert.ThrowsAsync<SocketException>(() => ConnectAsync(Tcp(server)));
        await server.StartAgainAsync(Token);
        Assert.Equal(port, server.Port);
        await using (var stream = await ConnectAsync(Tcp(server)))
            await AskForTlsAsync(kind, stream);

        await server.KillAsync();
        await Assert.ThrowsAsync<SocketException>(() => ConnectAsync(Tcp(server)));
        await server.StartAgainAsync(Token);
        await using (var stream = await ConnectAsync(Tcp(server)))
            await AskForTlsAsync(kind, stream);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_private_server_leaves_nothing_behind(ServerKind kind)
    {
        await LiveServers.GetAsync(kind);
        var server = await LiveServers.StartPrivateAsync(kind);
        var folder = Path.GetDirectoryName(Path.GetDirectoryName(server.UnixSocket))!;
        Assert.True(Directory.Exists(folder));
        await server.DisposeAsync();

        Assert.False(Directory.Exists(folder));
        Assert.True(FreePort.IsFree(server.Port));
    }

    [Fact]
    public async Task Extra_arguments_win()
    {
        await LiveServers.GetAsync(ServerKind.MariaDb);
        await using var server = await LiveServers.StartPrivateAsync(ServerKind.MariaDb, "--max-connections=10", "--ssl=0");
        await using var stream = await ConnectAsync(Tcp(server));
        var header = new byte[4];
        await stream.ReadExactlyAsync(header, Token);
        var greeting = new byte[header[0]];
        await stream.ReadExactlyAsync(greeting, Token);
        // Protocol, version and its zero, thread id, 8 bytes of scramble and a zero; then the lower capabilities, of which CLIENT_SSL is bit 11.
        var capabilities = Array.IndexOf(greeting, (byte)0) + 1 + 4 + 8 + 1;
        Assert.Equal(0, greeting[capabilities + 1] & 0x08);
    }

    [Fact]
    public async Task MariaDBs_threads_keep_the_memory_that_large_values_took()
    {
        await using var server = await LiveServers.StartPrivateAsync(ServerKind.MariaDb);

        var variables = (await File.ReadAllTextAsync($"/proc/{server.ProcessId}/environ", Token)).Split('\0');

        Assert.Contains("MALLOC_TOP_PAD_=67108864", variables);
    }

    [Fact]
    public async Task A_shared_server_cannot_be_stopped_by_one_of_its_users()
    {
        await LiveServers.GetAsync(ServerKind.MariaDb);
        await using var server = await LabServer.StartAsync(ServerKind.MariaDb, Token);
        await Assert.ThrowsAsync<InvalidOperationException>(server.KillAsync);
    }
}
