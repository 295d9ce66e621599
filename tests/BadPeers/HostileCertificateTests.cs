using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>A certificate is untrusted data: it arrives before the client knows anything about the server.</summary>
[Collection(nameof(SideBySide))]
public sealed class HostileCertificateTests
{
    private const string MySql = "MySQL";
    private const string PostgreSql = "PostgreSQL";

    public static TheoryData<string, string, bool> Cases()
    {
        var cases = new TheoryData<string, string, bool>();
        foreach (var provider in (string[])[MySql, PostgreSql])
        {
            foreach (var mode in (string[])["CA and file", "full and file", "CA", "full", "full, revocation", "judge"])
            {
                // MySQL's full verification checks revocation by default.
                if (mode == (provider == PostgreSql ? "judge" : "full, revocation"))
                    continue;
                cases.Add(provider, mode, false);
                cases.Add(provider, mode, true);
            }
        }

        return cases;
    }

    /// <summary>
    /// A certificate names the addresses of a missing issuer, of a revocation list and of an OCSP responder. If the client followed them, an attacker in the
    /// middle could make it connect to any address and wait there. The client does not check revocation for an authority that it does not trust, even if it
    /// checks revocation for trusted ones.
    /// </summary>
    [Theory, MemberData(nameof(Cases))]
    public async Task Nothing_is_fetched_from_where_the_certificate_says(string provider, string mode, bool asynchronously)
    {
        using var elsewhere = new TcpListener(IPAddress.Loopback, 0);
        elsewhere.Start();
        var port = ((IPEndPoint)elsewhere.LocalEndpoint).Port;
        using var certificate = Create(
            new X509AuthorityInformationAccessExtension([$"http://127.0.0.1:{port}/ocsp"], [$"http://127.0.0.1:{port}/authority.crt"]),
            CertificateRevocationListBuilder.BuildCrlDistributionPointExtension([$"http://127.0.0.1:{port}/revoked.crl"]));
        await OpenFails(provider, mode, certificate, asynchronously);
        Assert.False(elsewhere.Pending(), "The client connected to where the certificate says.");
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task Names_that_cannot_be_read_end_like_any_bad_certificate(string provider, string mode, bool asynchronously)
    {
        using var certificate = Create(new X509Extension("2.5.29.17", [0x30, 0x03, 0x82, 0x7F, 0x61], critical: false));
        await OpenFails(provider, mode, certificate, asynchronously);
    }

    private static async Task OpenFails(string provider, string mode, X509Certificate2 certificate, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            if (provider == MySql)
            {
                peer.Send(MySqlWords.Greeting(capabilities: MySqlWords.Capabilities | MySqlWords.Tls));
                peer.ReadPacket();
            }
            else
            {
                peer.Read(8);
                peer.Send((byte)'S');
            }

            peer.UpgradeToTls(certificate);
        });
        await using var source = Connect(provider, mode, server);
        await using var connection = source.CreateConnection();
        var opening = asynchronously ? Task.Run(() => connection.OpenAsync()) : Task.Factory.StartNew(connection.Open, TaskCreationOptions.LongRunning);
        Assert.Same(opening, await Task.WhenAny(opening, Task.Delay(TimeSpan.FromSeconds(60))));
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => opening);
        Assert.True(failure is MySqlException { ErrorCode: MySqlErrorCode.UnableToConnectToHost } or PgException, failure.ToString());
        Assert.True(server.AllClosedWithin(TimeSpan.FromSeconds(30)), "The client left a connection open.");
        Assert.Equal(-1, server.Received.AsSpan().IndexOf("somebody"u8));
    }

    private static ProviderDataSource Connect(string provider, string mode, FakeServer server)
    {
        var isFull = mode.StartsWith("full", StringComparison.Ordinal);
        var hasFile = mode.EndsWith("file", StringComparison.Ordinal);
        if (provider == MySql)
        {
            var verification = mode == "judge" ? "Required" : isFull ? "VerifyFull" : "VerifyCA";
            var text = $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode={verification};"
                + (hasFile ? $"SSL CA={Certificates.AuthorityFile}" : "");
            return mode == "judge"
                ? new MySqlDataSourceBuilder(text).UseRemoteCertificateValidationCallback(static (_, _, _, errors) => errors == 0).Build()
                : new MySqlDataSource(text);
        }

        return PgDataSource.Create(
            $"Host=127.0.0.1;Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;SSL Mode={(isFull ? "VerifyFull" : "VerifyCA")};"
            + (hasFile ? $"Root Certificate={Certificates.AuthorityFile};" : "") + (
                mode.EndsWith("revocation", StringComparison.Ordinal) ? "Check Certificate Revocation=true" : ""));
    }

    // Signed by an authority whose certificate the server does not send.
    private static X509Certificate2 Create(params ReadOnlySpan<X509Extension> extensions)
    {
        using var authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var authorityRequest = new CertificateRequest("CN=authority that nobody knows", authorityKey, HashAlgorithmName.SHA256);
        authorityRequest.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using var authority = authorityRequest.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(2));
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=127.0.0.1", key, HashAlgorithmName.SHA256);
        foreach (var extension in extensions)
            request.CertificateExtensions.Add(extension);
        using var signed = request.Create(authority, DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1), RandomNumberGenerator.GetBytes(8));
        using var withKey = signed.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(withKey.Export(X509ContentType.Pfx), null);
    }
}
