using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace Slipstream.MySql.Authentication;

/// <summary>
/// The full exchange of sha256_password and caching_sha2_password outside TLS: the password and a zero byte, XORed with the repeated nonce and encrypted with
/// the server's public key (OAEP, SHA-1). Source: page_caching_sha2_authentication_exchanges, page_protocol_connection_phase_authentication_methods_sha256.
/// </summary>
internal static class RsaPassword
{
    /// <summary>The protocol name of the method of MySQL 5.6 and 5.7.</summary>
    public const string Sha256Name = "sha256_password";

    /// <summary>
    /// The byte with which a client of sha256_password requests the server's public key. (caching_sha2_password: <see cref="CachingSha2.RequestPublicKey"/>.)
    /// </summary>
    public const byte RequestPublicKeySha256 = 1;

    /// <summary>The smallest accepted key, in bits. Smaller keys no longer protect anything.</summary>
    public const int SmallestKey = 1024;

    /// <summary>The largest accepted key, in bits. Larger keys only cost the client time.</summary>
    public const int LargestKey = 8192;

    // In bytes. An 8,192-bit key has 1,420 characters in PEM, and files may contain comments.
    private const int LongestPem = 16 * 1024;

    /// <summary>Reads a public key in PEM format, from the server or from a file.</summary>
    /// <param name="pem">The text in ASCII.</param>
    /// <param name="key">The key; the caller disposes it.</param>
    /// <param name="problem">Why the text is not a usable key, as the end of a sentence.</param>
    public static bool TryReadKey(ReadOnlySpan<byte> pem, [NotNullWhen(true)] out RSA? key, [NotNullWhen(false)] out string? problem)
    {
        key = null;
        if (pem.Length > LongestPem)
        {
            problem = $"it has {pem.Length:N0} bytes, more than {LongestPem:N0} bytes";
            return false;
        }

        var text = Encoding.ASCII.GetString(pem);
        if (!PemEncoding.TryFind(text, out var fields) || text[fields.Label] is not ("PUBLIC KEY" or "RSA PUBLIC KEY"))
        {
            problem = "it is not a public key in PEM form";
            return false;
        }

        var rsa = RSA.Create();
        try
        {
            rsa.ImportFromPem(text[fields.Location]);
        }
        catch (Exception error) when (error is CryptographicException or ArgumentException)
        {
            rsa.Dispose();
            problem = "it is not an RSA public key";
            return false;
        }

        if (rsa.KeySize is < SmallestKey or > LargestKey)
        {
            problem = $"it has {rsa.KeySize:N0} bits instead of {SmallestKey:N0} to {LargestKey:N0} bits";
            rsa.Dispose();
            return false;
        }

        key = rsa;
        problem = null;
        return true;
    }

    /// <summary>Returns the encrypted password, which is as long as the key.</summary>
    /// <exception cref="ArgumentException">The password is too long for the key (modulus − 43 bytes).</exception>
    /// <exception cref="CryptographicException">The numbers of the key are not valid.</exception>
    public static byte[] Encrypt(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> password, RSA key)
    {
        // OAEP with SHA-1 takes 42 bytes of the modulus.
        if (password.Length + 1 > key.KeySize / 8 - 42)
            throw new ArgumentException($"The password is too long for the server's RSA key of {key.KeySize:N0} bits: connect with TLS.", nameof(password));
        var clear = ClearPassword.Respond(password);
        try
        {
            for (var i = 0; i < clear.Length; i++)
                clear[i] ^= nonce[i % Protocol.Connect.InitialHandshake.NonceLength];
            return key.Encrypt(clear, RSAEncryptionPadding.OaepSHA1);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(clear);
        }
    }
}
