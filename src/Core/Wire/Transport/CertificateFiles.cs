using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Slipstream.Core.Wires;

/// <summary>Reads the files and names of TLS options. Every failure names the option and the file, never a password.</summary>
internal static class CertificateFiles
{
    private const string PemMark = "-----BEGIN ";
    private const string EncryptedKeyMark = "-----BEGIN ENCRYPTED PRIVATE KEY-----";

    /// <summary>Reads the text of a file; null without one.</summary>
    /// <exception cref="ArgumentException">The file cannot be read.</exception>
    public static string? ReadText(string path, string keyword)
    {
        try
        {
            return string.IsNullOrEmpty(path) ? null : File.ReadAllText(path);
        }
        catch (Exception exception) when (IsFileFault(exception))
        {
            throw Unusable(path, keyword, exception);
        }
    }

    /// <summary>Reads all certificates of a PEM file, or the one of a DER file; null without a file.</summary>
    /// <exception cref="ArgumentException">The file cannot be read or contains no certificate.</exception>
    public static X509Certificate2Collection? ReadAuthorities(string path, string keyword)
    {
        if (string.IsNullOrEmpty(path))
            return null;
        try
        {
            var authorities = new X509Certificate2Collection();
            authorities.ImportFromPemFile(path);
            if (authorities.Count == 0 && !IsPem(File.ReadAllBytes(path)))
                authorities.Add(X509CertificateLoader.LoadCertificateFromFile(path));
            return authorities.Count > 0 ? authorities : throw new CryptographicException("it does not contain a PEM certificate.");
        }
        catch (Exception exception) when (IsFileFault(exception))
        {
            throw Unusable(path, keyword, exception);
        }
    }

    /// <summary>Reads the client's certificate with its private key from PEM or PFX, according to the file's content; null without a file.</summary>
    /// <param name="path">PEM or PFX file.</param>
    /// <param name="keyPath">PEM file with the key; empty if the key is in the same file.</param>
    /// <param name="password">Password of the PFX or the encrypted key; empty for none. An unencrypted PEM key needs none.</param>
    /// <param name="keyword">The option that names the file.</param>
    /// <exception cref="ArgumentException">A file cannot be read, the key does not belong to the certificate, or the password is wrong.</exception>
    public static X509Certificate2Collection? ReadClientCertificate(string path, string keyPath, string password, string keyword)
    {
        if (string.IsNullOrEmpty(path))
            return null;
        try
        {
            return IsPem(File.ReadAllBytes(path))
                ? [ReadPem(path, string.IsNullOrEmpty(keyPath) ? null : keyPath, password)]
                : X509CertificateLoader.LoadPkcs12CollectionFromFile(path, password);
        }
        catch (Exception exception) when (IsFileFault(exception))
        {
            throw Unusable(path, keyword, exception);
        }
    }

    /// <summary>Creates a policy of IANA names such as TLS_AES_256_GCM_SHA384; null without names.</summary>
    /// <exception cref="ArgumentException">A name is unknown.</exception>
    /// <exception cref="NotSupportedException">On Windows and Android, where the system selects the cipher suites.</exception>
    public static CipherSuitesPolicy? ReadCipherSuites(IReadOnlyList<string> names, string keyword)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (names.Count == 0)
            return null;
        if (OperatingSystem.IsWindows() || OperatingSystem.IsAndroid())
            throw new NotSupportedException($"The option '{keyword}' has no effect on this operating system, which chooses cipher suites itself: remove the "
                + "option.");
        var suites = new TlsCipherSuite[names.Count];
        for (var at = 0; at < suites.Length; at++)
        {
            if (!Enum.TryParse(names[at], ignoreCase: true, out suites[at]) || !Enum.IsDefined(suites[at]) || char.IsAsciiDigit(names[at][0]))
                throw new ArgumentException(
                    $"'{names[at]}' is not a cipher suite for the option '{keyword}': use names such as {TlsCipherSuite.TLS_AES_256_GCM_SHA384}.");
        }

        return new CipherSuitesPolicy(suites);
    }

    private static X509Certificate2 ReadPem(string path, string? keyPath, string password)
    {
        var key = File.ReadAllText(keyPath ?? path);
        if (key.Contains("Proc-Type: 4,ENCRYPTED", StringComparison.Ordinal))
            throw new CryptographicException("the key is encrypted in OpenSSL's traditional format: convert it with 'openssl pkcs8 -topk8'.");
        var isEncrypted = key.Contains(EncryptedKeyMark, StringComparison.Ordinal);
        if (isEncrypted && password.Length == 0)
            throw new CryptographicException("the key is encrypted, but no password for it is set.");
        var certificate =
            isEncrypted ? X509Certificate2.CreateFromEncryptedPemFile(path, password, keyPath) : X509Certificate2.CreateFromPemFile(path, keyPath);
        if (!OperatingSystem.IsWindows())
            return certificate;
        // Schannel cannot use a key that was never stored. Converting it to PKCS #12 and back stores it.
        using (certificate)
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    private static bool IsPem(ReadOnlySpan<byte> content) => content.IndexOf(System.Text.Encoding.ASCII.GetBytes(PemMark)) >= 0;

    private static bool IsFileFault(Exception exception) =>
        exception is IOException or UnauthorizedAccessException or CryptographicException or NotSupportedException;

    private static ArgumentException Unusable(string path, string keyword, Exception cause) =>
        new($"The file '{path}' of the option '{keyword}' cannot be used: {cause.Message}", cause);
}
