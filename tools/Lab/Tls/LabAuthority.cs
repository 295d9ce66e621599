using System.Security.Cryptography.X509Certificates;

namespace Slipstream.Lab;

/// <summary>An authority of its own that signs as many certificates for the loopback address as are wanted, for servers whose certificate is replaced while they run.</summary>
public sealed class LabAuthority : IDisposable
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    private readonly X509Certificate2 _certificate;

    private LabAuthority(X509Certificate2 certificate) => _certificate = certificate;

    /// <summary>PEM: what a client has to trust.</summary>
    public string CertificatePem => _certificate.ExportCertificatePem();

    public static LabAuthority Create(string name) => new(LabCertificates.CreateAuthority(name));

    /// <summary>A new key and a certificate for localhost, 127.0.0.1 and ::1, both PEM.</summary>
    public (string CertificatePem, string KeyPem) SignServer()
    {
        using var certificate = LabCertificates.Sign(_certificate, "localhost", ServerAuthentication, LabCertificates.AddLoopback);
        return (certificate.ExportCertificatePem(), LabCertificates.Key(certificate));
    }

    public void Dispose() => _certificate.Dispose();
}
