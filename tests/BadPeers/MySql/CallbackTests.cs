using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;
using Slipstream.MySql.Authentication;

namespace Slipstream.BadPeers.MySql;

/// <summary>The application's own callbacks during a connection attempt: they supply passwords and verify certificates.</summary>
[Collection("MySQL, callbacks")]
public sealed class CallbackTests : MySqlPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_connections_callback_gives_the_password_when_there_is_none(bool asynchronously)
    {
        using var server = Expecting("somebody", "from the callback");
        await using var connection = new MySqlConnection(Options(server, "Pooling=false"))
        {
            ProvidePasswordCallback =
                static context => context.UserId == "somebody" && context.Database.Length == 0 && context.Port > 0 ? "from the callback" : "wrong",
        };
        await Open(connection, asynchronously);
        server.ThrowIfScriptFailed();
    }

    // The monitor logs in for all connections of the data source. It cannot ask the callbacks of one of them.
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task With_a_topology_a_connection_with_callbacks_of_its_own_is_refused_before_anything_is_sent(bool asynchronously, bool isPassword)
    {
        using var first = MySqlNode.Start(static () => false);
        using var second = MySqlNode.Start(static () => true);
        await using var connection = new MySqlConnection(
            $"Server={first.Address}:{first.Port},{second.Address}:{second.Port};User ID=somebody;SSL Mode=None;Topology=Auto;Connection Timeout=15");
        if (isPassword)
            connection.ProvidePasswordCallback = static _ => Password;
        else
            connection.RemoteCertificateValidationCallback = static (_, _, _, _) => false;
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => Open(connection, asynchronously));
        Assert.Contains("data source builder", failure.Message, StringComparison.Ordinal);
        Assert.Empty(first.Peers);
        Assert.Empty(second.Peers);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task What_a_callback_throws_ends_Open(bool asynchronously)
    {
        using var server = Expecting("somebody", "never");
        await using var connection =
            new MySqlConnection(Options(server, "Pooling=false")) { ProvidePasswordCallback = static _ => throw new InvalidOperationException("secret") };
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronously));
        Assert.Equal(MySqlErrorCode.ProvidePasswordCallbackFailed, failure.ErrorCode);
        Assert.DoesNotContain("secret", failure.Message);
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_provider_gives_the_users_name_too(bool asynchronously)
    {
        using var server = Expecting("else", "short-lived");
        await using var source = new MySqlDataSourceBuilder(Options(server, ""))
            .UseCredentialProvider(static async (_, token) =>
            {
                await Task.Yield();
                token.ThrowIfCancellationRequested();
                return new("short-lived", "else");
            }).Build();
        await using var connection = source.CreateConnection();
        await Open(connection, asynchronously);
        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_provider_that_never_answers_ends_with_the_connection_timeout(bool asynchronously)
    {
        using var server = Expecting("somebody", "never");
        await using var source = new MySqlDataSourceBuilder(Options(server, "Connection Timeout=1"))
            .UseCredentialProvider(static async (_, _) => await new TaskCompletionSource<MySqlCredential>().Task).Build();
        await using var connection = source.CreateConnection();
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronously).WaitAsync(Client.Deadline));
        Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_provider_that_cancels_itself_has_failed(bool asynchronously)
    {
        using var server = Expecting("somebody", "never");
        await using var source = new MySqlDataSourceBuilder(Options(server, ""))
            .UseCredentialProvider(static (_, _) => ValueTask.FromCanceled<MySqlCredential>(new CancellationToken(canceled: true))).Build();
        await using var connection = source.CreateConnection();
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronously));
        Assert.Equal(MySqlErrorCode.ProvidePasswordCallbackFailed, failure.ErrorCode);
        Assert.IsType<TaskCanceledException>(failure.InnerException);
    }

    [Fact]
    public async Task A_periodic_password_is_asked_once_within_its_time_and_outlives_failures()
    {
        var asked = 0;
        using var server = Expecting("somebody", "renewed");
        foreach (var (interval, expected) in new[] { (TimeSpan.FromHours(1), 1), (TimeSpan.Zero, 3) })
        {
            asked = 0;
            await using var source = new MySqlDataSourceBuilder(Options(server, "Pooling=false"))
                .UsePeriodicPasswordProvider(
                    (_, _) => ++asked == 1 ? new("renewed") : throw new InvalidOperationException("It is down."), interval, TimeSpan.Zero).Build();
            for (var i = 0; i < 3; i++)
                await (await source.OpenConnectionAsync()).DisposeAsync();
            Assert.Equal(expected, asked);
        }

        server.ThrowIfScriptFailed();
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public async Task The_applications_judgement_of_a_certificate_counts(bool asynchronously, bool accepts)
    {
        var certificate = Certificates.Untrusted;
        using var server = OverTls(certificate);
        var provided = 0;
        await using var connection = new MySqlConnection(Options(server, "Pooling=false;SSL Mode=Required"))
        {
            RemoteCertificateValidationCallback = (_, shown, _, _) => accepts && shown!.GetCertHashString() == certificate.GetCertHashString(),
            ProvideClientCertificatesCallback = _ =>
            {
                provided++;
                return default;
            },
        };
        if (accepts)
            await Open(connection, asynchronously);
        else
        {
            Assert.Contains("certificate", (await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronously))).Message);
            NeverSent(server, "somebody"u8);
        }

        Assert.Equal(1, provided);
    }

    [Theory]
    [InlineData("Preferred", false)]
    [InlineData("Preferred", true)]
    [InlineData("Required", false)]
    [InlineData("Required", true)]
    public async Task The_application_judges_with_the_chains_faults_before_its_eyes_each_time(string mode, bool ofDataSource)
    {
        var certificate = Certificates.OtherHost;
        using var server = OverTls(certificate);
        List<(SslPolicyErrors, X509ChainStatusFlags)> seen = [];
        bool Judge(object sender, X509Certificate? shown, X509Chain? chain, SslPolicyErrors errors)
        {
            seen.Add((errors, chain!.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, static (all, one) => all | one.Status)));
            return true;
        }

        // A connection that verifies nothing comes first: the driver must not reuse its TLS session as a verified one.
        await using (var careless = new MySqlConnection(Options(server, $"Pooling=false;SSL Mode={mode}")))
            await careless.OpenAsync(TestContext.Current.CancellationToken);
        var builder = new MySqlDataSourceBuilder(Options(server, $"Pooling=false;SSL Mode={mode}"));
        await using var source = (ofDataSource ? builder.UseRemoteCertificateValidationCallback(Judge) : builder).Build();
        for (var i = 0; i < 3; i++)
        {
            await using var connection = source.CreateConnection();
            if (!ofDataSource)
                connection.RemoteCertificateValidationCallback = Judge;
            await Open(connection, asynchronously: i > 0);
        }

        Assert.Equal(3, seen.Count);
        Assert.All(seen, static one =>
        {
            Assert.Equal(SslPolicyErrors.RemoteCertificateChainErrors | SslPolicyErrors.RemoteCertificateNameMismatch, one.Item1);
            Assert.Equal(X509ChainStatusFlags.UntrustedRoot, one.Item2 & X509ChainStatusFlags.UntrustedRoot);
        });
    }

    [Theory]
    [InlineData("VerifyCA")]
    [InlineData("VerifyFull")]
    public async Task Where_the_driver_verifies_the_application_cannot_accept_more(string mode)
    {
        var certificate = Certificates.OtherHost;
        using var server = OverTls(certificate);
        var asked = false;
        await using var connection = new MySqlConnection(Options(server, $"Pooling=false;SSL Mode={mode}"))
        {
            RemoteCertificateValidationCallback = (_, _, _, _) => asked = true,
        };
        await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronously: true));
        Assert.False(asked);
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false, false), InlineData(false, true), InlineData(true, false), InlineData(true, true)]
    public async Task What_the_certificates_callback_throws_ends_Open(bool asynchronously, bool later)
    {
        var certificate = Certificates.Untrusted;
        using var server = FakeServer.Start(peer =>
        {
            peer.Send(MySqlWords.Greeting("caching_sha2_password", MySqlWords.Capabilities | MySqlWords.Tls));
            peer.ReadPacket();
            peer.UpgradeToTls(certificate);
        });
        await using var connection = new MySqlConnection(Options(server, "Pooling=false;SSL Mode=Required"))
        {
            ProvideClientCertificatesCallback = async _ =>
            {
                if (later)
                    await Task.Yield();
                throw new InvalidOperationException("secret");
            },
        };
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Open(connection, asynchronously));
        Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
        Assert.Contains("InvalidOperationException", failure.Message);
        Assert.DoesNotContain("secret", failure.Message);
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
    }

    private static string Options(FakeServer server, string more) =>
        $"Server={server.Address};Port={server.Port};User ID=somebody;Connection Timeout=30;Pipelining "
            + $"Mode=On;{(more.Contains("SSL Mode", StringComparison.Ordinal) ? "" : "SSL Mode=None;")}{more}";

    private static FakeServer OverTls(X509Certificate2 certificate) => FakeServer.Start(peer =>
    {
        peer.Send(MySqlWords.Greeting("caching_sha2_password", MySqlWords.Capabilities | MySqlWords.Tls));
        peer.ReadPacket();
        peer.UpgradeToTls(certificate);
        peer.ReadPacket();
        peer.Send(MySqlWords.Ok(3));
    });

    private static Task Open(MySqlConnection connection, bool asynchronously) => asynchronously ? connection.OpenAsync() : Task.Run(connection.Open);

    private static FakeServer Expecting(string user, string password) => FakeServer.Start(peer =>
    {
        peer.Send(MySqlWords.Greeting("mysql_native_password"));
        var payload = peer.ReadPacket().Payload;
        if (payload.AsSpan().IndexOf((byte[])[.. Encoding.UTF8.GetBytes(user), 0]) < 0
            || payload.AsSpan().IndexOf(NativePassword.Respond(MySqlWords.Nonce, Encoding.UTF8.GetBytes(password))) < 0)
            throw new InvalidDataException("Another user or password was expected.");
        peer.Send(MySqlWords.Ok(2));
    });
}
