using System.Buffers;
using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="string"/> and other characters ↔ CHAR, VARCHAR, TEXT, ENUM, SET, JSON: UTF-8 in both protocols, because the connection's character set is always
/// utf8mb4.
/// </summary>
internal static class Texts
{
    private static readonly SearchValues<char> QuoteAndBackslash = SearchValues.Create("'\\");

    public static string Read(ReadOnlySpan<byte> value) => Encoding.UTF8.GetString(value);

    /// <summary>Writes a string literal.</summary>
    public static void WriteText(ByteWriter writer, ReadOnlySpan<char> value, LiteralRules rules)
    {
        // Hexadecimal digits cannot contain a comment mark.
        if ((rules & ~LiteralRules.NoBackslashEscapes) != 0 && NeedsDigits(value, rules))
        {
            writer.Bytes("_utf8mb4 X'"u8);
            var utf8 = Encoding.UTF8.GetBytes(value.ToString());
            Bytes.WriteHex(writer, utf8);
            writer.Byte((byte)'\'');
            return;
        }

        writer.Byte((byte)'\'');
        while (true)
        {
            var plain = (rules & LiteralRules.NoBackslashEscapes) != 0 ? value.IndexOf('\'') : value.IndexOfAny(QuoteAndBackslash);
            if (plain < 0)
                break;
            // Includes the quote or backslash, which is then doubled.
            writer.Text(value[..(plain + 1)]);
            writer.Byte((byte)value[plain]);
            value = value[(plain + 1)..];
        }

        writer.Text(value);
        writer.Byte((byte)'\'');
    }

    private static bool NeedsDigits(ReadOnlySpan<char> value, LiteralRules rules) => (rules & LiteralRules.InComment) != 0 || value.Contains('\\')
        || ((rules & LiteralRules.ForeignCharacters) != 0 && !Ascii.IsValid(value));
}
