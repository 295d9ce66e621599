using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Slipstream.PostgreSql;

/// <summary>Reads the text of an address with a netmask. Source: PostgreSQL 18, 8.9 "Network Address Types".</summary>
internal static class NetworkText
{
    /// <summary>Returns the number of bits of an address.</summary>
    public static byte FullNetmask(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return address.AddressFamily == AddressFamily.InterNetwork ? (byte)32 : (byte)128;
    }

    /// <exception cref="FormatException">The text has another format.</exception>
    public static (IPAddress Address, byte Netmask) Parse(ReadOnlySpan<char> text, bool requiresNetmask) =>
        TryParse(text, requiresNetmask, out var address, out var netmask)
            ? (address, netmask)
            : throw new FormatException($"The text of {text.Length} characters is not an IP address{(requiresNetmask ? " with a netmask" : "")}, such as "
                + "192.168.1.0/24 or 2001:db8::/32.");

    public static bool TryParse(ReadOnlySpan<char> text, bool requiresNetmask, out IPAddress address, out byte netmask)
    {
        netmask = 0;
        var slash = text.IndexOf('/');
        if (!IPAddress.TryParse(slash < 0 ? text : text[..slash], out var parsed))
        {
            address = IPAddress.None;
            return false;
        }

        address = parsed;
        if (slash >= 0)
            return byte.TryParse(text[(slash + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out netmask);
        netmask = FullNetmask(parsed);
        return !requiresNetmask;
    }
}
