using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// Values of a line that LOAD DATA reads with <c>FIELDS TERMINATED BY ',' ENCLOSED BY '\'' ESCAPED BY '\\'</c>: literals of SQL without what
/// only SQL understands (a type in front of a string, a blank in front of a sign).
/// </summary>
internal static class LoadDataText
{
    /// <summary>With quotes around it the word would be a text.</summary>
    public static void WriteNull(ByteWriter writer) => writer.Bytes("NULL"u8);

    /// <summary>The value, not NULL, as a text or number.</summary>
    /// <exception cref="NotSupportedException">A value of this type cannot be sent.</exception>
    public static void Write<T>(ByteWriter writer, T value, CodecSettings codecs)
    {
        var at = writer.Length;
        ParameterWriter.WriteText(writer, value, codecs, LiteralRules.None);
        switch ((ColumnType)(byte)ParameterWriter.WireType(value, codecs))
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

    /// <summary>The value's bytes as hexadecimal digits: those of a text are its UTF-8 form, those of a number its digits.</summary>
    public static void WriteHexadecimal<T>(ByteWriter writer, T value, CodecSettings codecs)
    {
        if (ParameterWriter.WireType(value, codecs) == (ushort)ColumnType.Blob)
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
            WriteDigits(writer, Encoding.UTF8.GetBytes((string)(object)value!));
            return;
        }

        var start = writer.Length;
        Write(writer, value, codecs);
        var plain = writer.Written[start..].ToArray().AsSpan().Trim((byte)'\'');
        writer.Truncate(start);
        WriteDigits(writer, plain);
    }

    private static void WriteDigits(ByteWriter writer, ReadOnlySpan<byte> bytes) => Bytes.WriteHex(writer, bytes);

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
