using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// The values of a line that LOAD DATA reads with <c>FIELDS TERMINATED BY ',' ENCLOSED BY '\'' ESCAPED BY '\\'</c>: SQL literals without the parts that only
/// SQL allows (a type before a string, a space before a sign). A line contains only texts. If the column would treat the text differently from the value, the
/// text gets a format that gives the same result, or the value is refused.
/// </summary>
internal static class LoadDataText
{
    private static readonly SearchValues<byte> NumberCharacters = SearchValues.Create("0123456789."u8);

    /// <summary>Writes NULL. In quotes, the word would be a text.</summary>
    public static void WriteNull(ByteWriter writer) => writer.Bytes("NULL"u8);

    /// <summary>Writes a value, which must not be NULL, for a column.</summary>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type, or LOAD DATA would store another value than INSERT.</exception>
    public static void Write<T>(ByteWriter writer, T value, CodecSettings codecs, BulkTarget target)
    {
        var type = (ColumnType)(byte)ParameterWriter.WireType(value, codecs);
        var kind = BulkTarget.KindOf(type);
        if ((target.Unchanged & kind) != 0)
            WriteLiteral(writer, value, codecs, type);
        else if (target.Kind is BulkTargetKind.Bytes or BulkTargetKind.Bits || (target.Kind == BulkTargetKind.Variable && kind == BulkValueKinds.Bytes))
            WriteHexadecimal(writer, value, codecs, type, target);
        else if (!TryWriteConverted(writer, value, codecs, type, target))
            throw Refused(value, target);
    }

    /// <summary>Returns the characters to which the server would convert a date or a time, with the whole fraction.</summary>
    public static ReadOnlySpan<byte> Characters<T>(ByteWriter scratch, T value, CodecSettings codecs)
    {
        scratch.Clear();
        WriteLiteral(scratch, value, codecs, (ColumnType)(byte)ParameterWriter.WireType(value, codecs));
        return scratch.Written.Trim((byte)'\'');
    }

    /// <summary>Returns the exception for a value that LOAD DATA would store differently.</summary>
    public static NotSupportedException Refused<T>(T value, BulkTarget target) => new(
        $"A value of type {value!.GetType()} in the column {target.Name} ({target.Type}) would not be stored as an INSERT stores it: convert it to the "
        + "column's type first, or set Method to MultiRow.");

    private static void WriteLiteral<T>(ByteWriter writer, T value, CodecSettings codecs, ColumnType type)
    {
        var at = writer.Length;
        ParameterWriter.WriteText(writer, value, codecs, LiteralRules.None);
        switch (type)
        {
            // timestamp'…' or timestamp('…'), date'…', time'…', _binary'…'
            case ColumnType.DateTime or ColumnType.Date or ColumnType.Time or ColumnType.Blob:
                Remove(writer, at, writer.Written[at..].IndexOf((byte)'\''));
                if (type != ColumnType.Blob && writer.Written[^1] == ')')
                    writer.Shrink(1);
                break;
            case ColumnType.Tiny when writer.Written[at] is (byte)'t' or (byte)'f':
                var digit = writer.Written[at] == 't' ? (byte)'1' : (byte)'0';
                writer.Truncate(at);
                writer.Byte(digit);
                break;
            case ColumnType.Tiny or ColumnType.Short or ColumnType.Long or ColumnType.LongLong or ColumnType.NewDecimal:
                Remove(writer, at, writer.Written[at] == ' ' ? 1 : 0);
                break;
            case ColumnType.Float or ColumnType.Double:
                Remove(writer, at, writer.Written[at] == ' ' ? 1 : 0);
                if (writer.Written[at..].EndsWith("e0"u8))
                    writer.Shrink(2);
                break;
        }
    }

    // Writes a value that the column would treat differently in a line than as a parameter. Returns false if no format gives the same result.
    private static bool TryWriteConverted<T>(ByteWriter writer, T value, CodecSettings codecs, ColumnType type, BulkTarget target)
    {
        var at = writer.Length;
        WriteLiteral(writer, value, codecs, type);
        var written = writer.Written[at..];
        switch (BulkTarget.KindOf(type), target.Kind)
        {
            // Bytes that are characters in any character set of the column. The server never converts bytes to JSON.
            case (BulkValueKinds.Bytes, not BulkTargetKind.Json):
                return Ascii.IsValid(written);
            case (BulkValueKinds.Floating, BulkTargetKind.Text):
                if (!ThisAssembly.Conventions.SendsDoublesAsDigits)
                    Floats.MakeServerText(writer, at);
                return writer.Length - at <= target.Width;
            // The server rounds a text away from zero, and a number to the nearest even one.
            case (BulkValueKinds.Floating, BulkTargetKind.Whole):
                return TryRound(writer, at);
            // '0' is the year 2000; the number 0 is the year 0000.
            case (BulkValueKinds.Whole, BulkTargetKind.Year):
                if (written.SequenceEqual("0"u8))
                    writer.Bytes("000"u8);
                return true;
            // LOAD DATA converts "12abc" to 12 with only a note.
            case (BulkValueKinds.Text, BulkTargetKind.Decimal):
                return !BeginsLikeNumber(written.Trim((byte)'\''));
            // YYYYMMDD and YYYYMMDDhhmmss: the server pads shorter numbers and shorter texts on different sides.
            case (BulkValueKinds.Whole, BulkTargetKind.Date):
                if (written.SequenceEqual("0"u8))
                    writer.Bytes("000-00-00"u8);
                else
                    return written.Length is 8 or 14;
                return true;
            case (BulkValueKinds.Whole, BulkTargetKind.Time):
                return Utf8Parser.TryParse(written, out long clock, out _) && clock is >= -8385959 and <= 8385959;
            case (BulkValueKinds.Whole, BulkTargetKind.Enum):
                return target.HasPlainLabels && written[0] is not ((byte)'0' or (byte)'-');
            case (BulkValueKinds.Whole, BulkTargetKind.Set):
                return target.HasPlainLabels
                    && Utf8Parser.TryParse(written, out ulong labels, out _)
                    && labels >> Math.Min(target.Type.AsSpan().Count('\'') / 2, 63) == 0;
            default:
                return false;
        }
    }

    // Returns true for a number that is followed by something else.
    private static bool BeginsLikeNumber(ReadOnlySpan<byte> text)
    {
        text = text.Trim((byte)' ');
        var number = text.TrimStart("+-"u8);
        var digits = number.IndexOfAnyExcept(NumberCharacters);
        if (digits < 0 || number[..digits].IndexOfAnyInRange((byte)'0', (byte)'9') < 0)
            return false;
        return !Utf8Parser.TryParse(text, out double _, out var used) || used != text.Length;
    }

    private static bool TryRound(ByteWriter writer, int at)
    {
        if (!Utf8Parser.TryParse(writer.Written[at..], out double number, out _) || Math.Abs(number) > ulong.MaxValue)
            return true;
        Span<byte> digits = stackalloc byte[32];
        Math.Round(number, MidpointRounding.ToEven).TryFormat(digits, out var used, "F0", CultureInfo.InvariantCulture);
        writer.Truncate(at);
        writer.Bytes(digits[..used]);
        return true;
    }

    // Writes the value's bytes as hexadecimal digits. For a text, they are its UTF-8 bytes; for a number, its digits; in a BIT column, the number itself.
    private static void WriteHexadecimal<T>(ByteWriter writer, T value, CodecSettings codecs, ColumnType type, BulkTarget target)
    {
        if (type == ColumnType.Blob)
        {
            // _binary X'…'
            var at = writer.Length;
            ParameterWriter.WriteText(writer, value, codecs, LiteralRules.InComment);
            Remove(writer, at, "_binary X'".Length);
            writer.Shrink(1);
            return;
        }

        if (typeof(T) == typeof(string) || value is string)
        {
            Bytes.WriteHex(writer, Encoding.UTF8.GetBytes((string)(object)value!));
            return;
        }

        var kind = BulkTarget.KindOf(type);
        if (kind == BulkValueKinds.Text && TextOf(value) is { } text)
        {
            WriteHexadecimal(writer, text, codecs, type, target);
            return;
        }

        var start = writer.Length;
        WriteLiteral(writer, value, codecs, type);
        if (target.Kind == BulkTargetKind.Bits && kind != BulkValueKinds.Text)
        {
            WriteBits(writer, start, value, kind, target);
            return;
        }

        if (kind == BulkValueKinds.Floating)
            Floats.MakeServerText(writer, start);
        var plain = writer.Written[start..].ToArray().AsSpan().Trim((byte)'\'');
        writer.Truncate(start);
        if (kind == BulkValueKinds.Floating && plain.Length > target.Width)
            throw Refused(value, target);
        Bytes.WriteHex(writer, plain);
    }

    private static void WriteBits<T>(ByteWriter writer, int start, T value, BulkValueKinds kind, BulkTarget target)
    {
        var written = writer.Written[start..];
        ulong bits;
        if (kind == BulkValueKinds.Whole && Utf8Parser.TryParse(written, out long negative, out var used) && used == written.Length)
            bits = (ulong)negative;
        else if (!(kind == BulkValueKinds.Whole && Utf8Parser.TryParse(written, out bits, out used) && used == written.Length))
        {
            // 5.00 is valid for a BIT column too; a number that would have to be rounded is not.
            if (
                kind is not (BulkValueKinds.Decimal or BulkValueKinds.Floating)
                    || !Utf8Parser.TryParse(written, out decimal number, out used)
                    || used != written.Length
                    || number != decimal.Truncate(number) || number is < 0 or > long.MaxValue)
                throw Refused(value, target);
            bits = (ulong)number;
        }

        writer.Truncate(start);
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, bits);
        var first = bytes.IndexOfAnyExcept((byte)0);
        Bytes.WriteHex(writer, first < 0 ? bytes[7..] : bytes[first..]);
    }

    // Null for a Guid, whose characters depend on the option.
    private static string? TextOf<T>(T value) => value switch
    {
        Guid => null,
        char[] text => new(text),
        _ => value!.ToString(),
    };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Remove(ByteWriter writer, int at, int count)
    {
        if (count <= 0)
            return;
        var written = writer.Written;
        written[(at + count)..].CopyTo(written[at..]);
        writer.Shrink(count);
    }
}
