using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Core.Wires;

namespace Slipstream.MySql;

/// <summary>Makes TLS settings of a connection string: reads the certificates once per data source.</summary>
internal static class MySqlTls
{
    /// <returns>Null when TLS is not wanted.</returns>
    /// <exception cref="ArgumentException">A file cannot be read, or is not what the option wants.</exception>
    public static TlsSettings? Read(MySqlSettings settings)
    {
        if (settings.SslMode == MySqlSslMode.None)
            return null;
        var verification = settings.SslMode switch
        {
            MySqlSslMode.VerifyCA => TlsVerification.Authority,
            MySqlSslMode.VerifyFull => TlsVerification.Full,
            // As in MySqlConnector: who names an authority wants it checked.
            MySqlSslMode.Required when settings.SslCa.Length > 0 => TlsVerification.Authority,
            _ => TlsVerification.None,
        };
        return new TlsSettings(
            verification,
            settings.SslCa.Length > 0 ? ReadAuthorities(settings.SslCa) : null,
            ReadClientCertificate(settings),
            settings.TlsVersions,
            settings.TlsCipherSuites.Count > 0 && !OperatingSystem.IsWindows() ? CipherSuites(settings.TlsCipherSuites) : null,
            verification != TlsVerification.None && settings.SslCa.Length == 0 && !settings.SkipCertificateRevocationCheck);
    }

    /// <summary>The text of a file that an option names.</summary>
    public static string ReadFile(string path, string option)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"{option}: the file '{path}' cannot be read: {exception.Message}", exception);
        }
    }

    private static X509Certificate2Collection ReadAuthorities(string path)
    {
        var authorities = new X509Certificate2Collection();
        var text = ReadFile(path, "SslCa");
        try
        {
            authorities.ImportFromPem(text);
        }
        catch (CryptographicException exception)
        {
            throw new ArgumentException($"SslCa: the file '{path}' holds no certificates in PEM form.", exception);
        }

        return authorities.Count > 0 ? authorities : throw new ArgumentException($"SslCa: the file '{path}' holds no certificates in PEM form.");
    }

    private static X509Certificate2Collection? ReadClientCertificate(MySqlSettings settings)
    {
        try
        {
            if (settings.CertificateFile.Length > 0)
                return [X509CertificateLoader.LoadPkcs12FromFile(settings.CertificateFile, settings.CertificatePassword.Length > 0 ? settings.CertificatePassword : null)];
            if (settings.SslCert.Length == 0)
                return null;
            // Through PKCS#12, because a certificate with an ephemeral key cannot be used for TLS everywhere.
            using var pem = X509Certificate2.CreateFromPemFile(settings.SslCert, settings.SslKey);
            return [X509CertificateLoader.LoadPkcs12(pem.Export(X509ContentType.Pkcs12), null)];
        }
        catch (Exception exception) when (exception is CryptographicException or IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"The client's certificate '{(settings.CertificateFile.Length > 0 ? settings.CertificateFile : settings.SslCert)}' cannot be used: {exception.Message}", exception);
        }
    }

    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    private static CipherSuitesPolicy CipherSuites(IReadOnlyList<string> names)
    {
        var suites = new List<TlsCipherSuite>();
        foreach (var name in names)
            suites.Add(Enum.TryParse<TlsCipherSuite>(name, ignoreCase: true, out var suite)
                ? suite
                : throw new ArgumentException($"TlsCipherSuites: '{name}' is not the IANA name of a cipher suite, such as TLS_AES_256_GCM_SHA384."));
        return new CipherSuitesPolicy(suites);
    }
}
