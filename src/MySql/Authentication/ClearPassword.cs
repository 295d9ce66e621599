namespace Slipstream.MySql.Authentication;

/// <summary>
/// mysql_clear_password, and the full exchange of caching_sha2_password and sha256_password inside TLS: the password and a zero byte. The caller decides
/// whether the server may receive the password.
/// </summary>
internal static class ClearPassword
{
    /// <summary>The method's name in the protocol.</summary>
    public const string Name = "mysql_clear_password";

    /// <summary>Returns the password and a zero byte; the caller clears the result.</summary>
    public static byte[] Respond(ReadOnlySpan<byte> password)
    {
        var response = new byte[password.Length + 1];
        password.CopyTo(response);
        return response;
    }
}
