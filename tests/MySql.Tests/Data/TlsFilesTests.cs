using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Wires;
using Slipstream.MySql.Options;

namespace Slipstream.MySql.Tests.Data;

public sealed class TlsFilesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("slipstream-tls-").FullName;
    private readonly X509Certificate2 _certificate;
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);

    public TlsFilesTests()
    {
        var request = new CertificateRequest("CN=test", _key, HashAlgorithmName.SHA256);
        _certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        Write("cert.pem", _certificate.ExportCertificatePem());
        Write("key.pem", _key.ExportPkcs8PrivateKeyPem());
        Write("both.pem", _certificate.ExportCertificatePem() + "\n" + _key.ExportPkcs8PrivateKeyPem());
        Write("locked.pem", _key.ExportEncryptedPkcs8PrivateKeyPem("open sesame", new(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1000)));
        Write("old.pem", "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END EC PRIVATE KEY-----\n");
        Write("rubbish.pem", "nothing of the kind");
        File.WriteAllBytes(PathOf("cert.der"), _certificate.RawData);
        File.WriteAllBytes(PathOf("cert.pfx"), _certificate.Export(X509ContentType.Pfx, "open sesame"));
    }

    [Fact]
    public void No_mode_no_tls() => Assert.Null(MySqlSettings.Parse("SslMode=None;SslCa=/does/not/exist").ReadTls());

    [Theory]
    [InlineData("Preferred", nameof(TlsVerification.None), false)]
    [InlineData("Required", nameof(TlsVerification.None), false)]
    [InlineData("VerifyCA", nameof(TlsVerification.Authority), false)]
    [InlineData("VerifyFull", nameof(TlsVerification.Full), true)]
    [InlineData("VerifyFull;Skip Certificate Revocation Check=true", nameof(TlsVerification.Full), false)]
    public void The_mode_says_what_is_verified(string mode, string verification, bool checksRevocation)
    {
        var tls = MySqlSettings.Parse($"SslMode={mode}").ReadTls()!;
        Assert.Equal((verification, checksRevocation), (tls.Verification.ToString(), tls.CheckRevocation));
        Assert.Null(tls.Authorities);
        Assert.Null(tls.ClientCertificates);
    }

    [Theory]
    [InlineData("cert.pem")]
    [InlineData("cert.der")]
    public void Authorities_come_from_the_file(string file)
    {
        var tls = MySqlSettings.Parse($"SslMode=VerifyFull;SslCa={PathOf(file)}").ReadTls()!;
        Assert.Equal(_certificate.Thumbprint, Assert.Single(tls.Authorities!).Thumbprint);
        Assert.False(tls.CheckRevocation);
    }

    [Fact]
    public void Who_names_an_authority_wants_it_checked()
    {
        Assert.Equal(TlsVerification.Authority, MySqlSettings.Parse($"SslMode=Required;SslCa={PathOf("cert.pem")}").ReadTls()!.Verification);
        Assert.Equal(TlsVerification.None, MySqlSettings.Parse($"SslMode=Preferred;SslCa={PathOf("cert.pem")}").ReadTls()!.Verification);
    }

    [Fact]
    public void A_client_certificate_comes_from_pem_files()
    {
        var tls = MySqlSettings.Parse($"SslCert={PathOf("cert.pem")};SslKey={PathOf("key.pem")}").ReadTls()!;
        Assert.True(Assert.Single(tls.ClientCertificates!).HasPrivateKey);
    }

    [Theory]
    [InlineData("locked.pem", "Certificate Password")]
    [InlineData("locked.pem", "SSL Key Password")]
    [InlineData("key.pem", "Certificate Password")]
    public void A_key_may_be_encrypted_and_one_that_is_not_needs_no_password(string key, string keyword)
    {
        var tls = MySqlSettings.Parse($"SslCert={PathOf("cert.pem")};SslKey={PathOf(key)};{keyword}=open sesame").ReadTls()!;
        Assert.True(Assert.Single(tls.ClientCertificates!).HasPrivateKey);
    }

    [Fact]
    public void A_client_certificate_comes_from_a_pfx_file()
    {
        var tls = MySqlSettings.Parse($"CertificateFile={PathOf("cert.pfx")};CertificatePassword=open sesame").ReadTls()!;
        Assert.True(Assert.Single(tls.ClientCertificates!).HasPrivateKey);
    }

    [Theory]
    [InlineData("both.pem", "", "")]
    [InlineData("cert.pem", "key.pem", "")]
    [InlineData("cert.pem", "locked.pem", "open sesame")]
    [InlineData("cert.pfx", "", "open sesame")]
    public void The_content_tells_the_kind_of_file(string file, string key, string password)
    {
        var certificates = CertificateFiles.ReadClientCertificate(PathOf(file), key.Length > 0 ? PathOf(key) : "", password, "SSL Certificate")!;
        Assert.True(Assert.Single(certificates).HasPrivateKey);
    }

    [Theory]
    [InlineData("missing.pem", "", "")]
    [InlineData("cert.pem", "missing.pem", "")]
    [InlineData("cert.pem", "", "")]
    [InlineData("cert.pem", "locked.pem", "wrong secret")]
    [InlineData("cert.pem", "locked.pem", "")]
    [InlineData("cert.pem", "old.pem", "wrong secret")]
    [InlineData("cert.pfx", "", "wrong secret")]
    [InlineData("rubbish.pem", "", "wrong secret")]
    public void An_unusable_file_is_named_with_its_option_and_without_the_password(string file, string key, string password)
    {
        var error = Assert.Throws<ArgumentException>(() =>
            CertificateFiles.ReadClientCertificate(PathOf(file), key.Length > 0 ? PathOf(key) : "", password, "SSL Certificate"));
        Assert.Contains("'SSL Certificate'", error.Message, StringComparison.Ordinal);
        Assert.Contains(file, error.Message, StringComparison.Ordinal);
        if (password.Length > 0)
            Assert.DoesNotContain(password, error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("missing.pem")]
    [InlineData("rubbish.pem")]
    [InlineData("key.pem")]
    public void An_authority_file_without_a_certificate_is_an_error(string file)
    {
        var error = Assert.Throws<ArgumentException>(() => MySqlSettings.Parse($"SslMode=VerifyCA;SslCa={PathOf(file)}").ReadTls());
        Assert.Contains("'SSL CA'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Cipher_suites_are_named()
    {
        Assert.NotNull(MySqlSettings.Parse("TlsCipherSuites=TLS_AES_256_GCM_SHA384, tls_aes_128_gcm_sha256").ReadTls()!.CipherSuites);
        foreach (var name in (string[])["TLS_NONSENSE", "4866"])
            Assert.Contains(
                $"'{name}'", Assert.Throws<ArgumentException>(() => MySqlSettings.Parse($"TlsCipherSuites={name}").ReadTls()).Message,
                StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _certificate.Dispose();
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private string PathOf(string file) => Path.Combine(_folder, file);

    private void Write(string file, string text) => File.WriteAllText(PathOf(file), text);
}
