using System.Globalization;
using System.Net.NetworkInformation;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Converts macaddr (6 bytes) and macaddr8 (8 bytes) to and from <see cref="PhysicalAddress"/>. In text, "08:00:2b:01:02:03".
/// Source: src/backend/utils/adt/mac.c, macaddr_send; mac8.c, macaddr8_send.
/// </summary>
internal sealed class MacAddressConverter(int length) : PgConverter<PhysicalAddress>
{
    public override PhysicalAddress Read(ref PgValueReader reader)
    {
        var value = reader.ReadRest();
        if (reader.IsBinary)
        {
            if (value.Length != length)
                reader.Fail();
            return new(value.ToArray());
        }

        var bytes = new byte[length];
        if (value.Length != length * 3 - 1)
            reader.Fail();
        for (var at = 0; at < length; at++)
        {
            if (!byte.TryParse(value.Slice(at * 3, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out bytes[at])
                || at + 1 < length && value[at * 3 + 2] != ':')
            {
                reader.Fail();
            }
        }

        return new(bytes);
    }

    public override void Write(ref PgValueWriter writer, PhysicalAddress value)
    {
        // The server extends 6 bytes of a macaddr8 itself.
        var bytes = value.GetAddressBytes();
        if (bytes.Length != length && bytes.Length != 6)
        {
            throw new ArgumentException(length == 6
                ? $"A physical address of {bytes.Length} bytes cannot be sent as macaddr, which has 6 bytes: send it as macaddr8."
                : $"A physical address of {bytes.Length} bytes cannot be sent as macaddr8, which has 6 or 8 bytes.");
        }

        writer.WriteBytes(bytes);
    }
}
