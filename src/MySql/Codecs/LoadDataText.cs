using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// Values of a line that LOAD DATA reads with <c>FIELDS TERMINATED BY ',' ENCLOSED BY '\'' ESCAPED BY '\\'</c>: literals of SQL without what
/// only SQL understands (a type in front of a string, a blank in front of a sign). A line has texts only: a value that the column would take
/// otherwise as a text than as what it is takes the form that makes it the same, or is refused.
/// </summary>
internal static class LoadDataText
{
    private static readonly SearchValues<byte> NumberCharacters = SearchValues.Create("0123456789."u8);

    /// <summary>With quotes around it the word would be a text.</summary>
    public static void WriteNull(ByteWriter writer) => writer.Bytes("NULL"u8);

    /// <summary>The value, not NULL, for a column.</summary>
    /// <exception cref="NotSupportedException">A value of this type cannot be sent, or not as what INSERT would store.</exception>
    public static void Write<T>(ByteWriter writer, T value, CodecSettings codecs, BulkTarget target)
    {
        var type = (ColumnType)(byte)ParameterWriter.WireType(value, codecs);
        var kind = BulkTarget.KindOf(type);
        if ((target.AsItIs & kind) != 0)
            WriteLiteral(writer, value, codecs, type);
        else if (target.Kind is BulkTargetKind.Bytes or BulkTargetKind.Bits || (target.Kind == BulkTargetKind.Variable && kind == BulkValueKinds.Bytes))
            WriteHexadecimal(writer, value, codecs, type, target);
        else if (!TryWriteOtherwise(writer, value, codecs, type, target))
            throw Refused(value, target);
    }

    /// <summary>The characters that the server would make of a date or a time, with their whole fraction.</summary>
    public static ReadOnlySpan<byte> Characters<T>(ByteWriter scratch, T value, CodecSettings codecs)
    {
        scratch.Clear();
        WriteLiteral(scratch, value, codecs, (ColumnType)(byte)ParameterWriter.WireType(value, codecs));
        return scratch.Written.Trim((byte)'\'');
    }

    public static NotSupportedException Refused<T>(T value, BulkTarget target) => new(
        $"A value of type {value!.GetType()} in the column {target.Name} ({target.Type}) would not be stored as an INSERT stores it: convert it to the column's type first, or set Wire to MySqlBulkCopyMethod.MultiRow.");

    private static void WriteLiteral<T>(ByteWriter writer, T value, CodecSettings codecs, ColumnType type)
    {
        var at = writer.Length;
        ParameterWriter.WriteText(writer, value, codecs, LiteralRules.None);
        switch (type)
        {
            // timestamp'…', date'…', time'…', _binary'…'
            case ColumnType.DateTime or ColumnType.Date or ColumnType.Time or ColumnType.Blob:
                Remove(writer, at, writer.Written[at..].IndexOf((byte)'\''));
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

    // What the column does not take from the line as it would from a parameter; false when there is no form that makes it the same.
    private static bool TryWriteOtherwise<T>(ByteWriter writer, T value, CodecSettings codecs, ColumnType type, BulkTarget target)
    {
        var at = writer.Length;
        WriteLiteral(writer, value, codecs, type);
        var written = writer.Written[at..];
        switch (BulkTarget.KindOf(type), target.Kind)
        {
            // Bytes that are characters, whatever the column's character set; JSON is never made of bytes.
            case (BulkValueKinds.Bytes, not BulkTargetKind.Json):
                return Ascii.IsValid(written);
            case (BulkValueKinds.Floating, BulkTargetKind.Text):
                Floats.MakeServerText(writer, at);
                return writer.Length - at <= target.Width;
            // A text is rounded away from zero, a number to the even one.
            case (BulkValueKinds.Floating, BulkTargetKind.Whole):
                return TryRound(writer, at);
            // '0' is the year 2000, the number is the year 0000.
            case (BulkValueKinds.Whole, BulkTargetKind.Year):
                if (written.SequenceEqual("0"u8))
                    writer.Bytes("000"u8);
                return true;
            // Of "12abc" LOAD DATA makes 12 with no more than a note.
            case (BulkValueKinds.Text, BulkTargetKind.Decimal):
                return !BeginsLikeNumber(written.Trim((byte)'\''));
            // YYYYMMDD and YYYYMMDDhhmmss: shorter numbers are filled up from the other side.
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
                return target.HasPlainLabels && Utf8Parser.TryParse(written, out ulong labels, out _) && labels >> Math.Min(target.Type.AsSpan().Count('\'') / 2, 63) == 0;
            default:
                return false;
        }
    }

    // True for a number with something behind it.
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

    // The value's bytes as hexadecimal digits: those of a text are its UTF-8 form, those of a number its digits, in a BIT column the number itself.
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
            // 5.00 is a number for a BIT column, too; what would have to be rounded is not.
            if (kind is not (BulkValueKinds.Decimal or BulkValueKinds.Floating) || !Utf8Parser.TryParse(written, out decimal number, out used) || used != written.Length
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

    // Null for a Guid, whose characters are those of its option.
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
