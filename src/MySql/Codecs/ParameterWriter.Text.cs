using System.Numerics;
using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Codecs;

/// <summary>Writes values as literals in SQL text.</summary>
internal static partial class ParameterWriter
{
    /// <summary>Writes the literal; NULL for null. It is valid wherever a parameter is, and contains nothing that ends it early.</summary>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
    /// <exception cref="ArgumentException">The value cannot be stored: NaN, a time out of range, a date of another kind.</exception>
    public static void WriteText<T>(ByteWriter writer, T value, CodecSettings settings, LiteralRules rules)
    {
        if (typeof(T) == typeof(int))
            Integers.WriteText(writer, As<T, int>(value));
        else if (typeof(T) == typeof(long))
            Integers.WriteText(writer, As<T, long>(value));
        else if (typeof(T) == typeof(bool))
            Booleans.WriteText(writer, As<T, bool>(value));
        else if (typeof(T) == typeof(sbyte))
            Integers.WriteText(writer, As<T, sbyte>(value));
        else if (typeof(T) == typeof(byte))
            Integers.WriteText(writer, (ulong)As<T, byte>(value));
        else if (typeof(T) == typeof(short))
            Integers.WriteText(writer, As<T, short>(value));
        else if (typeof(T) == typeof(ushort))
            Integers.WriteText(writer, (ulong)As<T, ushort>(value));
        else if (typeof(T) == typeof(uint))
            Integers.WriteText(writer, (ulong)As<T, uint>(value));
        else if (typeof(T) == typeof(ulong))
            Integers.WriteText(writer, As<T, ulong>(value));
        else if (typeof(T) == typeof(float))
            Floats.WriteText(writer, As<T, float>(value));
        else if (typeof(T) == typeof(double))
            Floats.WriteText(writer, As<T, double>(value));
        else if (typeof(T) == typeof(decimal))
            Decimals.WriteText(writer, As<T, decimal>(value));
        else if (typeof(T) == typeof(DateTime))
            Dates.WriteText(writer, Dates.PartsOf(As<T, DateTime>(value), settings));
        else if (typeof(T) == typeof(DateTimeOffset))
            Dates.WriteText(writer, new MySqlDateTime(As<T, DateTimeOffset>(value).UtcDateTime));
        else if (typeof(T) == typeof(DateOnly))
            Dates.WriteText(writer, As<T, DateOnly>(value));
        else if (typeof(T) == typeof(TimeSpan))
            Times.WriteText(writer, As<T, TimeSpan>(value));
        else if (typeof(T) == typeof(TimeOnly))
            Times.WriteText(writer, As<T, TimeOnly>(value));
        else if (typeof(T) == typeof(Guid))
            Guids.WriteText(writer, As<T, Guid>(value), settings.GuidFormat, rules);
        else if (typeof(T) == typeof(ReadOnlyMemory<byte>))
            Bytes.WriteText(writer, As<T, ReadOnlyMemory<byte>>(value).Span, rules);
        else if (new TextVisitor(writer, settings, rules) is var visitor && !NullableValues.TryOpen(value, ref visitor))
            WriteTextObject(writer, value, settings, rules);
    }

    private static void WriteTextObject(ByteWriter writer, object? value, CodecSettings settings, LiteralRules rules)
    {
        switch (value)
        {
            case null or DBNull: writer.Bytes("NULL"u8); break;
            case string text: Texts.WriteText(writer, text, rules); break;
            case Enum number: WriteTextObject(writer, Number(number), settings, rules); break;
            case int number: WriteText(writer, number, settings, rules); break;
            case long number: WriteText(writer, number, settings, rules); break;
            case byte[] bytes: Bytes.WriteText(writer, bytes, rules); break;
            case DateTime date: WriteText(writer, date, settings, rules); break;
            case decimal number: WriteText(writer, number, settings, rules); break;
            case bool flag: WriteText(writer, flag, settings, rules); break;
            case double number: WriteText(writer, number, settings, rules); break;
            case float number: WriteText(writer, number, settings, rules); break;
            case Guid guid: WriteText(writer, guid, settings, rules); break;
            case DateOnly date: WriteText(writer, date, settings, rules); break;
            case TimeSpan time: WriteText(writer, time, settings, rules); break;
            case TimeOnly time: WriteText(writer, time, settings, rules); break;
            case DateTimeOffset date: WriteText(writer, date, settings, rules); break;
            case byte number: WriteText(writer, number, settings, rules); break;
            case sbyte number: WriteText(writer, number, settings, rules); break;
            case short number: WriteText(writer, number, settings, rules); break;
            case ushort number: WriteText(writer, number, settings, rules); break;
            case uint number: WriteText(writer, number, settings, rules); break;
            case ulong number: WriteText(writer, number, settings, rules); break;
            default: WriteTextRare(writer, value, rules); break;
        }
    }

    private static void WriteTextRare(ByteWriter writer, object value, LiteralRules rules)
    {
        switch (value)
        {
            case char character: Texts.WriteText(writer, [character], rules); break;
            case char[] text: Texts.WriteText(writer, text, rules); break;
            case ReadOnlyMemory<char> text: Texts.WriteText(writer, text.Span, rules); break;
            case Memory<char> text: Texts.WriteText(writer, text.Span, rules); break;
            case StringBuilder text: Texts.WriteText(writer, text.ToString(), rules); break;
            case ReadOnlyMemory<byte> bytes: Bytes.WriteText(writer, bytes.Span, rules); break;
            case Memory<byte> bytes: Bytes.WriteText(writer, bytes.Span, rules); break;
            case ArraySegment<byte> bytes: Bytes.WriteText(writer, bytes, rules); break;
            case MemoryStream stream: Bytes.WriteText(writer, Written(stream).Span, rules); break;
            case MySqlGeometry geometry: Bytes.WriteText(writer, geometry.Value, rules); break;
            case float[] elements: Bytes.WriteText(writer, Vectors.ToBytes(elements), rules); break;
            case ReadOnlyMemory<float> elements: Bytes.WriteText(writer, Vectors.ToBytes(elements.Span), rules); break;
            case Memory<float> elements: Bytes.WriteText(writer, Vectors.ToBytes(elements.Span), rules); break;
            case MySqlDateTime date: Dates.WriteText(writer, Dates.RequireStorable(date)); break;
            case MySqlDecimal number: Decimals.WriteText(writer, number); break;
            case BigInteger number: Decimals.WriteText(writer, number); break;
            default: throw Unsupported(value);
        }
    }
}
