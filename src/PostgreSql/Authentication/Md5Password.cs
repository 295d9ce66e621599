using System.Security.Cryptography;
using System.Text;

namespace Slipstream.PostgreSql.Authentication;

/// <summary>
/// The answer to AuthenticationMD5Password: <c>"md5" + hex(md5(hex(md5(password + user)) + salt))</c>.
/// An attacker who has read the server's pg_authid can log in with the stored value, and a salt of four bytes repeats.
/// Therefore the driver uses it only if the connection string allows it. Source: PostgreSQL 18, 54.2.1 "Start-up".
/// </summary>
internal static class Md5Password
{
    public static byte[] Answer(string user, string password, ReadOnlySpan<byte> salt)
    {
        var inner = Convert.ToHexStringLower(MD5.HashData(Encoding.UTF8.GetBytes(password + user)));
        return Encoding.ASCII.GetBytes("md5" + Convert.ToHexStringLower(MD5.HashData([.. Encoding.ASCII.GetBytes(inner), .. salt])));
    }
}
