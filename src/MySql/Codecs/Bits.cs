using System.Buffers.Text;
using System.Text;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// BIT(1) to BIT(64) → <see cref="ulong"/>. A column comes as one to eight bytes, the most significant first, in text and in binary rows alike. Expressions of
/// that type come in other forms (seen): with the flag BINARY as decimal digits (MariaDB; bytes of FIRST_VALUE and its like), without it as bytes, as digits
/// (COALESCE, GREATEST of MySQL), or as bytes that were taken for characters and written as UTF-8 (CASE, IF of MySQL).
/// </summary>
/// <remarks>
/// Where two readings are possible the flag decides. What remains is MySQL's COALESCE and CASE of as many digits or characters as the column has bytes, and
/// MariaDB's FIRST_VALUE of bytes that are digits.
/// </remarks>
internal static class Bits
{
    private const int MostBits = 64;
    private const int MostBytes = 8;
    private const string FromHex80 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

    public static ulong Read(ReadOnlySpan<byte> value, in ColumnDefinition definition)
    {
        var width = definition.Length is > 0 and < MostBits ? (int)definition.Length : MostBits;
        var isDigits = (definition.Flags & ColumnFlags.Binary) != 0;
        if (!isDigits && value.Length == (width + 7) / 8 && TryBytes(value, width, out var bits))
            return bits;
        if (Utf8Parser.TryParse(value, out bits, out var used) && used == value.Length && Fits(bits, width))
            return bits;
        if (TryBytes(value, width, out bits) || TryCharacters(value, width, out bits))
            return bits;
        return Malformed.Throw<ulong>("BIT", value.Length);
    }

    private static bool Fits(ulong bits, int width) => width == MostBits || bits >> width == 0;

    private static bool TryBytes(ReadOnlySpan<byte> value, int width, out ulong bits)
    {
        bits = 0;
        if (value.Length is < 1 or > MostBytes)
            return false;
        foreach (var part in value)
            bits = bits << 8 | part;
        return Fits(bits, width);
    }

    private static bool TryCharacters(ReadOnlySpan<byte> value, int width, out ulong bits)
    {
        bits = 0;
        Span<byte> bytes = stackalloc byte[MostBytes];
        var count = 0;
        while (!value.IsEmpty)
        {
            if (count == MostBytes || Rune.DecodeFromUtf8(value, out var character, out var used) != System.Buffers.OperationStatus.Done)
                return false;
            // The server's latin1 is Windows-1252.
            var at = character.IsBmp ? FromHex80.IndexOf((char)character.Value) : -1;
            if (at < 0 && character.Value > byte.MaxValue)
                return false;
            bytes[count++] = (byte)(at < 0 ? character.Value : 0x80 + at);
            value = value[used..];
        }

        return TryBytes(bytes[..count], width, out bits);
    }
}
