using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Slipstream.Race.Raw;

/// <summary>
/// Login without TLS by mysql_native_password or caching_sha2_password, including the latter's full form with the server's public key.
/// </summary>
internal static class RawMySqlHandshake
{
    // LONG_PASSWORD, FOUND_ROWS off, LONG_FLAG, CONNECT_WITH_DB, PROTOCOL_41, TRANSACTIONS, SECURE_CONNECTION, PLUGIN_AUTH, DEPRECATE_EOF
    private const uint Capabilities = 1 | 4 | 8 | 0x200 | 0x2000 | 0x8000 | 0x80000 | 0x1000000;
    private const byte Utf8Mb4 = 45;
    private const string Sha2 = "caching_sha2_password";

    public static void Run(RawSocket socket, Track track, Func<byte[]> read)
    {
        var greeting = read();
        var afterVersion = Array.IndexOf(greeting, (byte)0) + 1;
        var scramble = new byte[20];
        greeting.AsSpan(afterVersion + 4, 8).CopyTo(scramble);
        greeting.AsSpan(afterVersion + 4 + 8 + 1 + 18, 12).CopyTo(scramble.AsSpan(8));
        var plugin = Text(greeting.AsSpan(afterVersion + 4 + 8 + 1 + 18 + 13));
        var password = Encoding.UTF8.GetBytes(track.Password);

        var response = Answer(plugin, password, scramble);
        var payload = new List<byte>();
        payload.AddRange(BitConverter.GetBytes(Capabilities));
        payload.AddRange(BitConverter.GetBytes(1 << 30));
        payload.Add(Utf8Mb4);
        payload.AddRange(new byte[23]);
        payload.AddRange(Encoding.UTF8.GetBytes(track.User));
        payload.Add(0);
        payload.Add((byte)response.Length);
        payload.AddRange(response);
        payload.AddRange(Encoding.UTF8.GetBytes(track.Database));
        payload.Add(0);
        payload.AddRange(Encoding.UTF8.GetBytes(plugin));
        payload.Add(0);
        byte sequence = 1;
        Send(socket, [.. payload], sequence);

        while (true)
        {
            var packet = read();
            sequence += 2;
            switch (packet[0])
            {
                case 0x00:
                    return;
                case 0xFE:
                    var end = Array.IndexOf(packet, (byte)0);
                    plugin = Text(packet.AsSpan(1));
                    scramble = packet.AsSpan(end + 1, 20).ToArray();
                    Send(socket, Answer(plugin, password, scramble), sequence);
                    break;
                case 0x01 when packet.Length == 2 && packet[1] == 3: // fast: the OK follows
                    sequence--;
                    break;
                case 0x01 when packet.Length == 2 && packet[1] == 4: // full: ask for the public key
                    Send(socket, [2], sequence);
                    break;
                case 0x01:
                    Send(socket, Encrypted(packet.AsSpan(1), password, scramble), sequence);
                    break;
                default:
                    throw new InvalidOperationException($"unexpected packet 0x{packet[0]:X2} while logging in");
            }
        }
    }

    private static void Send(RawSocket socket, byte[] payload, byte sequence)
    {
        BinaryPrimitives.WriteInt32LittleEndian(socket.Reserve(4), payload.Length | sequence << 24);
        socket.Write(payload);
        socket.Send();
    }

    private static byte[] Answer(string plugin, byte[] password, byte[] scramble)
    {
        if (password.Length == 0)
            return [];
        if (plugin == Sha2)
        {
            var once = SHA256.HashData(password);
            return Xor(once, SHA256.HashData([.. SHA256.HashData(once), .. scramble]));
        }

        var hash = SHA1.HashData(password);
        return Xor(hash, SHA1.HashData([.. scramble, .. SHA1.HashData(hash)]));
    }

    private static byte[] Encrypted(ReadOnlySpan<byte> pem, byte[] password, byte[] scramble)
    {
        using var rsa = RSA.Create();
        rsa.ImportFromPem(Encoding.ASCII.GetString(pem));
        byte[] terminated = [.. password, 0];
        for (var i = 0; i < terminated.Length; i++)
            terminated[i] ^= scramble[i % scramble.Length];
        return rsa.Encrypt(terminated, RSAEncryptionPadding.OaepSHA1);
    }

    private static byte[] Xor(byte[] left, byte[] right)
    {
        for (var i = 0; i < left.Length; i++)
            left[i] ^= right[i];
        return left;
    }

    private static string Text(ReadOnlySpan<byte> terminated)
    {
        var end = terminated.IndexOf((byte)0);
        return Encoding.UTF8.GetString(end < 0 ? terminated : terminated[..end]);
    }
}
