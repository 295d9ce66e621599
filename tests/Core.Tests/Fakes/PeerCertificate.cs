using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Slipstream.Core.Tests.Fakes;

/// <summary>Creates a self-signed certificate, valid today, for a test's TLS server.</summary>
internal static class PeerCertificate
{
    public static X509Certificate2 Create()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var own = new CertificateRequest("CN=peer", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(own.Export(X509ContentType.Pkcs12), null);
    }
}
