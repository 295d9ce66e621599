using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Slipstream.Core.Wires;

/// <summary>Finds the client's certificate in a store of the operating system, or of the runtime if the system has none.</summary>
internal static class CertificateStores
{
    private const int Sha256Digits = 64;

    /// <summary>
    /// Reads the certificates of the personal store that have a private key: the one with the thumbprint, or all of them. From all, the handshake chooses one
    /// that the server's authorities signed.
    /// </summary>
    /// <param name="location">The user's or the machine's store.</param>
    /// <param name="thumbprint">SHA-1 or SHA-256 hash of the certificate in hexadecimal, with or without separators; empty for all.</param>
    /// <param name="keyword">The option that names the store.</param>
    /// <exception cref="ArgumentException">The store cannot be read, or contains no such certificate or no private key for it.</exception>
    public static X509Certificate2Collection ReadClientCertificates(StoreLocation location, string thumbprint, string keyword)
    {
        ArgumentNullException.ThrowIfNull(thumbprint);
        try
        {
            using var store = new X509Store(StoreName.My, location);
            store.Open(OpenFlags.ReadOnly | OpenFlags.OpenExistingOnly);
            return Choose(store.Certificates, thumbprint, $"The personal certificate store of {location} (option '{keyword}')");
        }
        catch (Exception exception) when (exception is CryptographicException or PlatformNotSupportedException or UnauthorizedAccessException)
        {
            throw new ArgumentException(
                $"The personal certificate store of {location} (option '{keyword}') cannot be used: {exception.Message} A certificate from a file does not "
                    + "need a store: SSL Cert, Certificate File.",
                exception);
        }
    }

    /// <summary>Selects the certificates that match the thumbprint and have a private key.</summary>
    /// <param name="certificates">Certificates of the store. Those that are not selected are disposed.</param>
    /// <param name="thumbprint">See <see cref="ReadClientCertificates"/>.</param>
    /// <param name="where">Name of the store, for messages.</param>
    /// <exception cref="ArgumentException">No certificate matches.</exception>
    public static X509Certificate2Collection Choose(X509Certificate2Collection certificates, string thumbprint, string where)
    {
        ArgumentNullException.ThrowIfNull(certificates);
        var wanted = ReadThumbprint(thumbprint);
        var chosen = new X509Certificate2Collection();
        var found = false;
        foreach (var certificate in certificates)
        {
            var isMatch = wanted.Length == 0 || wanted.Equals(
                wanted.Length == Sha256Digits ? certificate.GetCertHashString(HashAlgorithmName.SHA256) : certificate.Thumbprint,
                StringComparison.OrdinalIgnoreCase);
            found |= isMatch;
            if (isMatch && certificate.HasPrivateKey)
                chosen.Add(certificate);
            else
                certificate.Dispose();
        }

        return chosen.Count > 0 ? chosen : throw new ArgumentException(
            !found && wanted.Length > 0 ? $"{where} has no certificate with the thumbprint {wanted}."
            : wanted.Length > 0 ? $"{where} has no private key for the certificate with the thumbprint {wanted}, or this user may not read it."
            : $"{where} has no certificate with a private key.");
    }

    // Accepts copied text: in groups, with colons, and with the invisible character that the dialog of one system puts first.
    private static string ReadThumbprint(string thumbprint) => string.Create(CountDigits(thumbprint), thumbprint, static (digits, text) =>
    {
        var at = 0;
        foreach (var c in text)
            if (char.IsAsciiHexDigit(c))
                digits[at++] = char.ToUpperInvariant(c);
    });

    private static int CountDigits(string text)
    {
        var count = 0;
        foreach (var c in text)
        {
            if (char.IsAsciiHexDigit(c))
                count++;
            else if (char.IsAsciiLetterOrDigit(c))
                throw new ArgumentException($"'{text}' is not a thumbprint: write hexadecimal digits only, 40 (SHA-1) or 64 (SHA-256).");
        }

        return count is 0 && text.Length == 0 || count is 40 or Sha256Digits ? count
            : throw new ArgumentException($"'{text}' is not a thumbprint: it has {count} hexadecimal digits instead of 40 (SHA-1) or 64 (SHA-256).");
    }
}
