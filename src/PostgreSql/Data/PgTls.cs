using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Wires;

namespace Slipstream.PostgreSql;

/// <summary>From the options to what the core demands of TLS: reads the files, once for each data source.</summary>
internal static class PgTls
{
    /// <summary>Null when TLS is off.</summary>
    /// <exception cref="ArgumentException">A file cannot be read as what it should be.</exception>
    public static TlsSettings? Read(PgSettings settings)
    {
        if (settings.SslMode == SslMode.Disable)
            return null;
        var verification = settings.SslMode switch
        {
            SslMode.VerifyFull => TlsVerification.Full,
            SslMode.VerifyCA => TlsVerification.Authority,
            _ => TlsVerification.None,
        };
        return new(verification, Authorities(settings), ClientCertificates(settings), CheckRevocation: settings.CheckCertificateRevocation);
    }

    private static X509Certificate2Collection? Authorities(PgSettings settings)
    {
        if (settings.RootCertificate.Length == 0)
            return null;
        return Read(settings.RootCertificate, "Root Certificate", path =>
        {
            var authorities = new X509Certificate2Collection();
            authorities.ImportFromPemFile(path);
            return authorities.Count > 0 ? authorities : throw new CryptographicException("it holds no certificate in PEM form");
        });
    }

    private static X509Certificate2Collection? ClientCertificates(PgSettings settings)
    {
        if (settings.SslCertificate.Length == 0)
            return null;
        return Read(settings.SslCertificate, "SSL Certificate", path =>
        {
            if (path.EndsWith(".pfx", StringComparison.OrdinalIgnoreCase) || path.EndsWith(".p12", StringComparison.OrdinalIgnoreCase))
                return X509CertificateLoader.LoadPkcs12CollectionFromFile(path, settings.SslPassword);
            var key = settings.SslKey.Length > 0 ? settings.SslKey : null;
            return [settings.SslPassword.Length > 0
                ? X509Certificate2.CreateFromEncryptedPemFile(path, settings.SslPassword, key)
                : X509Certificate2.CreateFromPemFile(path, key)];
        });
    }

    private static X509Certificate2Collection Read(string path, string option, Func<string, X509Certificate2Collection> read)
    {
        try
        {
            return read(path);
        }
        catch (Exception exception) when (exception is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ArgumentException($"The file '{path}' of the option {option} cannot be used: {exception.Message}", exception);
        }
    }
}
