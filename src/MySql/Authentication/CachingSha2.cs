using System.Security.Cryptography;

namespace Slipstream.MySql.Authentication;

/// <summary>
/// caching_sha2_password, the fast exchange: SHA256(password) XOR SHA256(SHA256(SHA256(password)), nonce). It succeeds if the server's cache contains the
/// account. Otherwise the server requests the password itself (<see cref="ClearPassword"/> or <see cref="RsaPassword"/>). Source:
/// page_caching_sha2_authentication_exchanges.
/// </summary>
internal static class CachingSha2
{
    /// <summary>The method's name in the protocol.</summary>
    public const string Name = "caching_sha2_password";

    /// <summary>The byte with which the client requests the server's public key.</summary>
    public const byte RequestPublicKey = 2;

    /// <summary>Returns the response of 32 bytes; an empty one for an empty password.</summary>
    /// <param name="nonce">The server's 20 bytes.</param>
    /// <param name="password">The password in UTF-8; the caller clears it.</param>
    public static byte[] Respond(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> password)
    {
        if (password.IsEmpty)
            return [];
        Span<byte> once = stackalloc byte[SHA256.HashSizeInBytes];
        Span<byte> mixed = stackalloc byte[SHA256.HashSizeInBytes + Protocol.Connect.InitialHandshake.NonceLength];
        SHA256.HashData(password, once);
        SHA256.HashData(once, mixed);
        nonce[..Protocol.Connect.InitialHandshake.NonceLength].CopyTo(mixed[SHA256.HashSizeInBytes..]);
        var response = SHA256.HashData(mixed);
        for (var i = 0; i < response.Length; i++)
            response[i] ^= once[i];
        CryptographicOperations.ZeroMemory(once);
        CryptographicOperations.ZeroMemory(mixed);
        return response;
    }
}
