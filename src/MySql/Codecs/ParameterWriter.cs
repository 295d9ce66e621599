using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// Writes CLR values as parameters: the type code and the value for a prepared statement, and the literal in SQL text. For a value type known at compile time,
/// nothing is boxed and no dispatch remains; for <see cref="object"/>, the type is determined at run time.
/// </summary>
internal static partial class ParameterWriter
{
    private const ushort Unsigned = StatementExecute.UnsignedFlag;

    /// <summary>Whether the value is sent as NULL.</summary>
    public static bool IsNull<T>([NotNullWhen(false)] T value) => value is null or DBNull;

    /// <summary>Whether the value can be a row count: a non-negative integer.</summary>
    public static bool IsCount<T>(T value) => value switch
    {
        int number => number >= 0,
        long number => number >= 0,
        short number => number >= 0,
        byte or ushort or uint or ulong => true,
        _ => false,
    };

    /// <summary>Returns the two bytes of COM_STMT_EXECUTE: the column type, and the flag of unsigned numbers.</summary>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
    public static ushort WireType<T>(T value, CodecSettings settings)
    {
        if (typeof(T) == typeof(int))
            return (ushort)ColumnType.Long;
        if (typeof(T) == typeof(long))
            return (ushort)ColumnType.LongLong;
        if (typeof(T) == typeof(bool) || typeof(T) == typeof(sbyte))
            return (ushort)ColumnType.Tiny;

        if (settings.SendsNarrowTypes && NarrowType<T>() is not 0 and var narrow)
            return narrow;

        // Values that fit a wider signed type are sent as signed: "1 - @p" is an error for an unsigned 2, and a literal 2 is not unsigned either.
        if (typeof(T) == typeof(short) || typeof(T) == typeof(byte))
            return (ushort)ColumnType.Short;
        if (typeof(T) == typeof(ushort))
            return (ushort)ColumnType.Long;
        if (typeof(T) == typeof(uint))
            return (ushort)ColumnType.LongLong;
        if (typeof(T) == typeof(ulong))
            return (ushort)ColumnType.LongLong | Unsigned;
        if (typeof(T) == typeof(float) || typeof(T) == typeof(double))
            return (ushort)ColumnType.Double;
        if (typeof(T) == typeof(decimal) || typeof(T) == typeof(BigInteger) || typeof(T) == typeof(MySqlDecimal))
            return (ushort)ColumnType.NewDecimal;
        if (typeof(T) == typeof(DateTime) || typeof(T) == typeof(DateTimeOffset) || typeof(T) == typeof(MySqlDateTime))
            return (ushort)ColumnType.DateTime;
        if (typeof(T) == typeof(DateOnly))
            return (ushort)ColumnType.Date;
        if (typeof(T) == typeof(TimeSpan) || typeof(T) == typeof(TimeOnly))
            return (ushort)ColumnType.Time;
        if (typeof(T) == typeof(Guid))
            return (ushort)(Guids.IsBinary(settings.GuidFormat) ? ColumnType.Blob : ColumnType.VarString);
        if (typeof(T) == typeof(char) || typeof(T) == typeof(ReadOnlyMemory<char>) || typeof(T) == typeof(Memory<char>))
            return (ushort)ColumnType.VarString;
        if (typeof(T) == typeof(ReadOnlyMemory<byte>) || typeof(T) == typeof(Memory<byte>) || typeof(T) == typeof(ArraySegment<byte>)
            || typeof(T) == typeof(ReadOnlyMemory<float>) || typeof(T) == typeof(Memory<float>))
            return (ushort)ColumnType.Blob;
        var visitor = new TypeVisitor(settings);
        return NullableValues.TryOpen(value, ref visitor) ? visitor.Type : WireTypeOf(value, settings);
    }

    // 0 for types that are always sent as what they are.
    private static ushort NarrowType<T>()
    {
        if (typeof(T) == typeof(byte))
            return (ushort)ColumnType.Tiny | Unsigned;
        if (typeof(T) == typeof(ushort))
            return (ushort)ColumnType.Short | Unsigned;
        if (typeof(T) == typeof(uint))
            return (ushort)ColumnType.Long | Unsigned;
        return typeof(T) == typeof(float) ? (ushort)ColumnType.Float : (ushort)0;
    }

    private static ushort WireTypeOf(object? value, CodecSettings settings) => value switch
    {
        byte when settings.SendsNarrowTypes => NarrowType<byte>(),
        ushort when settings.SendsNarrowTypes => NarrowType<ushort>(),
        uint when settings.SendsNarrowTypes => NarrowType<uint>(),
        float when settings.SendsNarrowTypes => NarrowType<float>(),
        null or DBNull => (ushort)ColumnType.Null,
        string or char[] or StringBuilder or char or ReadOnlyMemory<char> or Memory<char> => (ushort)ColumnType.VarString,
        Enum number => WireTypeOf(Number(number), settings),
        int => (ushort)ColumnType.Long,
        long => (ushort)ColumnType.LongLong,
        byte[] or ReadOnlyMemory<byte> or Memory<byte> or ArraySegment<byte> or MemoryStream or MySqlGeometry => (ushort)ColumnType.Blob,
        float[] or ReadOnlyMemory<float> or Memory<float> => (ushort)ColumnType.Blob,
        DateTime or DateTimeOffset or MySqlDateTime => (ushort)ColumnType.DateTime,
        decimal or BigInteger or MySqlDecimal => (ushort)ColumnType.NewDecimal,
        bool or sbyte => (ushort)ColumnType.Tiny,
        double or float => (ushort)ColumnType.Double,
        short or byte => (ushort)ColumnType.Short,
        ushort => (ushort)ColumnType.Long,
        uint => (ushort)ColumnType.LongLong,
        ulong => (ushort)ColumnType.LongLong | Unsigned,
        Guid guid => WireType(guid, settings),
        DateOnly => (ushort)ColumnType.Date,
        TimeSpan or TimeOnly => (ushort)ColumnType.Time,
        _ => throw Unsupported(value),
    };

    // An enumeration is sent as its number: pattern matching would not find an int in it.
    private static object Number(Enum value) => value.GetTypeCode() switch
    {
        TypeCode.SByte => Unsafe.Unbox<sbyte>(value),
        TypeCode.Byte => Unsafe.Unbox<byte>(value),
        TypeCode.Int16 => Unsafe.Unbox<short>(value),
        TypeCode.UInt16 => Unsafe.Unbox<ushort>(value),
        TypeCode.Int32 => Unsafe.Unbox<int>(value),
        TypeCode.UInt32 => Unsafe.Unbox<uint>(value),
        TypeCode.Int64 => Unsafe.Unbox<long>(value),
        _ => Unsafe.Unbox<ulong>(value),
    };

    private static ReadOnlyMemory<byte> Written(MemoryStream stream) =>
        stream.TryGetBuffer(out var buffer) ? buffer.AsMemory((int)stream.Position) : stream.ToArray().AsMemory((int)stream.Position);

    // Other streams are sent in pieces, by code that can wait for them.
    private static NotSupportedException Unsupported(object value) => new(
        $"A parameter value of type {value.GetType()} cannot be sent: convert it to a string, a number, a date, a Guid or a byte[]. (A Stream or a "
        + "TextReader needs a prepared command of a single statement: call Prepare, or read it into a byte[] or a string.)");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TTo As<T, TTo>(T value) => Unsafe.As<T, TTo>(ref value);
}
