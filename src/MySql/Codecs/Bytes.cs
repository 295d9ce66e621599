using System.Buffers;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Codecs;

/// <summary>Bytes ↔ BINARY, VARBINARY, BLOB, GEOMETRY: unchanged in the rows of both protocols.</summary>
internal static class Bytes
{
    private static readonly SearchValues<byte> QuoteAndBackslash = SearchValues.Create((byte)'\'', (byte)'\\');

    public static byte[] Read(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty)
            return [];
        var copy = GC.AllocateUninitializedArray<byte>(value.Length);
        value.CopyTo(copy);
        return copy;
    }

    /// <summary>Writes a literal of bytes. The introducer prevents the server from treating them as characters.</summary>
    public static void WriteText(ByteWriter writer, ReadOnlySpan<byte> value, LiteralRules rules)
    {
        if ((rules & ~LiteralRules.NoBackslashEscapes) != 0 && NeedsDigits(value, rules))
        {
            writer.Bytes("_binary X'"u8);
            WriteHex(writer, value);
            writer.Byte((byte)'\'');
            return;
        }

        writer.Bytes("_binary'"u8);
        while (true)
        {
            var plain = (rules & LiteralRules.NoBackslashEscapes) != 0 ? value.IndexOf((byte)'\'') : value.IndexOfAny(QuoteAndBackslash);
            if (plain < 0)
                break;
            writer.Bytes(value[..(plain + 1)]);
            writer.Byte(value[plain]);
            value = value[(plain + 1)..];
        }

        writer.Bytes(value);
        writer.Byte((byte)'\'');
    }

    private static bool NeedsDigits(ReadOnlySpan<byte> value, LiteralRules rules) => (rules & LiteralRules.InComment) != 0 || value.Contains((byte)'\\')
        || ((rules & LiteralRules.ForeignCharacters) != 0 && !System.Text.Ascii.IsValid(value));

    public static void WriteHex(ByteWriter writer, ReadOnlySpan<byte> value) =>
        Convert.TryToHexString(value, writer.Grow(checked(value.Length * 2)), out _);
}
