using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Conversations;

internal sealed partial class PgRow
{
    /// <summary>
    /// Returns a value as T. The type comparisons are constants when the JIT compiles the method for a T, so only one branch remains, without boxing.
    /// </summary>
    public override T GetFieldValue<T>(int ordinal)
    {
        if (typeof(T) == typeof(int))
            return As<int, T>(GetInt32(ordinal));
        if (typeof(T) == typeof(long))
            return As<long, T>(GetInt64(ordinal));
        if (typeof(T) == typeof(string))
            return (T)(object)GetString(ordinal);
        if (typeof(T) == typeof(bool))
            return As<bool, T>(GetBoolean(ordinal));
        if (typeof(T) == typeof(DateTime))
            return As<DateTime, T>(GetDateTime(ordinal));
        if (typeof(T) == typeof(decimal))
            return As<decimal, T>(GetDecimal(ordinal));
        if (typeof(T) == typeof(double))
            return As<double, T>(GetDouble(ordinal));
        if (typeof(T) == typeof(float))
            return As<float, T>(GetFloat(ordinal));
        if (typeof(T) == typeof(short))
            return As<short, T>(GetInt16(ordinal));
        if (typeof(T) == typeof(Guid))
            return As<Guid, T>(GetGuid(ordinal));
        if (typeof(T) == typeof(byte[]))
            return (T)(object)(ElementsOf<byte>(ordinal) ?? GetByteArray(ordinal));
        if (typeof(T) == typeof(DateOnly))
            return As<DateOnly, T>(GetDateOnly(ordinal));
        if (typeof(T) == typeof(TimeOnly))
            return As<TimeOnly, T>(GetTimeOnly(ordinal));
        if (typeof(T) == typeof(TimeSpan))
            return As<TimeSpan, T>(GetTimeSpan(ordinal));
        if (typeof(T) == typeof(DateTimeOffset))
            return As<DateTimeOffset, T>(GetDateTimeOffset(ordinal));
        if (typeof(T) == typeof(byte))
            return As<byte, T>(GetByte(ordinal));
        if (typeof(T) == typeof(sbyte))
            return As<sbyte, T>(checked((sbyte)GetInt64(ordinal)));
        if (typeof(T) == typeof(ushort))
            return As<ushort, T>(checked((ushort)GetInt64(ordinal)));
        if (typeof(T) == typeof(uint))
            return As<uint, T>(checked((uint)GetInt64(ordinal)));
        if (typeof(T) == typeof(ulong))
            return As<ulong, T>(GetUInt64(ordinal));
        if (typeof(T) == typeof(char))
            return As<char, T>(GetChar(ordinal));
        if (typeof(T) == typeof(object))
            return (T)GetValue(ordinal);
        if (typeof(T) == typeof(ReadOnlyMemory<byte>))
            return As<ReadOnlyMemory<byte>, T>(Memory(ordinal));
        if (typeof(T) == typeof(char[]))
            return (T)(object)(ElementsOf<char>(ordinal) ?? GetString(ordinal).ToCharArray());
        if (typeof(T) == typeof(BigInteger))
            return As<BigInteger, T>(BigNumber(ordinal));
        // This comparison is a constant for the compiler; Nullable.GetUnderlyingType would allocate.
        return typeof(T).IsValueType && default(T) is null ? NullableValue<T>(ordinal) : RareValue<T>(ordinal);
    }

    /// <summary>Returns a window on the value. It is valid until the next row, unless the value has its own array.</summary>
    public ReadOnlyMemory<byte> Memory(int ordinal)
    {
        var span = Value(ordinal);
        var column = _columns[ordinal];
        if (column is { Kind: ColumnKind.Bytea, IsBinary: false } || _length[ordinal] < 0)
            return GetByteArray(ordinal);
        var value = GetSpan(ordinal);
        return _buffer.AsMemory(_at[ordinal] + span.Length - value.Length, value.Length);
    }

    // The elements of an array of numbers or characters; null for a value of bytes or text.
    private TElement[]? ElementsOf<TElement>(int ordinal) =>
        !IsNull(ordinal) && _columns[ordinal].Kind == ColumnKind.Coded && TryReadCoded<TElement[]>(ordinal, out var elements) ? elements : null;

    private BigInteger BigNumber(int ordinal)
    {
        if (_columns[Known(ordinal)].Kind != ColumnKind.Numeric)
            return GetInt64(ordinal);
        try
        {
            return Numerics.ReadWhole(GetString(ordinal));
        }
        catch (InvalidCastException)
        {
            throw new InvalidCastException($"Column '{Called(ordinal)}' contains a number that is not an integer: read it with GetDecimal or GetString.");
        }
    }

    private T NullableValue<T>(int ordinal)
    {
        if (IsNull(ordinal))
            return default!;
        if (typeof(T) == typeof(int?))
            return As<int?, T>(GetInt32(ordinal));
        if (typeof(T) == typeof(long?))
            return As<long?, T>(GetInt64(ordinal));
        if (typeof(T) == typeof(bool?))
            return As<bool?, T>(GetBoolean(ordinal));
        if (typeof(T) == typeof(DateTime?))
            return As<DateTime?, T>(GetDateTime(ordinal));
        if (typeof(T) == typeof(decimal?))
            return As<decimal?, T>(GetDecimal(ordinal));
        if (typeof(T) == typeof(double?))
            return As<double?, T>(GetDouble(ordinal));
        if (typeof(T) == typeof(float?))
            return As<float?, T>(GetFloat(ordinal));
        if (typeof(T) == typeof(short?))
            return As<short?, T>(GetInt16(ordinal));
        if (typeof(T) == typeof(Guid?))
            return As<Guid?, T>(GetGuid(ordinal));
        if (typeof(T) == typeof(DateOnly?))
            return As<DateOnly?, T>(GetDateOnly(ordinal));
        if (typeof(T) == typeof(TimeOnly?))
            return As<TimeOnly?, T>(GetTimeOnly(ordinal));
        if (typeof(T) == typeof(TimeSpan?))
            return As<TimeSpan?, T>(GetTimeSpan(ordinal));
        if (typeof(T) == typeof(DateTimeOffset?))
            return As<DateTimeOffset?, T>(GetDateTimeOffset(ordinal));
        if (typeof(T) == typeof(byte?))
            return As<byte?, T>(GetByte(ordinal));
        if (typeof(T) == typeof(sbyte?))
            return As<sbyte?, T>(checked((sbyte)GetInt64(ordinal)));
        if (typeof(T) == typeof(ushort?))
            return As<ushort?, T>(checked((ushort)GetInt64(ordinal)));
        if (typeof(T) == typeof(uint?))
            return As<uint?, T>(checked((uint)GetInt64(ordinal)));
        if (typeof(T) == typeof(ulong?))
            return As<ulong?, T>(GetUInt64(ordinal));
        if (typeof(T) == typeof(char?))
            return As<char?, T>(GetChar(ordinal));
        if (typeof(T) == typeof(BigInteger?))
            return As<BigInteger?, T>(BigNumber(ordinal));
        if (typeof(T) == typeof(ReadOnlyMemory<byte>?))
            return As<ReadOnlyMemory<byte>?, T>(GetByteArray(ordinal));
        if (TryReadCoded<T>(ordinal, out var value))
            return value;
        var underlying = Nullable.GetUnderlyingType(typeof(T))!;
        return underlying.IsEnum ? (T)EnumValue(underlying, ordinal) : Unreadable<T>(ordinal);
    }

    private T RareValue<T>(int ordinal)
    {
        if (!IsNull(ordinal) && TryReadCoded<T>(ordinal, out var value))
            return value;
        if (typeof(T).IsEnum)
            return (T)EnumValue(typeof(T), ordinal);
        if (typeof(T) == typeof(DBNull) && IsNull(ordinal))
            return (T)(object)DBNull.Value;
        return Unreadable<T>(ordinal);
    }

    // Reads a value whose type has a converter for the .NET type.
    private T Coded<T>(int ordinal) => _columns[ordinal].Kind == ColumnKind.Coded && TryReadCoded<T>(ordinal, out var value) ? value : Unreadable<T>(ordinal);

    private bool TryReadCoded<T>(int ordinal, [MaybeNullWhen(false)] out T value)
    {
        var bytes = Value(ordinal);
        var column = _columns[ordinal];
        return column.Type.TryRead(bytes, column.IsBinary, out value);
    }

    // Reads the value as the enumeration's underlying type, because Enum.ToObject truncates a number that is too large.
    private object EnumValue(Type type, int ordinal) => Type.GetTypeCode(type) switch
    {
        TypeCode.Int32 => Enum.ToObject(type, GetInt32(ordinal)),
        TypeCode.Byte => Enum.ToObject(type, GetByte(ordinal)),
        TypeCode.SByte => Enum.ToObject(type, checked((sbyte)GetInt64(ordinal))),
        TypeCode.Int16 => Enum.ToObject(type, GetInt16(ordinal)),
        TypeCode.UInt16 => Enum.ToObject(type, checked((ushort)GetInt64(ordinal))),
        TypeCode.UInt32 => Enum.ToObject(type, checked((uint)GetInt64(ordinal))),
        TypeCode.UInt64 => Enum.ToObject(type, GetUInt64(ordinal)),
        _ => Enum.ToObject(type, GetInt64(ordinal)),
    };

    private T Unreadable<T>(int ordinal)
    {
        Value(ordinal);
        ThrowCast(ordinal, typeof(T).Name);
        return default;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TTo As<TFrom, TTo>(TFrom value) => Unsafe.As<TFrom, TTo>(ref value);
}
