using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>Writes the values of a binary import: the only place that knows how a value and a type are passed to the codecs.</summary>
internal static class CopyValueWriter
{
    /// <summary>Writes a value in the type that it suggests; null and <see cref="DBNull"/> are NULL.</summary>
    public static void Write<T>(ByteWriter writer, T value, TypeCatalogue types)
    {
        if (value is null or DBNull)
            Bind.Null(writer);
        else if (value is string text && !types.HasMappings)
            Texts.Write(writer, text);
        else
            Values.Write(writer, value, Suggested(value, types), types);
    }

    /// <summary>Writes a value in a type; null and <see cref="DBNull"/> are NULL.</summary>
    public static void Write<T>(ByteWriter writer, T value, uint oid, TypeCatalogue types)
    {
        if (value is null or DBNull)
            Bind.Null(writer);
        else
            Values.Write(writer, value, oid, types);
    }

    // The comparisons are constants for the compiler: the usual types are not boxed.
    private static uint Suggested<T>(T value, TypeCatalogue types)
    {
        if (typeof(T) == typeof(int) || typeof(T) == typeof(int?))
            return TypeOid.Int4;
        if (typeof(T) == typeof(long) || typeof(T) == typeof(long?))
            return TypeOid.Int8;
        if (typeof(T) == typeof(short) || typeof(T) == typeof(short?))
            return TypeOid.Int2;
        if (typeof(T) == typeof(bool) || typeof(T) == typeof(bool?))
            return TypeOid.Bool;
        if (typeof(T) == typeof(double) || typeof(T) == typeof(double?))
            return TypeOid.Float8;
        if (typeof(T) == typeof(float) || typeof(T) == typeof(float?))
            return TypeOid.Float4;
        if (typeof(T) == typeof(decimal) || typeof(T) == typeof(decimal?))
            return TypeOid.Numeric;
        if (typeof(T) == typeof(Guid) || typeof(T) == typeof(Guid?))
            return TypeOid.Uuid;
        if (typeof(T) == typeof(DateOnly) || typeof(T) == typeof(DateOnly?))
            return TypeOid.Date;
        if (typeof(T) == typeof(TimeOnly) || typeof(T) == typeof(TimeOnly?))
            return TypeOid.Time;
        if (typeof(T) == typeof(TimeSpan) || typeof(T) == typeof(TimeSpan?))
            return TypeOid.Interval;
        if (typeof(T) == typeof(DateTime))
            return Values.TypeOf(Unsafe.As<T, DateTime>(ref value));
        return Values.TypeOf(value, types);
    }
}
