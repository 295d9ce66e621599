using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Slipstream.BadPeers.Peers;

/// <summary>A temporary authority and certificates for fake servers; created once per run.</summary>
public static class Certificates
{
    private static readonly Lazy<(X509Certificate2 Authority, X509Certificate2 Server, string File)> Made = new(Make);
    private static readonly Lazy<X509Certificate2> SelfSigned = new(CreateSelfSigned);
    private static readonly Lazy<X509Certificate2> Addressed = new(CreateAddressed);
    private static readonly Lazy<X509Certificate2> Elsewhere = new(static () => CreateFor("elsewhere.example"));

    /// <summary>For localhost and 127.0.0.1, signed by the authority.</summary>
    public static X509Certificate2 Server => Made.Value.Server;

    /// <summary>Signed by the authority; its common name is 127.0.0.1, but its alternative names, which count, are of another host.</summary>
    public static X509Certificate2 AddressAsCommonName => Addressed.Value;

    /// <summary>PEM file with the authority's certificate, for the client's trust settings.</summary>
    public static string AuthorityFile => Made.Value.File;

    /// <summary>For the same names, self-signed.</summary>
    public static X509Certificate2 Untrusted => SelfSigned.Value;

    /// <summary>Self-signed, and for another host.</summary>
    public static X509Certificate2 OtherHost => Elsewhere.Value;

    /// <summary>Creates another self-signed certificate for the same names.</summary>
    public static X509Certificate2 CreateSelfSigned()
    {
        using var key = RSA.Create(2048);
        return WithKey(Request("CN=localhost", key).CreateSelfSigned(Yesterday, Tomorrow));
    }

    private static X509Certificate2 CreateAddressed()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=127.0.0.1", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("elsewhere.example");
        request.CertificateExtensions.Add(names.Build());
        using var signed = request.Create(Made.Value.Authority, Yesterday, Tomorrow.AddHours(-1), RandomNumberGenerator.GetBytes(8));
        using var withKey = signed.CopyWithPrivateKey(key);
        return WithKey(withKey);
    }

    private static X509Certificate2 CreateFor(string host)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={host}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(host);
        request.CertificateExtensions.Add(names.Build());
        return WithKey(request.CreateSelfSigned(Yesterday, Tomorrow));
    }

    private static DateTimeOffset Yesterday => DateTimeOffset.UtcNow.AddDays(-1);

    private static DateTimeOffset Tomorrow => DateTimeOffset.UtcNow.AddDays(1);

    private static (X509Certificate2 Authority, X509Certificate2 Server, string File) Make()
    {
        using var authorityKey = RSA.Create(2048);
        var authorityRequest = new CertificateRequest("CN=fake authority", authorityKey, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        authorityRequest.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        authorityRequest.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(authorityRequest.PublicKey, false));
        var authority = WithKey(authorityRequest.CreateSelfSigned(Yesterday, Tomorrow));

        using var key = RSA.Create(2048);
        var serial = RandomNumberGenerator.GetBytes(8);
        using var signed = Request("CN=localhost", key).Create(authority, Yesterday, Tomorrow.AddHours(-1), serial);
        using var withKey = signed.CopyWithPrivateKey(key);
        var file = Path.Combine(Path.GetTempPath(), $"fake-authority-{Environment.ProcessId}.pem");
        File.WriteAllText(file, authority.ExportCertificatePem());
        AppDomain.CurrentDomain.ProcessExit += (_, _) => File.Delete(file);
        return (authority, WithKey(withKey), file);
    }

    private static CertificateRequest Request(string name, RSA key)
    {
        var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        return request;
    }

    // Not every TLS stack can use a key that exists only in memory; a key from a PFX always works.
    private static X509Certificate2 WithKey(X509Certificate2 certificate) => X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null);
}
