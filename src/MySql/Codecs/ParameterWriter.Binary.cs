using System.Numerics;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Codecs;

/// <summary>Writes the values of COM_STMT_EXECUTE in the binary format of result rows.</summary>
internal static partial class ParameterWriter
{
    /// <summary>Writes a value, which must not be NULL, in the format for <see cref="WireType{T}"/>.</summary>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
    /// <exception cref="ArgumentException">The value cannot be stored: NaN, a time out of range, a date of another kind.</exception>
    public static void WriteBinary<T>(ByteWriter writer, T value, CodecSettings settings)
    {
        if (typeof(T) == typeof(int))
            writer.UInt32((uint)As<T, int>(value));
        else if (typeof(T) == typeof(long))
            writer.UInt64((ulong)As<T, long>(value));
        else if (typeof(T) == typeof(bool))
            Booleans.WriteBinary(writer, As<T, bool>(value));
        else if (typeof(T) == typeof(sbyte))
            writer.Byte((byte)As<T, sbyte>(value));
        else if (settings.SendsNarrowTypes && NarrowType<T>() != 0)
            WriteNarrow(writer, value);
        else if (typeof(T) == typeof(byte))
            writer.UInt16(As<T, byte>(value));
        else if (typeof(T) == typeof(short))
            writer.UInt16((ushort)As<T, short>(value));
        else if (typeof(T) == typeof(ushort))
            writer.UInt32(As<T, ushort>(value));
        else if (typeof(T) == typeof(uint))
            writer.UInt64(As<T, uint>(value));
        else if (typeof(T) == typeof(ulong))
            writer.UInt64(As<T, ulong>(value));
        else if (typeof(T) == typeof(float))
            Floats.WriteBinary(writer, Floats.Widen(As<T, float>(value)));
        else if (typeof(T) == typeof(double))
            Floats.WriteBinary(writer, As<T, double>(value));
        else if (typeof(T) == typeof(decimal))
            Decimals.WriteBinary(writer, As<T, decimal>(value));
        else if (typeof(T) == typeof(DateTime))
            Dates.WriteBinary(writer, Dates.PartsOf(As<T, DateTime>(value), settings));
        else if (typeof(T) == typeof(DateTimeOffset))
            Dates.WriteBinary(writer, new MySqlDateTime(As<T, DateTimeOffset>(value).UtcDateTime));
        else if (typeof(T) == typeof(DateOnly))
            Dates.WriteBinary(writer, As<T, DateOnly>(value));
        else if (typeof(T) == typeof(TimeSpan))
            Times.WriteBinary(writer, As<T, TimeSpan>(value));
        else if (typeof(T) == typeof(TimeOnly))
            Times.WriteBinary(writer, As<T, TimeOnly>(value).ToTimeSpan());
        else if (typeof(T) == typeof(Guid))
            Guids.WriteBinary(writer, As<T, Guid>(value), settings.GuidFormat);
        else if (typeof(T) == typeof(ReadOnlyMemory<byte>))
            writer.LengthEncodedValue(As<T, ReadOnlyMemory<byte>>(value));
        else if (new BinaryVisitor(writer, settings) is var visitor && !NullableValues.TryOpen(value, ref visitor))
            WriteBinaryObject(writer, value!, settings);
    }

    private static void WriteNarrow<T>(ByteWriter writer, T value)
    {
        if (typeof(T) == typeof(byte))
            writer.Byte(As<T, byte>(value));
        else if (typeof(T) == typeof(ushort))
            writer.UInt16(As<T, ushort>(value));
        else if (typeof(T) == typeof(uint))
            writer.UInt32(As<T, uint>(value));
        else
            Floats.WriteBinary(writer, As<T, float>(value));
    }

    private static void WriteBinaryObject(ByteWriter writer, object value, CodecSettings settings)
    {
        switch (value)
        {
            case string text: writer.LengthEncodedText(text); break;
            case Enum number: WriteBinaryObject(writer, Number(number), settings); break;
            case int number: WriteBinary(writer, number, settings); break;
            case long number: WriteBinary(writer, number, settings); break;
            case byte[] bytes: writer.LengthEncodedValue(bytes); break;
            case DateTime date: WriteBinary(writer, date, settings); break;
            case decimal number: WriteBinary(writer, number, settings); break;
            case bool flag: WriteBinary(writer, flag, settings); break;
            case double number: WriteBinary(writer, number, settings); break;
            case float number: WriteBinary(writer, number, settings); break;
            case Guid guid: WriteBinary(writer, guid, settings); break;
            case DateOnly date: WriteBinary(writer, date, settings); break;
            case TimeSpan time: WriteBinary(writer, time, settings); break;
            case TimeOnly time: WriteBinary(writer, time, settings); break;
            case DateTimeOffset date: WriteBinary(writer, date, settings); break;
            case byte number: WriteBinary(writer, number, settings); break;
            case sbyte number: WriteBinary(writer, number, settings); break;
            case short number: WriteBinary(writer, number, settings); break;
            case ushort number: WriteBinary(writer, number, settings); break;
            case uint number: WriteBinary(writer, number, settings); break;
            case ulong number: WriteBinary(writer, number, settings); break;
            default: WriteBinaryRare(writer, value); break;
        }
    }

    private static void WriteBinaryRare(ByteWriter writer, object value)
    {
        switch (value)
        {
            case char character: writer.LengthEncodedText([character]); break;
            case char[] text: writer.LengthEncodedText(text); break;
            case ReadOnlyMemory<char> text: writer.LengthEncodedText(text.Span); break;
            case Memory<char> text: writer.LengthEncodedText(text.Span); break;
            case StringBuilder text: writer.LengthEncodedText(text.ToString()); break;
            case ReadOnlyMemory<byte> bytes: writer.LengthEncodedValue(bytes); break;
            case Memory<byte> bytes: writer.LengthEncodedValue(bytes); break;
            case ArraySegment<byte> bytes: writer.LengthEncodedValue(bytes); break;
            case MemoryStream stream: writer.LengthEncodedValue(Written(stream)); break;
            case MySqlGeometry geometry: writer.LengthEncodedBytes(geometry.Value); break;
            case float[] elements: writer.LengthEncodedBytes(Vectors.ToBytes(elements)); break;
            case ReadOnlyMemory<float> elements: writer.LengthEncodedBytes(Vectors.ToBytes(elements.Span)); break;
            case Memory<float> elements: writer.LengthEncodedBytes(Vectors.ToBytes(elements.Span)); break;
            case MySqlDateTime date: Dates.WriteBinary(writer, Dates.RequireStorable(date)); break;
            case MySqlDecimal number: writer.LengthEncodedText(number.ToString()); break;
            case BigInteger number: writer.LengthEncodedText(number.ToString(System.Globalization.CultureInfo.InvariantCulture)); break;
            default: throw Unsupported(value);
        }
    }
}
