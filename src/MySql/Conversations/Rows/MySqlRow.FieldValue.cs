using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The generic getter. For each value type, the JIT compiles a body in which all comparisons but one are known to be false: no dispatch and no boxing remain.
/// </summary>
internal sealed partial class MySqlRow
{
    public override T GetFieldValue<T>(int ordinal)
    {
        if (typeof(T) == typeof(bool))
            return As<bool, T>(GetBoolean(ordinal));
        if (typeof(T) == typeof(byte))
            return As<byte, T>(GetByte(ordinal));
        if (typeof(T) == typeof(sbyte))
            return As<sbyte, T>(GetSByte(ordinal));
        if (typeof(T) == typeof(short))
            return As<short, T>(GetInt16(ordinal));
        if (typeof(T) == typeof(ushort))
            return As<ushort, T>(GetUInt16(ordinal));
        if (typeof(T) == typeof(int))
            return As<int, T>(GetInt32(ordinal));
        if (typeof(T) == typeof(uint))
            return As<uint, T>(GetUInt32(ordinal));
        if (typeof(T) == typeof(long))
            return As<long, T>(GetInt64(ordinal));
        if (typeof(T) == typeof(ulong))
            return As<ulong, T>(GetUInt64(ordinal));
        if (typeof(T) == typeof(float))
            return As<float, T>(GetFloat(ordinal));
        if (typeof(T) == typeof(double))
            return As<double, T>(GetDouble(ordinal));
        if (typeof(T) == typeof(decimal))
            return As<decimal, T>(GetDecimal(ordinal));
        if (typeof(T) == typeof(DateTime))
            return As<DateTime, T>(GetDateTime(ordinal));
        if (typeof(T) == typeof(DateOnly))
            return As<DateOnly, T>(GetDateOnly(ordinal));
        if (typeof(T) == typeof(TimeOnly))
            return As<TimeOnly, T>(GetTimeOnly(ordinal));
        if (typeof(T) == typeof(TimeSpan))
            return As<TimeSpan, T>(GetTimeSpan(ordinal));
        if (typeof(T) == typeof(DateTimeOffset))
            return As<DateTimeOffset, T>(GetDateTimeOffset(ordinal));
        if (typeof(T) == typeof(Guid))
            return As<Guid, T>(GetGuid(ordinal));
        if (typeof(T) == typeof(char))
            return As<char, T>(GetChar(ordinal));
        if (typeof(T) == typeof(MySqlDateTime))
            return As<MySqlDateTime, T>(GetMySqlDateTime(ordinal));
        if (typeof(T) == typeof(MySqlDecimal))
            return As<MySqlDecimal, T>(GetMySqlDecimal(ordinal));
        if (typeof(T) == typeof(ReadOnlyMemory<byte>))
            return As<ReadOnlyMemory<byte>, T>(GetByteArray(ordinal));
        if (typeof(T) == typeof(Memory<byte>))
            return As<Memory<byte>, T>(GetByteArray(ordinal));
        if (typeof(T) == typeof(ReadOnlyMemory<float>))
            return As<ReadOnlyMemory<float>, T>(GetVector(ordinal));
        if (typeof(T) == typeof(Memory<float>))
            return As<Memory<float>, T>(GetVector(ordinal));
        if (typeof(T).IsValueType && default(T) is null)
            return IsNull(ordinal) ? default! : NullableValue<T>(ordinal);
        if (typeof(T).IsEnum)
            return (T)EnumValue(typeof(T), ordinal);
        return Reference<T>(ordinal);
    }

    // Converts a value from a static type that is known to be the right one.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T As<TFrom, T>(TFrom value) => Unsafe.As<TFrom, T>(ref value);

    // The value is not NULL. Nullable<X> is created from X here, because C# cannot name X.
    private T NullableValue<T>(int ordinal)
    {
        if (typeof(T) == typeof(bool?))
            return As<bool?, T>(GetBoolean(ordinal));
        if (typeof(T) == typeof(byte?))
            return As<byte?, T>(GetByte(ordinal));
        if (typeof(T) == typeof(sbyte?))
            return As<sbyte?, T>(GetSByte(ordinal));
        if (typeof(T) == typeof(short?))
            return As<short?, T>(GetInt16(ordinal));
        if (typeof(T) == typeof(ushort?))
            return As<ushort?, T>(GetUInt16(ordinal));
        if (typeof(T) == typeof(int?))
            return As<int?, T>(GetInt32(ordinal));
        if (typeof(T) == typeof(uint?))
            return As<uint?, T>(GetUInt32(ordinal));
        if (typeof(T) == typeof(long?))
            return As<long?, T>(GetInt64(ordinal));
        if (typeof(T) == typeof(ulong?))
            return As<ulong?, T>(GetUInt64(ordinal));
        if (typeof(T) == typeof(float?))
            return As<float?, T>(GetFloat(ordinal));
        if (typeof(T) == typeof(double?))
            return As<double?, T>(GetDouble(ordinal));
        if (typeof(T) == typeof(decimal?))
            return As<decimal?, T>(GetDecimal(ordinal));
        if (typeof(T) == typeof(DateTime?))
            return As<DateTime?, T>(GetDateTime(ordinal));
        if (typeof(T) == typeof(DateOnly?))
            return As<DateOnly?, T>(GetDateOnly(ordinal));
        if (typeof(T) == typeof(TimeOnly?))
            return As<TimeOnly?, T>(GetTimeOnly(ordinal));
        if (typeof(T) == typeof(TimeSpan?))
            return As<TimeSpan?, T>(GetTimeSpan(ordinal));
        if (typeof(T) == typeof(DateTimeOffset?))
            return As<DateTimeOffset?, T>(GetDateTimeOffset(ordinal));
        if (typeof(T) == typeof(Guid?))
            return As<Guid?, T>(GetGuid(ordinal));
        if (typeof(T) == typeof(char?))
            return As<char?, T>(GetChar(ordinal));
        if (typeof(T) == typeof(MySqlDateTime?))
            return As<MySqlDateTime?, T>(GetMySqlDateTime(ordinal));
        if (typeof(T) == typeof(MySqlDecimal?))
            return As<MySqlDecimal?, T>(GetMySqlDecimal(ordinal));
        if (typeof(T) == typeof(ReadOnlyMemory<byte>?))
            return As<ReadOnlyMemory<byte>?, T>(GetByteArray(ordinal));
        return Nullable.GetUnderlyingType(typeof(T)) is { IsEnum: true } type ? (T)EnumValue(type, ordinal) : ThrowCast<T>(ordinal);
    }

    private T Reference<T>(int ordinal)
    {
        if (typeof(T) == typeof(object))
            return (T)GetValue(ordinal);
        if (typeof(T) == typeof(string))
            return (T)(object)GetString(ordinal);
        if (typeof(T) == typeof(byte[]))
            return (T)(object)GetByteArray(ordinal);
        if (typeof(T) == typeof(char[]))
            return (T)(object)GetString(ordinal).ToCharArray();
        if (typeof(T) == typeof(float[]))
            return (T)(object)GetVector(ordinal);
        if (typeof(T) == typeof(MySqlGeometry))
            return (T)(object)GetMySqlGeometry(ordinal);
        return GetValue(ordinal) is T value ? value : IsNull(ordinal) ? ThrowNullAs<T>(ordinal) : ThrowCast<T>(ordinal);
    }

    private T ThrowNullAs<T>(int ordinal)
    {
        ThrowNull(ordinal);
        return default!;
    }

    /// <summary>Returns an enumeration value from its number, or from its name in an ENUM or another text column.</summary>
    private object EnumValue(Type type, int ordinal)
    {
        if (Kind(ordinal) == ValueKind.Text)
        {
            return Enum.TryParse(type, GetString(ordinal), ignoreCase: true, out var named)
                ? named
                : throw new InvalidCastException($"Column '{Called(ordinal)}' contains text that is not a member of {type.Name}.");
        }

        return Type.GetTypeCode(type) switch
        {
            TypeCode.SByte => Enum.ToObject(type, GetSByte(ordinal)),
            TypeCode.Byte => Enum.ToObject(type, GetByte(ordinal)),
            TypeCode.Int16 => Enum.ToObject(type, GetInt16(ordinal)),
            TypeCode.UInt16 => Enum.ToObject(type, GetUInt16(ordinal)),
            TypeCode.UInt32 => Enum.ToObject(type, GetUInt32(ordinal)),
            TypeCode.Int64 => Enum.ToObject(type, GetInt64(ordinal)),
            TypeCode.UInt64 => Enum.ToObject(type, GetUInt64(ordinal)),
            _ => Enum.ToObject(type, GetInt32(ordinal)),
        };
    }
}
