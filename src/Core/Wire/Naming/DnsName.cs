using System.Text;

namespace Slipstream.Core.Wires;

/// <summary>Domain names in messages. Source: RFC 1035, 3.1 "Name space definitions", 4.1.4 "Message compression".</summary>
internal static class DnsName
{
    /// <summary>Longest name in a message, in bytes.</summary>
    public const int Longest = 255;

    private const int LongestLabel = 63;
    private const int Pointer = 0xC0;

    /// <summary>Returns the name without the final dot and in lower case; null if it is not the name of a host or a service.</summary>
    public static string? Normalize(string text)
    {
        var name = text.EndsWith('.') ? text[..^1] : text;
        return name.Length is 0 or > Longest - 2 || Array.Exists(name.Split('.'), static label => !IsLabel(label)) ? null : name.ToLowerInvariant();
    }

    /// <summary>Writes a normalized name.</summary>
    public static void Write(List<byte> to, string name)
    {
        foreach (var label in name.Split('.'))
        {
            to.Add((byte)label.Length);
            to.AddRange(Encoding.ASCII.GetBytes(label));
        }

        to.Add(0);
    }

    /// <summary>Reads a name. Returns null if it is not valid; the root is the empty text.</summary>
    /// <param name="message">The whole message.</param>
    /// <param name="at">The place of the name; then, that of what follows it.</param>
    public static string? Read(ReadOnlySpan<byte> message, ref int at)
    {
        var name = new StringBuilder();
        var place = at;
        var end = -1;
        // Each pointer leads further back than the name before it began, so that there is no loop.
        var earliest = at;
        while (place < message.Length)
        {
            int length = message[place];
            if ((length & Pointer) == Pointer)
            {
                if (place + 1 >= message.Length)
                    return null;
                end = end < 0 ? place + 2 : end;
                place = (length & ~Pointer) << 8 | message[place + 1];
                if (place >= earliest)
                    return null;
                earliest = place;
                continue;
            }

            if (length == 0)
            {
                at = end < 0 ? place + 1 : end;
                return name.ToString();
            }

            if (length > LongestLabel || place + 1 + length > message.Length || name.Length + length + 1 > Longest)
                return null;
            var label = Encoding.ASCII.GetString(message.Slice(place + 1, length));
            if (!IsLabel(label))
                return null;
            name.Append(name.Length > 0 ? "." : "").Append(label.ToLowerInvariant());
            place += 1 + length;
        }

        return null;
    }

    /// <summary>Returns whether a name is below a domain.</summary>
    public static bool IsBelow(string name, string domain) => name.Length > domain.Length + 1 && name.EndsWith("." + domain, StringComparison.Ordinal);

    private static bool IsLabel(string label)
    {
        if (label.Length is 0 or > LongestLabel || label[0] == '-')
            return false;
        foreach (var letter in label)
            if (!char.IsAsciiLetterOrDigit(letter) && letter is not ('-' or '_'))
                return false;
        return true;
    }
}
