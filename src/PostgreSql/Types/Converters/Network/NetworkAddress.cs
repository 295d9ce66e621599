using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Reads and writes inet and cidr:
/// <code>
/// family (1: 2 is IPv4, 3 is IPv6) | bits of the netmask (1) | is cidr (1) | length (1: 4 or 16) | address
/// </code>
/// In text, "192.168.1.5/24"; inet omits a netmask of all bits. Source: src/backend/utils/adt/network.c, network_send.
/// </summary>
internal static class NetworkAddress
{
    private const byte IPv4 = 2;
    private const byte IPv6 = 3;
    private const int LongestText = 64;

    public static (IPAddress Address, byte Netmask) Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
        {
            var text = reader.ReadRest();
            Span<char> characters = stackalloc char[LongestText];
            if (text.Length > LongestText || Ascii.ToUtf16(text, characters, out var length) != OperationStatus.Done
                || !NetworkText.TryParse(characters[..length], requiresNetmask: false, out var parsed, out var bits) || bits > NetworkText.FullNetmask(parsed))
            {
                reader.Fail();
                return default;
            }

            return (parsed, bits);
        }

        var family = reader.ReadByte();
        var netmask = reader.ReadByte();
        var isCidr = reader.ReadByte();
        var size = reader.ReadByte();
        if (family is not (IPv4 or IPv6) || size != (family == IPv4 ? 4 : 16) || netmask > size * 8 || isCidr > 1)
            reader.Fail();
        return (new(reader.ReadBytes(size)), netmask);
    }

    public static void Write(ref PgValueWriter writer, IPAddress address, byte netmask, bool isCidr)
    {
        var isIPv4 = address.AddressFamily == AddressFamily.InterNetwork;
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out var length);
        writer.WriteByte(isIPv4 ? IPv4 : IPv6);
        writer.WriteByte(netmask);
        writer.WriteByte(isCidr ? (byte)1 : (byte)0);
        writer.WriteByte((byte)length);
        writer.WriteBytes(bytes[..length]);
    }

    /// <exception cref="ArgumentException">The value was not created with an address.</exception>
    public static IPAddress Required(IPAddress? address, string type) => address
        ?? throw new ArgumentException($"A default value of type {type} has no address and cannot be sent: create it with an address, or send DBNull.");
}
