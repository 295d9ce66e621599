using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Slipstream.MySql.Authentication;

/// <summary>
/// parsec of MariaDB 11.6 and later: the random bytes of both sides, signed with Ed25519. PBKDF2 derives the secret key's seed from the password, with a salt
/// and a cost that the server stores for the account.
/// <code>
/// S: AuthSwitchRequest with 32 random bytes
/// C: (empty)
/// S: 'P' | cost: the count is 1,024 · 2^cost (1) | salt
/// C: 32 random bytes | signature over the server's and the client's (64)
/// </code>
/// Source: MariaDB "Authentication Plugin - PARSEC".
/// </summary>
internal static class Parsec
{
    /// <summary>The method's name in the protocol.</summary>
    public const string Name = "parsec";

    /// <summary>The length of each side's random bytes.</summary>
    public const int NonceLength = 32;

    /// <summary>The highest accepted cost. 1,024 · 2^10 iterations take about a second. With more, a hostile server could keep a client busy.</summary>
    public const int MaxCost = 10;

    // Iterations between two checks for cancellation: a few milliseconds.
    private const int Block = 4096;

    private const int SeedLength = 32;
    private const int ShortestSalt = 8;
    private const int LongestSalt = 64;

    /// <summary>Whether these bytes are a salt with its cost.</summary>
    public static bool IsExtendedSalt(ReadOnlySpan<byte> extendedSalt) =>
        extendedSalt is [(byte)'P', <= MaxCost, ..] && extendedSalt.Length is >= 2 + ShortestSalt and <= 2 + LongestSalt;

    /// <summary>Returns the client's random bytes and the signature, 96 bytes.</summary>
    /// <param name="serverNonce">The server's random bytes.</param>
    /// <param name="clientNonce">The client's random bytes.</param>
    /// <param name="extendedSalt">The salt and its cost, valid for <see cref="IsExtendedSalt"/>.</param>
    /// <param name="password">The password in UTF-8; the caller clears it.</param>
    /// <param name="publicKey">The public key of 32 bytes, with which the server verifies the signature.</param>
    public static byte[] Respond(
        ReadOnlySpan<byte> serverNonce, ReadOnlySpan<byte> clientNonce, ReadOnlySpan<byte> extendedSalt, ReadOnlySpan<byte> password, out byte[] publicKey) =>
        Respond(serverNonce, clientNonce, extendedSalt, password, CancellationToken.None, out publicKey);

    /// <summary>Returns the client's random bytes and the signature; can be cancelled.</summary>
    /// <exception cref="OperationCanceledException">The login's time limit expired, or the application cancelled it, before the key was derived.</exception>
    internal static byte[] Respond(
        ReadOnlySpan<byte> serverNonce, ReadOnlySpan<byte> clientNonce, ReadOnlySpan<byte> extendedSalt, ReadOnlySpan<byte> password,
        CancellationToken patience, out byte[] publicKey)
    {
        Span<byte> seed = stackalloc byte[SeedLength];
        Derive(password, extendedSalt[2..], 1024 << extendedSalt[1], seed, patience);
        var signature = Ed25519.Sign([.. serverNonce, .. clientNonce], seed);
        publicKey = Ed25519.PublicKey(seed);
        CryptographicOperations.ZeroMemory(seed);
        return [.. clientNonce, .. signature];
    }

    // PBKDF2 (RFC 8018, 5.2) of one block: SHA-512's output is longer than any seed. The platform's implementation cannot be cancelled, and takes a second or
    // more with the highest cost.
    private static void Derive(ReadOnlySpan<byte> password, ReadOnlySpan<byte> salt, int iterations, Span<byte> seed, CancellationToken patience)
    {
        if (iterations <= Block)
        {
            Rfc2898DeriveBytes.Pbkdf2(password, salt, seed, iterations, HashAlgorithmName.SHA512);
            return;
        }

        Span<byte> link = stackalloc byte[SHA512.HashSizeInBytes];
        Span<byte> sum = stackalloc byte[SHA512.HashSizeInBytes];
        using var hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA512, password);
        hmac.AppendData(salt);
        hmac.AppendData([0, 0, 0, 1]);
        hmac.GetHashAndReset(link);
        link.CopyTo(sum);
        for (var i = 1; i < iterations; i++)
        {
            if (i % Block == 0)
                patience.ThrowIfCancellationRequested();
            hmac.AppendData(link);
            hmac.GetHashAndReset(link);
            Add(link, sum);
        }

        sum[..SeedLength].CopyTo(seed);
        CryptographicOperations.ZeroMemory(link);
        CryptographicOperations.ZeroMemory(sum);
    }

    private static void Add(ReadOnlySpan<byte> link, Span<byte> sum)
    {
        var from = MemoryMarshal.Cast<byte, ulong>(link);
        var to = MemoryMarshal.Cast<byte, ulong>(sum);
        for (var i = 0; i < to.Length; i++)
            to[i] ^= from[i];
    }
}
