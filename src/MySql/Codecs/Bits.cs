using System.Buffers.Text;
using System.Text;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// BIT(1) to BIT(64) → <see cref="ulong"/>. A column has one to eight bytes, the most significant first, in text and in binary rows. Expressions of that type
/// have other formats on tested servers. With the flag BINARY, they are decimal digits (MariaDB; bytes for FIRST_VALUE and similar functions). Without it, they
/// are bytes, digits (COALESCE, GREATEST of MySQL), or bytes that were treated as characters and written as UTF-8 (CASE, IF of MySQL).
/// </summary>
/// <remarks>
/// If two readings are possible, the flag decides. Two cases remain ambiguous: MySQL's COALESCE and CASE with as many digits or characters as the column has
/// bytes, and MariaDB's FIRST_VALUE with bytes that are digits.
/// </remarks>
internal static class Bits
{
    private const int MaxBits = 64;
    private const int MaxBytes = 8;
    private const string FromHex80 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

    /// <summary>Reads a value in any of these formats.</summary>
    /// <exception cref="FormatException">The value has none of these formats.</exception>
    public static ulong Read(ReadOnlySpan<byte> value, in ColumnDefinition definition)
    {
        var width = definition.Length is > 0 and < MaxBits ? (int)definition.Length : MaxBits;
        var isDigits = (definition.Flags & ColumnFlags.Binary) != 0;
        if (!isDigits && value.Length == (width + 7) / 8 && TryBytes(value, width, out var bits))
            return bits;
        if (Utf8Parser.TryParse(value, out bits, out var used) && used == value.Length && Fits(bits, width))
            return bits;
        if (TryBytes(value, width, out bits) || TryCharacters(value, width, out bits))
            return bits;
        return Malformed.Throw<ulong>("BIT", value.Length);
    }

    private static bool Fits(ulong bits, int width) => width == MaxBits || bits >> width == 0;

    private static bool TryBytes(ReadOnlySpan<byte> value, int width, out ulong bits)
    {
        bits = 0;
        if (value.Length is < 1 or > MaxBytes)
            return false;
        foreach (var part in value)
            bits = bits << 8 | part;
        return Fits(bits, width);
    }

    private static bool TryCharacters(ReadOnlySpan<byte> value, int width, out ulong bits)
    {
        bits = 0;
        Span<byte> bytes = stackalloc byte[MaxBytes];
        var count = 0;
        while (!value.IsEmpty)
        {
            if (count == MaxBytes || Rune.DecodeFromUtf8(value, out var character, out var used) != System.Buffers.OperationStatus.Done)
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
