namespace Slipstream.MySql.Authentication;

/// <summary>
/// mysql_clear_password, and the full exchange of caching_sha2_password and sha256_password inside TLS: the password and a zero.
/// Whether the peer may have it is the conversation's decision, not this one's.
/// </summary>
internal static class ClearPassword
{
    /// <summary>The method's name on the wire.</summary>
    public const string Name = "mysql_clear_password";

    /// <summary>The password and a zero; the caller clears it.</summary>
    public static byte[] Respond(ReadOnlySpan<byte> password)
    {
        var response = new byte[password.Length + 1];
        password.CopyTo(response);
        return response;
    }
}
