using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Slipstream.Race.Raw;

/// <summary>The client's two messages of SCRAM-SHA-256 (RFC 7677), without channel binding.</summary>
internal sealed class RawScram(string password)
{
    private const string Mechanism = "SCRAM-SHA-256";

    private readonly string _nonce = Convert.ToBase64String(RandomNumberGenerator.GetBytes(18));

    public byte[] First()
    {
        var initial = Encoding.ASCII.GetBytes("n,," + Bare);
        var length = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(length, initial.Length);
        return [.. Encoding.ASCII.GetBytes(Mechanism), 0, .. length, .. initial];
    }

    public byte[] Final(string serverFirst)
    {
        var fields = serverFirst.Split(',');
        var withoutProof = "c=biws," + fields[0];
        var salt = Convert.FromBase64String(fields[1][2..]);
        var salted = Rfc2898DeriveBytes.Pbkdf2(password, salt, int.Parse(fields[2].AsSpan(2)), HashAlgorithmName.SHA256, 32);
        var clientKey = HMACSHA256.HashData(salted, "Client Key"u8);
        var message = Encoding.ASCII.GetBytes(Bare + "," + serverFirst + "," + withoutProof);
        var proof = HMACSHA256.HashData(SHA256.HashData(clientKey), message);
        for (var i = 0; i < proof.Length; i++)
            proof[i] ^= clientKey[i];
        return Encoding.ASCII.GetBytes(withoutProof + ",p=" + Convert.ToBase64String(proof));
    }

    private string Bare => "n=,r=" + _nonce;
}
