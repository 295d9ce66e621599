using System.Security.Cryptography;

namespace Slipstream.MySql.Authentication;

/// <summary>
/// mysql_native_password: SHA1(password) XOR SHA1(nonce, SHA1(SHA1(password))). Source:
/// page_protocol_connection_phase_authentication_methods_native_password_authentication.
/// </summary>
internal static class NativePassword
{
    /// <summary>The method's name in the protocol.</summary>
    public const string Name = "mysql_native_password";

    /// <summary>Returns the response of 20 bytes; an empty one for an empty password.</summary>
    /// <param name="nonce">The server's 20 bytes.</param>
    /// <param name="password">The password in UTF-8; the caller clears it.</param>
    public static byte[] Respond(ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> password)
    {
        if (password.IsEmpty)
            return [];
        Span<byte> once = stackalloc byte[SHA1.HashSizeInBytes];
        Span<byte> mixed = stackalloc byte[SHA1.HashSizeInBytes * 2];
        SHA1.HashData(password, once);
        nonce[..SHA1.HashSizeInBytes].CopyTo(mixed);
        SHA1.HashData(once, mixed[SHA1.HashSizeInBytes..]);
        var response = SHA1.HashData(mixed);
        for (var i = 0; i < response.Length; i++)
            response[i] ^= once[i];
        CryptographicOperations.ZeroMemory(once);
        CryptographicOperations.ZeroMemory(mixed);
        return response;
    }

    /// <summary>Returns SHA1(SHA1(password)), which the server stores.</summary>
    public static byte[] HashTwice(ReadOnlySpan<byte> password) => SHA1.HashData(SHA1.HashData(password));
}
