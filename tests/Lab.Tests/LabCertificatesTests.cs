using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Slipstream.Lab.Tests;

public sealed class LabCertificatesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("lab-tls-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static bool IsTrusted(string authority, string certificate)
    {
        using var chain = new X509Chain();
        using var root = X509CertificateLoader.LoadCertificateFromFile(authority);
        using var leaf = X509CertificateLoader.LoadCertificateFromFile(certificate);
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.Add(root);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        return chain.Build(leaf);
    }

    [Fact]
    public void The_authority_vouches_for_server_and_client_and_the_other_one_for_neither()
    {
        var made = LabCertificates.OpenOrCreate(_folder);
        Assert.True(IsTrusted(made.CaFile, made.ServerCertificate));
        Assert.True(IsTrusted(made.CaFile, made.ClientCertificate));
        Assert.False(IsTrusted(made.OtherCaFile, made.ServerCertificate));
        Assert.False(IsTrusted(made.OtherCaFile, made.ClientCertificate));
    }

    [Theory]
    [InlineData("localhost", true)]
    [InlineData("127.0.0.1", true)]
    [InlineData("::1", true)]
    [InlineData("example.org", false)]
    public void The_server_certificate_is_for_the_names_of_this_machine(string name, bool matches)
    {
        using var server = X509CertificateLoader.LoadCertificateFromFile(LabCertificates.OpenOrCreate(_folder).ServerCertificate);
        Assert.Equal(matches, server.MatchesHostname(name));
    }

    [Fact]
    public void The_pfx_holds_the_same_certificate_as_the_pem_with_its_key()
    {
        var made = LabCertificates.OpenOrCreate(_folder);
        using var pfx = X509CertificateLoader.LoadPkcs12FromFile(made.ClientPfx, LabCertificates.PfxPassword);
        using var pem = X509Certificate2.CreateFromPemFile(made.ClientCertificate, made.ClientKey);
        Assert.True(pfx.HasPrivateKey);
        Assert.Equal(pem.Thumbprint, pfx.Thumbprint);
        Assert.Equal("CN=" + LabCertificates.ClientName, pem.Subject);
    }

    [Fact]
    public void Certificates_are_made_once()
    {
        var first = File.ReadAllText(LabCertificates.OpenOrCreate(_folder).ServerCertificate);
        Assert.Equal(first, File.ReadAllText(LabCertificates.OpenOrCreate(_folder).ServerCertificate));
    }

    [Fact]
    public void A_missing_file_makes_all_of_them_anew()
    {
        var made = LabCertificates.OpenOrCreate(_folder);
        var first = File.ReadAllText(made.ServerCertificate);
        File.Delete(made.ClientPfx);
        LabCertificates.OpenOrCreate(_folder);
        Assert.NotEqual(first, File.ReadAllText(made.ServerCertificate));
        Assert.True(IsTrusted(made.CaFile, made.ClientCertificate));
    }

    [Fact]
    public async Task A_tls_handshake_with_both_certificates_succeeds()
    {
        var made = LabCertificates.OpenOrCreate(_folder);
        using var server = Exportable(X509Certificate2.CreateFromPemFile(made.ServerCertificate, made.ServerKey));
        using var client = X509CertificateLoader.LoadPkcs12FromFile(made.ClientPfx, LabCertificates.PfxPassword);
        using var listener = new TcpListener(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        using var tcp = new TcpClient();
        await tcp.ConnectAsync((System.Net.IPEndPoint)listener.LocalEndpoint, TestContext.Current.CancellationToken);
        using var accepted = await listener.AcceptTcpClientAsync(TestContext.Current.CancellationToken);

        X509Certificate? seenByServer = null;
        await using var serverTls = new SslStream(accepted.GetStream(), false, (_, certificate, _, _) => (seenByServer = certificate) is not null);
        await using var clientTls = new SslStream(tcp.GetStream(), false, (_, certificate, _, _) =>
            certificate is X509Certificate2 found && found.Subject == "CN=localhost");
        await Task.WhenAll(
            serverTls.AuthenticateAsServerAsync(server, true, SslProtocols.None, false),
            clientTls.AuthenticateAsClientAsync("localhost", [client], SslProtocols.None, false));

        Assert.True(clientTls.IsEncrypted);
        Assert.Equal("CN=" + LabCertificates.ClientName, seenByServer!.Subject);
    }

    private static X509Certificate2 Exportable(X509Certificate2 certificate)
    {
        using (certificate)
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null);
    }
}
