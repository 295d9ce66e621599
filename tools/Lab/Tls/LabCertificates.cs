using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Slipstream.Lab;

/// <summary>The lab's own certificate authority, the certificates that it signed, and a second authority that signed none of them.</summary>
public sealed class LabCertificates
{
    /// <summary>The password of <see cref="ClientPfx"/>.</summary>
    public const string PfxPassword = "lab";

    /// <summary>The common name of the client certificate. PostgreSQL's <c>cert</c> method compares it with the user's name.</summary>
    public const string ClientName = "lab_cert";

    private LabCertificates(string folder) => Folder = folder;

    public string Folder { get; }
    public string CaFile => Path.Combine(Folder, "ca.pem");
    /// <summary>Gets the path of an authority that signed no certificate here: verification against it must fail.</summary>
    public string OtherCaFile => Path.Combine(Folder, "other-ca.pem");
    public string ServerCertificate => Path.Combine(Folder, "server.pem");
    public string ServerKey => Path.Combine(Folder, "server.key");
    public string ClientCertificate => Path.Combine(Folder, "client.pem");
    public string ClientKey => Path.Combine(Folder, "client.key");
    /// <summary>Gets the path of a PKCS #12 file with the client certificate and its key, see <see cref="PfxPassword"/>.</summary>
    public string ClientPfx => Path.Combine(Folder, "client.pfx");

    /// <summary>Opens the certificates of a folder. Creates them if they are missing or expire within a month.</summary>
    public static LabCertificates OpenOrCreate(string folder)
    {
        var certificates = new LabCertificates(folder);
        if (!certificates.AreUsable())
            certificates.Create();
        return certificates;
    }

    private bool AreUsable()
    {
        string[] files = [CaFile, OtherCaFile, ServerCertificate, ServerKey, ClientCertificate, ClientKey, ClientPfx];
        if (!files.All(File.Exists))
            return false;
        using var server = X509CertificateLoader.LoadCertificateFromFile(ServerCertificate);
        return server.NotAfter > DateTime.Now.AddMonths(1);
    }

    private void Create()
    {
        Directory.CreateDirectory(Folder);
        using var ca = CreateAuthority("Slipstream lab CA");
        using var otherCa = CreateAuthority("Another lab CA");
        using var server = Sign(ca, "localhost", "1.3.6.1.5.5.7.3.1", AddLoopback);
        using var client = Sign(ca, ClientName, "1.3.6.1.5.5.7.3.2", null);

        File.WriteAllText(CaFile, ca.ExportCertificatePem());
        File.WriteAllText(OtherCaFile, otherCa.ExportCertificatePem());
        File.WriteAllText(ServerKey, Key(server));
        File.WriteAllText(ClientKey, Key(client));
        File.WriteAllText(ClientCertificate, client.ExportCertificatePem());
        File.WriteAllBytes(ClientPfx, client.Export(X509ContentType.Pfx, PfxPassword));
        // Written last, because AreUsable reads it.
        File.WriteAllText(ServerCertificate, server.ExportCertificatePem());
    }

    internal static void AddLoopback(SubjectAlternativeNameBuilder names)
    {
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        names.AddIpAddress(IPAddress.IPv6Loopback);
    }

    internal static X509Certificate2 CreateAuthority(string name)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, true, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddYears(10));
    }

    internal static X509Certificate2 Sign(X509Certificate2 authority, string name, string usage, Action<SubjectAlternativeNameBuilder>? addNames)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.KeyEncipherment, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(usage)], false));
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(authority, true, false));
        if (addNames is not null)
        {
            var names = new SubjectAlternativeNameBuilder();
            addNames(names);
            request.CertificateExtensions.Add(names.Build());
        }

        using var signed = request.Create(authority, DateTimeOffset.UtcNow.AddDays(-1), authority.NotAfter, RandomNumberGenerator.GetBytes(16));
        return signed.CopyWithPrivateKey(key);
    }

    internal static string Key(X509Certificate2 certificate)
    {
        using var key = certificate.GetRSAPrivateKey()!;
        return key.ExportPkcs8PrivateKeyPem();
    }
}
