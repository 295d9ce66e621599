using System.Buffers.Binary;
using System.Net.Security;
using System.Security.Cryptography;

namespace Slipstream.BadPeers.Peers;

/// <summary>Seals a server's TLS 1.2 records by hand (RFC 5246 and 5288), for records that no library sends.</summary>
internal sealed class TlsSeal : IDisposable
{
    private const byte WarningLevel = 1;
    private const byte UserCanceled = 90;

    private readonly AesGcm _key;
    private readonly byte[] _salt;

    // After the end of the handshake, and the one record that completes the login.
    private ulong _number = 2;

    public TlsSeal(SslStream tls)
    {
        if (tls.NegotiatedCipherSuite is not (TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 or TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384))
            throw new NotSupportedException($"Nobody has written the seal of {tls.NegotiatedCipherSuite}.");
        var (master, server, client) = TlsWords.Secrets(tls);
        var block = Expand(master, [.. "key expansion"u8, .. server, .. client], 72);
        _key = new AesGcm(block.AsSpan(32, 32), 16);
        _salt = block[68..72];
    }

    public byte[] Data(byte[] bytes) => Seal(23, bytes);

    public byte[] Warning() => Seal(21, [WarningLevel, UserCanceled]);

    public void Dispose() => _key.Dispose();

    private byte[] Seal(byte type, byte[] plain)
    {
        var number = new byte[8];
        BinaryPrimitives.WriteUInt64BigEndian(number, _number++);
        var (sealedBytes, tag) = (new byte[plain.Length], new byte[16]);
        byte[] nonce = [.. _salt, .. number];
        byte[] header = [.. number, type, 3, 3, (byte)(plain.Length >> 8), (byte)plain.Length];
        _key.Encrypt(nonce, plain, sealedBytes, tag, header);
        var length = 8 + plain.Length + 16;
        return [type, 3, 3, (byte)(length >> 8), (byte)length, .. number, .. sealedBytes, .. tag];
    }

    private static byte[] Expand(byte[] secret, byte[] seed, int count)
    {
        var expanded = new List<byte>();
        for (var at = HMACSHA384.HashData(secret, seed); expanded.Count < count; at = HMACSHA384.HashData(secret, at))
        {
            byte[] next = [.. at, .. seed];
            expanded.AddRange(HMACSHA384.HashData(secret, next));
        }

        return [.. expanded[..count]];
    }
}
