using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Reads a scalar that is part of another value: an element of an array, a bound of a range, a field of a composite value. The conversions are those of the
/// columns of a row.
/// </summary>
internal static class Scalars
{
    /// <summary>Reads the value as its own type.</summary>
    public static object Read(ColumnKind kind, ReadOnlySpan<byte> value, bool isBinary) => kind switch
    {
        ColumnKind.Boolean => Boolean(value, isBinary),
        ColumnKind.Int2 => (short)Integer(kind, value, isBinary),
        ColumnKind.Int4 => (int)Integer(kind, value, isBinary),
        ColumnKind.Int8 => Integer(kind, value, isBinary),
        ColumnKind.Oid => (uint)Integer(kind, value, isBinary),
        ColumnKind.Float4 => Single(value, isBinary),
        ColumnKind.Float8 => Double(value, isBinary),
        ColumnKind.Numeric => Decimal(value, isBinary),
        ColumnKind.InternalChar => Texts.ReadInternalChar(value, isBinary),
        ColumnKind.Bytea => ByteArray(value, isBinary),
        ColumnKind.Date => Date(value, isBinary),
        ColumnKind.Timestamp or ColumnKind.TimestampTz => Timestamp(kind, value, isBinary),
        ColumnKind.Time => Times.ToTimeOnly(Time(value, isBinary)),
        ColumnKind.TimeTz => ZonedTime(value, isBinary),
        ColumnKind.Interval => isBinary ? Intervals.ReadBinary(value) : Intervals.ReadText(value),
        ColumnKind.Uuid => Uuid(value, isBinary),
        ColumnKind.Jsonb => Texts.Read(isBinary ? Texts.Jsonb(value) : value),
        _ => Texts.Read(value),
    };

    /// <summary>Reads the value as <typeparamref name="T"/>. Returns false if values of this kind cannot be read so.</summary>
    public static bool TryRead<T>(ColumnKind kind, ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        switch (kind)
        {
            case ColumnKind.Boolean when typeof(T) == typeof(bool):
                return Is(Boolean(value, isBinary), out result);
            case ColumnKind.Int2 or ColumnKind.Int4 or ColumnKind.Int8 or ColumnKind.Oid:
                return TryConvert(Integer(kind, value, isBinary), out result);
            case ColumnKind.Float4 when typeof(T) == typeof(float):
                return Is(Single(value, isBinary), out result);
            case ColumnKind.Float4 when typeof(T) == typeof(double):
                return Is<double, T>(Single(value, isBinary), out result);
            case ColumnKind.Float8 when typeof(T) == typeof(double):
                return Is(Double(value, isBinary), out result);
            case ColumnKind.Numeric:
                return TryReadNumeric(value, isBinary, out result);
            case ColumnKind.InternalChar when typeof(T) == typeof(char):
                return Is(Texts.ReadInternalChar(value, isBinary), out result);
            case ColumnKind.InternalChar when typeof(T) == typeof(byte):
                return Is((byte)Texts.ReadInternalChar(value, isBinary), out result);
            case ColumnKind.InternalChar when typeof(T) == typeof(string):
                return Is(Texts.ReadInternalChar(value, isBinary).ToString(), out result);
            case ColumnKind.Bytea:
                return TryReadBytes(value, isBinary, out result);
            case ColumnKind.Text or ColumnKind.Jsonb or ColumnKind.Other:
                return TryReadText(kind == ColumnKind.Jsonb && isBinary ? Texts.Jsonb(value) : value, out result);
            case ColumnKind.Uuid when typeof(T) == typeof(Guid):
                return Is(Uuid(value, isBinary), out result);
            case ColumnKind.Date or ColumnKind.Timestamp or ColumnKind.TimestampTz or ColumnKind.Time or ColumnKind.TimeTz or ColumnKind.Interval:
                return TryReadTime(kind, value, isBinary, out result);
        }

        result = default;
        return false;
    }

    private static bool TryReadNumeric<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (typeof(T) == typeof(decimal))
            return Is(Decimal(value, isBinary), out result);
        if (typeof(T) == typeof(double))
            return Is((double)Decimal(value, isBinary), out result);
        if (typeof(T) == typeof(float))
            return Is((float)Decimal(value, isBinary), out result);
        if (typeof(T) == typeof(string))
            return Is(isBinary ? Numerics.ToText(value) : Texts.Read(value), out result);
        if (typeof(T) == typeof(BigInteger))
            return Is(Numerics.ReadWhole(isBinary ? Numerics.ToText(value) : Texts.Read(value)), out result);
        result = default;
        if (!IsInteger<T>())
            return false;
        var number = Decimal(value, isBinary);
        if (decimal.Truncate(number) != number)
            throw new InvalidCastException("The number is not an integer: read it as Decimal.");
        if (typeof(T) == typeof(ulong))
            return Is(checked((ulong)number), out result);
        return TryConvert(checked((long)number), out result);
    }

    // Text is bytes in its binary form. The bytes are copied only for a type that wants them.
    private static bool TryReadBytes<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (typeof(T) == typeof(byte[]))
            return Is(ByteArray(value, isBinary), out result);
        if (typeof(T) == typeof(ReadOnlyMemory<byte>))
            return Is<ReadOnlyMemory<byte>, T>(ByteArray(value, isBinary), out result);
        if (typeof(T) == typeof(Memory<byte>))
            return Is<Memory<byte>, T>(ByteArray(value, isBinary), out result);
        if (typeof(T) == typeof(ArraySegment<byte>))
            return Is<ArraySegment<byte>, T>(ByteArray(value, isBinary), out result);
        result = default;
        return false;
    }

    private static bool TryReadText<T>(ReadOnlySpan<byte> value, [MaybeNullWhen(false)] out T result)
    {
        if (typeof(T) == typeof(string))
            return Is(Texts.Read(value), out result);
        if (typeof(T) == typeof(char))
            return Is(Texts.ReadChar(value), out result);
        if (typeof(T) == typeof(char[]))
            return Is(Texts.Read(value).ToCharArray(), out result);
        if (typeof(T) == typeof(ReadOnlyMemory<char>))
            return Is<ReadOnlyMemory<char>, T>(Texts.Read(value).AsMemory(), out result);
        return TryReadBytes(value, isBinary: true, out result);
    }

    private static bool TryReadTime<T>(ColumnKind kind, ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        switch (kind)
        {
            case ColumnKind.Timestamp or ColumnKind.TimestampTz when typeof(T) == typeof(DateTime):
                return Is(Timestamp(kind, value, isBinary), out result);
            case ColumnKind.TimestampTz when typeof(T) == typeof(DateTimeOffset):
                return Is(new DateTimeOffset(Timestamp(kind, value, isBinary)), out result);
            case ColumnKind.Timestamp or ColumnKind.TimestampTz when typeof(T) == typeof(long):
                return Is(Microseconds(kind, value, isBinary), out result);
            case ColumnKind.Date when typeof(T) == typeof(DateOnly):
                return Is(Date(value, isBinary), out result);
            case ColumnKind.Date when typeof(T) == typeof(DateTime):
                return Is(Dates.IsInfinity(value, isBinary) ? DateTime.MaxValue : Date(value, isBinary).ToDateTime(default), out result);
            case ColumnKind.Date when typeof(T) == typeof(int):
                return Is(Days(value, isBinary), out result);
            case ColumnKind.Time when typeof(T) == typeof(TimeOnly):
                return Is(Times.ToTimeOnly(Time(value, isBinary)), out result);
            case ColumnKind.Time when typeof(T) == typeof(TimeSpan):
                return Is(Time(value, isBinary), out result);
            case ColumnKind.TimeTz when typeof(T) == typeof(DateTimeOffset):
                return Is(ZonedTime(value, isBinary), out result);
            case ColumnKind.Interval when typeof(T) == typeof(TimeSpan):
                return Is(isBinary ? Intervals.ReadBinary(value) : Intervals.ReadText(value), out result);
            case ColumnKind.Interval when typeof(T) == typeof(PgInterval):
                return Is(isBinary ? Intervals.ReadParts(value) : Intervals.ReadTextParts(value), out result);
        }

        result = default;
        return false;
    }

    private static bool IsInteger<T>() => typeof(T) == typeof(int) || typeof(T) == typeof(long) || typeof(T) == typeof(short) || typeof(T) == typeof(byte)
        || typeof(T) == typeof(uint) || typeof(T) == typeof(ulong) || typeof(T) == typeof(ushort) || typeof(T) == typeof(sbyte);

    private static bool TryConvert<T>(long number, [MaybeNullWhen(false)] out T result)
    {
        if (typeof(T) == typeof(int))
            return Is(checked((int)number), out result);
        if (typeof(T) == typeof(long))
            return Is(number, out result);
        if (typeof(T) == typeof(short))
            return Is(checked((short)number), out result);
        if (typeof(T) == typeof(byte))
            return Is(checked((byte)number), out result);
        if (typeof(T) == typeof(uint))
            return Is(checked((uint)number), out result);
        if (typeof(T) == typeof(ulong))
            return Is(checked((ulong)number), out result);
        if (typeof(T) == typeof(ushort))
            return Is(checked((ushort)number), out result);
        if (typeof(T) == typeof(sbyte))
            return Is(checked((sbyte)number), out result);
        if (typeof(T) == typeof(double))
            return Is((double)number, out result);
        if (typeof(T) == typeof(float))
            return Is((float)number, out result);
        if (typeof(T) == typeof(decimal))
            return Is((decimal)number, out result);
        if (typeof(T) == typeof(BigInteger))
            return Is((BigInteger)number, out result);
        result = default;
        return false;
    }

    private static bool Boolean(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Booleans.ReadBinary(value) : Booleans.ReadText(value);

    private static long Integer(ColumnKind kind, ReadOnlySpan<byte> value, bool isBinary) => !isBinary ? Integers.ReadText(value) : kind switch
    {
        ColumnKind.Int2 => Integers.ReadInt16Binary(value),
        ColumnKind.Int4 => Integers.ReadInt32Binary(value),
        ColumnKind.Int8 => Integers.ReadInt64Binary(value),
        _ => Integers.ReadOidBinary(value),
    };

    private static float Single(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Floats.ReadSingleBinary(value) : Floats.ReadSingleText(value);

    private static double Double(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Floats.ReadDoubleBinary(value) : Floats.ReadDoubleText(value);

    private static decimal Decimal(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Numerics.ReadBinary(value) : Numerics.ReadText(value);

    private static byte[] ByteArray(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Bytes.ReadBinary(value) : Bytes.ReadText(value);

    private static Guid Uuid(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Guids.ReadBinary(value) : Guids.ReadText(value);

    private static DateOnly Date(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Dates.ReadBinary(value) : Dates.ReadText(value);

    private static TimeSpan Time(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Times.ReadBinary(value) : Times.ReadText(value);

    private static DateTimeOffset ZonedTime(ReadOnlySpan<byte> value, bool isBinary) =>
        isBinary ? Times.ReadZonedBinary(value) : Times.ReadZonedText(value);

    private static DateTime Timestamp(ColumnKind kind, ReadOnlySpan<byte> value, bool isBinary) => (kind, isBinary) switch
    {
        (ColumnKind.Timestamp, true) => Timestamps.ReadBinary(value, DateTimeKind.Unspecified),
        (ColumnKind.Timestamp, false) => Timestamps.ReadText(value),
        (_, true) => Timestamps.ReadBinary(value, DateTimeKind.Utc),
        _ => Timestamps.ReadTextWithZone(value),
    };

    private static long Microseconds(ColumnKind kind, ReadOnlySpan<byte> value, bool isBinary) =>
        isBinary ? Integers.ReadInt64Binary(value) : WideTimes.Timestamp(value, kind == ColumnKind.Timestamp ? "timestamp" : "timestamptz");

    private static int Days(ReadOnlySpan<byte> value, bool isBinary) => isBinary ? Integers.ReadInt32Binary(value) : WideTimes.Date(value, "date");

    // The types are equal where it is called.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Is<TFrom, T>(TFrom value, out T result)
    {
        result = Unsafe.As<TFrom, T>(ref value);
        return true;
    }
}
