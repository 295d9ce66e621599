using System.Security.Cryptography;

namespace Slipstream.MySql.Authentication;

/// <summary>
/// client_ed25519 of MariaDB: the server's 32-byte nonce signed with Ed25519. The secret key's seed is the password itself, whatever its length. With a seed of
/// 32 bytes, the signature is RFC 8032's. Source: MariaDB "Authentication Plugin - ed25519", RFC 8032 §5.1.6.
/// </summary>
internal static class Ed25519
{
    /// <summary>The method's name in the protocol.</summary>
    public const string Name = "client_ed25519";

    /// <summary>The length of the server's nonce, in bytes.</summary>
    public const int NonceLength = 32;

    /// <summary>The length of a signature, in bytes.</summary>
    public const int SignatureLength = 64;

    /// <summary>Returns the response of 64 bytes, also for an empty password.</summary>
    public static byte[] Respond(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> password) => Sign(nonce, password);

    /// <summary>Returns the public key for a seed, which the server stores.</summary>
    public static byte[] PublicKey(ReadOnlySpan<byte> seed)
    {
        Span<byte> expanded = stackalloc byte[64];
        Expand(seed, expanded);
        var key = new byte[32];
        Ed25519Point.MultiplyBase(expanded[..32]).Encode(key);
        CryptographicOperations.ZeroMemory(expanded);
        return key;
    }

    internal static byte[] Sign(ReadOnlySpan<byte> message, ReadOnlySpan<byte> seed)
    {
        Span<byte> expanded = stackalloc byte[64];
        Span<byte> hash = stackalloc byte[64];
        Span<byte> key = stackalloc byte[32];
        var signature = new byte[SignatureLength];
        Expand(seed, expanded);
        Ed25519Point.MultiplyBase(expanded[..32]).Encode(key);

        Hash(expanded[32..], [], message, hash);
        var r = Ed25519Scalar.Reduce(hash);
        Span<byte> rBytes = stackalloc byte[32];
        r.Write(rBytes);
        Ed25519Point.MultiplyBase(rBytes).Encode(signature);

        Hash(signature.AsSpan(0, 32), key, message, hash);
        var challenge = Ed25519Scalar.Reduce(hash);
        Ed25519Scalar.MultiplyAdd(challenge, Ed25519Scalar.Read(expanded[..32]), r).Write(signature.AsSpan(32));

        CryptographicOperations.ZeroMemory(expanded);
        CryptographicOperations.ZeroMemory(rBytes);
        CryptographicOperations.ZeroMemory(hash);
        return signature;
    }

    private static void Expand(ReadOnlySpan<byte> seed, Span<byte> expanded)
    {
        SHA512.HashData(seed, expanded);
        expanded[0] &= 0xF8;
        expanded[31] &= 0x7F;
        expanded[31] |= 0x40;
    }

    private static void Hash(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second, ReadOnlySpan<byte> third, Span<byte> hash)
    {
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA512);
        sha.AppendData(first);
        sha.AppendData(second);
        sha.AppendData(third);
        sha.GetHashAndReset(hash);
    }
}
