#pragma warning disable CS0618 // Npgsql's obsolete members exist here, too.
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>The application's own callbacks during a connection attempt: they supply passwords, certificates and authorities, and verify servers.</summary>
[Collection("PostgreSQL, callbacks")]
public sealed class CallbackTests : PgPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_provider_gives_the_password_that_the_server_asks_for(bool asynchronously)
    {
        using var server = Expecting("short-lived");
        List<string> seen = [];
        await using var source = new PgDataSourceBuilder(Options(server))
            .UsePasswordProvider(
                options =>
                {
                    seen.Add($"sync {options.Username}@{options.Host}:{options.Port}/{options.Database}");
                    return "short-lived";
                },
                async (options, token) =>
                {
                    seen.Add($"async {options.Username}@{options.Host}:{options.Port}/{options.Database}");
                    await Task.Yield();
                    token.ThrowIfCancellationRequested();
                    return "short-lived";
                }).Build();
        await using var connection = source.CreateConnection();
        await Open(connection, asynchronously);
        server.ThrowIfScriptFailed();
        Assert.Equal([$"{(asynchronously ? "async" : "sync")} somebody@{server.Address}:{server.Port}/db"], seen);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_provider_is_not_asked_where_the_server_wants_no_password(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.WelcomePg());
        await using var source = new PgDataSourceBuilder(Options(server))
            .UsePasswordProvider(static _ => throw new InvalidOperationException(), static (_, _) => throw new InvalidOperationException()).Build();
        await using var connection = source.CreateConnection();
        await Open(connection, asynchronously);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_provider_is_not_asked_for_a_password_that_the_server_may_not_have(bool asynchronously)
    {
        var asked = false;
        using var server = FakeServer.Start(static peer =>
        {
            peer.ReadStartupWithoutTls();
            peer.Send(PgWords.Authentication(3));
        });
        await using var source = new PgDataSourceBuilder(Options(server, "Require Auth=ScramSHA256"))
            .UsePeriodicPasswordProvider(
                (_, _) =>
                {
                    asked = true;
                    return new("never");
                }, TimeSpan.Zero, TimeSpan.Zero).Build();
        await using var connection = source.CreateConnection();
        IsConnectFailure(server, await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously)));
        Assert.False(asked);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task What_a_provider_throws_ends_Open(bool asynchronously)
    {
        using var server = Expecting("never");
        await using var source = new PgDataSourceBuilder(Options(server))
            .UsePasswordProvider(static _ => throw new FormatException("secret"), static (_, _) => throw new FormatException("secret")).Build();
        await using var connection = source.CreateConnection();
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
        Assert.IsType<FormatException>(failure.InnerException);
        Assert.DoesNotContain("secret", failure.Message);
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_provider_that_never_answers_ends_with_the_time_out(bool asynchronously)
    {
        using var server = Expecting("never");
        await using var source = new PgDataSourceBuilder(Options(server, "Timeout=1"))
            .UsePeriodicPasswordProvider(static async (_, _) => await new TaskCompletionSource<string>().Task, TimeSpan.Zero, TimeSpan.Zero).Build();
        await using var connection = source.CreateConnection();
        var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously).WaitAsync(Client.Deadline));
        Assert.Contains("password callback", failure.Message);
    }

    [Fact]
    public async Task A_periodic_password_is_asked_once_within_its_time_and_outlives_failures()
    {
        using var server = Expecting("renewed");
        foreach (var (interval, expected) in new[] { (TimeSpan.FromHours(1), 1), (TimeSpan.Zero, 3) })
        {
            var asked = 0;
            await using var source = new PgDataSourceBuilder(Options(server, "Pooling=false"))
                .UsePeriodicPasswordProvider(
                    (_, _) => ++asked == 1 ? new("renewed") : throw new InvalidOperationException("It is down."), interval, TimeSpan.Zero).Build();
            for (var i = 0; i < 3; i++)
                await (await source.OpenConnectionAsync(TestContext.Current.CancellationToken)).DisposeAsync();
            Assert.Equal(expected, asked);
        }

        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_new_password_of_the_data_source_counts_from_the_next_session_on(bool asynchronously)
    {
        using var server = Expecting("first", "second", "first");
        await using var source = PgDataSource.Create(Options(server, "Password=first;Pooling=false"));
        foreach (var password in new[] { null, "second", "" })
        {
            source.Password = password;
            await using var connection = source.CreateConnection();
            await Open(connection, asynchronously);
        }

        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false, ""), InlineData(true, ""), InlineData(true, "Password=of the string")]
    public async Task A_connections_callback_gives_the_password_when_there_is_none(bool asynchronously, string options)
    {
        using var server = Expecting(options.Length > 0 ? "of the string" : "from the callback");
        await using var connection = new PgConnection(Options(server, "Pooling=false;" + options))
        {
            ProvidePasswordCallback = (host, port, database, user) =>
                host == server.Address.ToString() && port == server.Port && database == "db" && user == "somebody" ? "from the callback" : "wrong",
        };
        await using var clone = connection.Clone();
        await using var other = await connection.CloneWithAsync(Options(server, "Pooling=false;Application Name=other;" + options), default);
        foreach (var one in new[] { connection, clone, other })
            await Open(one, asynchronously);
        server.ThrowIfScriptFailed();
        Assert.Same(connection.ProvidePasswordCallback, clone.ProvidePasswordCallback);
    }

    [Theory, InlineData(false, UnixFileMode.None), InlineData(true, UnixFileMode.None), InlineData(true, UnixFileMode.GroupRead)]
    public async Task A_password_file_that_no_other_user_can_read_has_the_password(bool asynchronously, UnixFileMode others)
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no such modes.");
            return;
        }

        using var server = Expecting("from the file");
        var path = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(path, $"{server.Address}:{server.Port}:db:somebody:from the file\n", TestContext.Current.CancellationToken);
            File.SetUnixFileMode(path, UnixFileMode.UserRead | others);
            await using var connection = new PgConnection(Options(server, $"Pooling=false;Passfile={path}"));
            if (others == UnixFileMode.None)
                await Open(connection, asynchronously);
            else
                Assert.Contains("set Password", (await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously))).Message);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void There_is_one_source_of_the_password_only()
    {
        static PgDataSourceBuilder Provided(string more) =>
            new PgDataSourceBuilder("Host=h;" + more).UsePasswordProvider(static _ => "", static (_, _) => new(""));

        Assert.Throws<NotSupportedException>(Provided("Password=x").Build);
        Assert.Throws<NotSupportedException>(Provided("").UsePeriodicPasswordProvider(static (_, _) => new(""), TimeSpan.Zero, TimeSpan.Zero).Build);
        using var source = Provided("").Build();
        Assert.Throws<NotSupportedException>(() => source.Password = "x");
        Assert.Throws<ArgumentException>(() => Provided("").UsePasswordProvider(static _ => "", null));
        Assert.Throws<ArgumentException>(() => Provided("").UsePhysicalConnectionInitializer(null, static _ => Task.CompletedTask));
        using var none = Provided("Password=x").UsePasswordProvider(null, null).Build();
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(true, false)]
    public async Task The_applications_judgement_of_a_certificate_counts(bool asynchronously, bool accepts)
    {
        foreach (var byOptions in new[] { false, true })
        {
            var certificate = Certificates.Untrusted;
            using var server = OverTls(certificate);
            var provided = 0;
            SslPolicyErrors seen = default;
            bool Judge(object sender, X509Certificate? shown, X509Chain? chain, SslPolicyErrors errors)
            {
                seen = errors;
                return accepts && shown!.GetCertHashString() == certificate.GetCertHashString();
            }

            await using var connection = new PgConnection(Options(server, "Pooling=false;SSL Mode=Require;Password=in clear;Require Auth=!MD5"))
            {
                ProvideClientCertificatesCallback = _ => provided++,
            };
            if (byOptions)
                connection.SslClientAuthenticationOptionsCallback = options => options.RemoteCertificateValidationCallback = Judge;
            else
                connection.UserCertificateValidationCallback = Judge;
            if (accepts)
                await Open(connection, asynchronously);
            else
            {
                var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
                Assert.Contains("RemoteCertificateValidationCallback rejected", failure.Message);
                NeverSent(server, "somebody"u8);
            }

            Assert.Equal(SslPolicyErrors.RemoteCertificateChainErrors, seen & SslPolicyErrors.RemoteCertificateChainErrors);
            Assert.Equal(1, provided);
        }
    }

    [Theory]
    [InlineData("VerifyCA")]
    [InlineData("VerifyFull")]
    public async Task Where_the_driver_verifies_the_application_cannot_accept_more(string mode)
    {
        var certificate = Certificates.OtherHost;
        using var server = OverTls(certificate);
        var asked = false;
        var options = Options(server, $"Pooling=false;SSL Mode={mode}");
        bool Judge(object sender, X509Certificate? shown, X509Chain? chain, SslPolicyErrors errors) => asked = true;

        Assert.Throws<ArgumentException>(() => new PgDataSourceBuilder(options).UseUserCertificateValidationCallback(Judge).Build());
        foreach (var connection in new[]
        {
            new PgConnection(options) { UserCertificateValidationCallback = Judge },
            new PgConnection(options) { SslClientAuthenticationOptionsCallback = tls => tls.RemoteCertificateValidationCallback = Judge },
            new PgConnection(options)
            {
                SslClientAuthenticationOptionsCallback = static tls => tls.CertificateChainPolicy!.VerificationFlags = X509VerificationFlags.AllFlags,
            },
            new PgConnection(options) { SslClientAuthenticationOptionsCallback = static tls => tls.CertificateChainPolicy = null },
        })
        {
            await Assert.ThrowsAsync<ArgumentException>(() => Open(connection, asynchronously: true));
        }

        // Without its own callback, it does not make the driver accept more, either.
        await using var without =
            new PgConnection(options) { SslClientAuthenticationOptionsCallback = static tls => tls.RemoteCertificateValidationCallback = null };
        await Assert.ThrowsAsync<PgException>(() => Open(without, asynchronously: false));
        Assert.False(asked);
        NeverSent(server, "somebody"u8);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Authorities_of_the_application_take_the_place_of_the_options(bool asynchronously)
    {
        using var authority = X509CertificateLoader.LoadCertificateFromFile(Certificates.AuthorityFile);
        foreach (var trusts in new[] { true, false })
        {
            using var server = OverTls(Certificates.Server);
            var builder = new PgDataSourceBuilder(Options(server, "SSL Mode=VerifyFull;Password=in clear;Require Auth=!MD5"));
            await using var source = (trusts ? builder.UseRootCertificate(authority) : builder.UseRootCertificate(Certificates.Untrusted)).Build();
            await using var connection = source.CreateConnection();
            if (trusts)
                await Open(connection, asynchronously);
            else
            {
                IsConnectFailure(server, await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously)));
                NeverSent(server, "somebody"u8);
            }
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task What_a_callback_for_TLS_throws_ends_Open(bool asynchronously)
    {
        foreach (var connection in new Func<string, PgConnection>[]
        {
            static options => new(options) { ProvideClientCertificatesCallback = static _ => throw new FormatException("secret") },
            static options => new(options) { SslClientAuthenticationOptionsCallback = static _ => throw new FormatException("secret") },
            static options => new PgDataSourceBuilder(options).UseRootCertificateCallback(static () => throw new FormatException("secret")).Build()
                .CreateConnection(),
        })
        {
            using var server = OverTls(Certificates.Server);
            await using var failing = connection(Options(server, "Pooling=false;SSL Mode=Require"));
            var failure = IsConnectFailure(server, await Assert.ThrowsAsync<PgException>(() => Open(failing, asynchronously)));
            Assert.Contains(nameof(FormatException), failure.Message);
            Assert.DoesNotContain("secret", failure.Message);
            NeverSent(server, "somebody"u8);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_initializer_prepares_each_new_session_before_its_first_use(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            while (true)
            {
                peer.ReadToSync();
                peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('n'), .. PgWords.CommandComplete("SET"), .. PgWords.Ready()]);
            }
        });
        var (blocking, later) = (0, 0);
        await using var source = new PgDataSourceBuilder(Options(server)).UsePhysicalConnectionInitializer(
            connection =>
            {
                blocking++;
                Execute(connection);
            },
            async connection =>
            {
                later++;
                await Task.Yield();
                Execute(connection);
            }).Build();
        for (var i = 0; i < 2; i++)
        {
            await using var connection = source.CreateConnection();
            await Open(connection, asynchronously);
            // Without a reset before it. The second use of the session would have one.
            if (i == 0)
                Execute(connection);
        }

        Assert.Equal(asynchronously ? (0, 1) : (1, 0), (blocking, later));
        Assert.Single(server.Peers);

        static void Execute(PgConnection connection)
        {
            using var command = connection.CreateCommand();
            command.CommandText = "SET a.b = 1";
            command.ExecuteNonQuery();
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_session_whose_initializer_fails_is_closed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.Stall();
        });
        await using var source = new PgDataSourceBuilder(Options(server))
            .UsePhysicalConnectionInitializer(static _ => throw new FormatException(), static _ => throw new FormatException()).Build();
        await using var connection = source.CreateConnection();
        await Assert.ThrowsAsync<FormatException>(() => Open(connection, asynchronously));
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)));
        Assert.Equal(0, source.Statistics.Idle + source.Statistics.Busy);
    }

    internal static string Options(FakeServer server, string more = "") =>
        $"Host={server.Address};Port={server.Port};{PgLogin.Text};Database=db;Timeout=30;"
            + (more.Contains("SSL Mode", StringComparison.Ordinal) ? "" : "SSL Mode=Disable;")
            + (more.Contains("Require Auth", StringComparison.Ordinal) ? "" : "Require Auth=Password,None;") + more;

    internal static Task Open(PgConnection connection, bool asynchronously) => asynchronously ? connection.OpenAsync() : Task.Run(connection.Open);

    // Lets clients in that send one of the passwords in clear text, in this order; the last one again and again.
    internal static FakeServer Expecting(params string[] passwords) => FakeServer.Start(peer =>
    {
        peer.ReadStartupWithoutTls();
        peer.Send(PgWords.Authentication(3));
        if (!peer.ReadMessage().Body.AsSpan().SequenceEqual(PgWords.Text(passwords[Math.Min(peer.Number, passwords.Length - 1)])))
            throw new InvalidDataException("Another password was expected.");
        peer.Send(PgWords.LoginSuccess);
    });

    private static FakeServer OverTls(X509Certificate2 certificate) => FakeServer.Start(peer =>
    {
        peer.ExpectSslRequest();
        peer.Send((byte)'S');
        peer.UpgradeToTls(certificate);
        peer.ReadStartup();
        peer.Send(PgWords.Authentication(3));
        if (!Encoding.UTF8.GetString(peer.ReadMessage().Body).StartsWith("in clear", StringComparison.Ordinal))
            throw new InvalidDataException("Another password was expected.");
        peer.Send(PgWords.LoginSuccess);
    });
}
