using System.Security.Cryptography;

namespace Slipstream.PostgreSql.Authentication;

/// <summary>
/// The keys derived from a password for one salt and iteration count. Deriving them costs thousands of hashes by design, so <see cref="ScramKeyCache"/> keeps
/// them. Source: RFC 5802, section 3.
/// </summary>
internal sealed record ScramKeys(byte[] ClientKey, byte[] StoredKey, byte[] ServerKey)
{
    /// <param name="password">The password, prepared by <see cref="SaslPrep"/>.</param>
    /// <param name="salt">The server's salt.</param>
    /// <param name="iterations">The server's iteration count. The caller has checked it.</param>
    public static ScramKeys Make(ReadOnlySpan<byte> password, ReadOnlySpan<byte> salt, int iterations)
    {
        Span<byte> salted = stackalloc byte[SHA256.HashSizeInBytes];
        Rfc2898DeriveBytes.Pbkdf2(password, salt, salted, iterations, HashAlgorithmName.SHA256);
        var clientKey = HMACSHA256.HashData(salted, "Client Key"u8);
        var serverKey = HMACSHA256.HashData(salted, "Server Key"u8);
        CryptographicOperations.ZeroMemory(salted);
        return new(clientKey, SHA256.HashData(clientKey), serverKey);
    }
}

/// <summary>
/// The last derived keys of one data source. While password, salt and iteration count stay the same, a reconnect needs no key derivation (1 to 2 ms of CPU at
/// 4096 iterations). The cache keeps only a hash of the password.
/// </summary>
internal sealed class ScramKeyCache
{
    private Entry? _last;

    public ScramKeys Get(string password, ReadOnlySpan<byte> salt, int iterations)
    {
        var prepared = SaslPrep.Apply(password);
        try
        {
            var hash = SHA256.HashData(prepared);
            if (_last is { } last
                && last.Iterations == iterations
                && CryptographicOperations.FixedTimeEquals(salt, last.Salt)
                && CryptographicOperations.FixedTimeEquals(hash, last.PasswordHash))
                return last.Keys;
            var keys = ScramKeys.Make(prepared, salt, iterations);
            _last = new(hash, salt.ToArray(), iterations, keys);
            return keys;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(prepared);
        }
    }

    private sealed record Entry(byte[] PasswordHash, byte[] Salt, int Iterations, ScramKeys Keys);
}
