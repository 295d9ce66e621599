using System.Security.Cryptography.X509Certificates;

namespace Slipstream.Lab;

/// <summary>
/// An authority of its own that signs any number of certificates for the loopback address, for servers whose certificate is replaced while they run.
/// </summary>
public sealed class LabAuthority : IDisposable
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    private readonly X509Certificate2 _certificate;

    private LabAuthority(X509Certificate2 certificate) => _certificate = certificate;

    /// <summary>Gets the certificate that a client must trust, as PEM.</summary>
    public string CertificatePem => _certificate.ExportCertificatePem();

    public static LabAuthority Create(string name) => new(LabCertificates.CreateAuthority(name));

    /// <summary>Creates a new key and a certificate for localhost, 127.0.0.1 and ::1, both as PEM.</summary>
    public (string CertificatePem, string KeyPem) SignServer()
    {
        using var certificate = LabCertificates.Sign(_certificate, "localhost", ServerAuthentication, LabCertificates.AddLoopback);
        return (certificate.ExportCertificatePem(), LabCertificates.Key(certificate));
    }

    public void Dispose() => _certificate.Dispose();
}
