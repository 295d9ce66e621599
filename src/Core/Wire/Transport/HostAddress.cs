using System.Net;

namespace Slipstream.Core.Wires;

/// <summary>Parses hosts that are IP addresses, not names.</summary>
internal static class HostAddress
{
    private const int Parts = 4;

    /// <summary>The address; null for a name.</summary>
    public static IPAddress? Parse(string host) => ParseFour(host) ?? (IPAddress.TryParse(host, out var address) ? address : null);

    // The usual form, four plain decimal numbers, is parsed here, because the runtime's generic parser is not compiled ahead of time. The runtime parses all
    // other forms.
    private static IPAddress? ParseFour(string host)
    {
        uint address = 0;
        var at = 0;
        for (var part = 0; part < Parts; part++)
        {
            if (part > 0 && (at == host.Length || host[at++] != '.'))
                return null;
            var begin = at;
            uint number = 0;
            while (at < host.Length && at - begin < 3 && char.IsAsciiDigit(host[at]))
                number = number * 10 + (uint)(host[at++] - '0');
            // A number with a leading zero would be octal.
            if (at == begin || number > byte.MaxValue || (host[begin] == '0' && at - begin > 1))
                return null;
            address |= number << (8 * part);
        }

        return at == host.Length ? new IPAddress(address) : null;
    }
}
