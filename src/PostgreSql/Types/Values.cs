using System.Collections.Frozen;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts .NET values to a parameter's type and bytes. The type is derived from the value or set by the caller.</summary>
internal static class Values
{
    private static readonly FrozenDictionary<Type, uint> ScalarTypes = new Dictionary<Type, uint>
    {
        [typeof(int)] = TypeOid.Int4, [typeof(string)] = TypeOid.Text, [typeof(char)] = TypeOid.Text, [typeof(char[])] = TypeOid.Text,
        [typeof(ReadOnlyMemory<char>)] = TypeOid.Text, [typeof(Memory<char>)] = TypeOid.Text, [typeof(ArraySegment<char>)] = TypeOid.Text,
        [typeof(long)] = TypeOid.Int8, [typeof(bool)] = TypeOid.Bool, [typeof(DateTime)] = TypeOid.Timestamp, [typeof(decimal)] = TypeOid.Numeric,
        [typeof(ulong)] = TypeOid.Numeric, [typeof(BigInteger)] = TypeOid.Numeric, [typeof(double)] = TypeOid.Float8, [typeof(Guid)] = TypeOid.Uuid,
        [typeof(byte[])] = TypeOid.Bytea, [typeof(ReadOnlyMemory<byte>)] = TypeOid.Bytea, [typeof(Memory<byte>)] = TypeOid.Bytea,
        [typeof(ArraySegment<byte>)] = TypeOid.Bytea, [typeof(MemoryStream)] = TypeOid.Bytea, [typeof(short)] = TypeOid.Int2, [typeof(byte)] = TypeOid.Int2,
        [typeof(sbyte)] = TypeOid.Int2, [typeof(float)] = TypeOid.Float4, [typeof(ushort)] = TypeOid.Int4, [typeof(uint)] = TypeOid.Int8,
        [typeof(DateTimeOffset)] = TypeOid.TimestampTz, [typeof(DateOnly)] = TypeOid.Date, [typeof(TimeOnly)] = TypeOid.Time,
        [typeof(TimeSpan)] = TypeOid.Interval,
    }.ToFrozenDictionary();

    /// <summary>Finds the type that a scalar .NET type suggests. A DateTime has the type of one whose kind is not Utc.</summary>
    public static bool TryTypeOf(Type type, out uint oid)
    {
        if (ScalarTypes.TryGetValue(type, out oid))
            return true;
        oid = type.IsEnum ? ScalarTypes[Enum.GetUnderlyingType(type)] : JsonValues.IsJson(type) ? TypeOid.Jsonb : TypeOid.Unspecified;
        return oid != TypeOid.Unspecified;
    }

    /// <summary>Returns whether the value holds text or bytes.</summary>
    public static bool IsTextOrBytes(object value) =>
        value is string or char or char[] or ReadOnlyMemory<char> or Memory<char> or ArraySegment<char> || BytesOf(value) is not null;

    /// <summary>Returns the type that a value suggests; <see cref="TypeOid.Unspecified"/> for NULL.</summary>
    /// <param name="value">The value.</param>
    /// <param name="types">The types of the database.</param>
    /// <exception cref="InvalidCastException">No type matches the value.</exception>
    public static uint TypeOf(object? value, TypeCatalogue types) => value switch
    {
        null or DBNull => TypeOid.Unspecified,
        int => TypeOid.Int4,
        string or char or char[] or ReadOnlyMemory<char> or Memory<char> or ArraySegment<char> => TypeOid.Text,
        long => TypeOid.Int8,
        bool => TypeOid.Bool,
        DateTime time => TypeOf(time),
        decimal or ulong or BigInteger => TypeOid.Numeric,
        double => TypeOid.Float8,
        Guid => TypeOid.Uuid,
        // An sbyte[] is a byte[] for the runtime.
        byte[] when value.GetType() == typeof(byte[]) => TypeOid.Bytea,
        ReadOnlyMemory<byte> or Memory<byte> or ArraySegment<byte> or MemoryStream => TypeOid.Bytea,
        short or byte or sbyte => TypeOid.Int2,
        float => TypeOid.Float4,
        ushort => TypeOid.Int4,
        uint => TypeOid.Int8,
        DateTimeOffset => TypeOid.TimestampTz,
        DateOnly => TypeOid.Date,
        TimeOnly => TypeOid.Time,
        TimeSpan => TypeOid.Interval,
        _ => RareTypeOf(value, types),
    };

    private static uint RareTypeOf(object value, TypeCatalogue types) => types.ForValue(value)?.Oid ?? throw types.NoTypeFor(value.GetType());

    /// <summary>Returns timestamptz if the kind is <see cref="DateTimeKind.Utc"/>, and otherwise timestamp.</summary>
    public static uint TypeOf(DateTime time) => time.Kind == DateTimeKind.Utc ? TypeOid.TimestampTz : TypeOid.Timestamp;

    /// <summary>Writes the length and the value. The common pairs of CLR type and database type are written without boxing.</summary>
    /// <param name="writer">The writer to write to.</param>
    /// <param name="value">The value; not null.</param>
    /// <param name="oid">The type.</param>
    /// <param name="types">The types of the database; null if the type is a scalar without a converter.</param>
    public static void Write<T>(ByteWriter writer, T value, uint oid, TypeCatalogue? types = null)
    {
        if (typeof(T) == typeof(int) && oid == TypeOid.Int4)
            Integers.Write(writer, Unsafe.As<T, int>(ref value));
        else if (typeof(T) == typeof(long) && oid == TypeOid.Int8)
            Integers.Write(writer, Unsafe.As<T, long>(ref value));
        else if (typeof(T) == typeof(short) && oid == TypeOid.Int2)
            Integers.Write(writer, Unsafe.As<T, short>(ref value));
        else if (typeof(T) == typeof(bool) && oid == TypeOid.Bool)
            Booleans.Write(writer, Unsafe.As<T, bool>(ref value));
        else if (typeof(T) == typeof(double) && oid == TypeOid.Float8)
            Floats.Write(writer, Unsafe.As<T, double>(ref value));
        else if (typeof(T) == typeof(float) && oid == TypeOid.Float4)
            Floats.Write(writer, Unsafe.As<T, float>(ref value));
        else if (typeof(T) == typeof(decimal) && oid == TypeOid.Numeric)
            Numerics.Write(writer, Unsafe.As<T, decimal>(ref value));
        else if (typeof(T) == typeof(Guid) && oid == TypeOid.Uuid)
            Guids.Write(writer, Unsafe.As<T, Guid>(ref value));
        else if (typeof(T) == typeof(DateTime) && oid is TypeOid.Timestamp or TypeOid.TimestampTz)
            WriteTimestamp(writer, Unsafe.As<T, DateTime>(ref value), oid);
        else if (typeof(T) == typeof(DateOnly) && oid == TypeOid.Date)
            Dates.Write(writer, Unsafe.As<T, DateOnly>(ref value));
        else if (typeof(T) == typeof(TimeOnly) && oid == TypeOid.Time)
            Times.Write(writer, Unsafe.As<T, TimeOnly>(ref value));
        else if (typeof(T) == typeof(TimeSpan) && oid == TypeOid.Interval)
            Intervals.Write(writer, Unsafe.As<T, TimeSpan>(ref value));
        else if (typeof(T) == typeof(PgInterval) && oid == TypeOid.Interval)
            Intervals.Write(writer, Unsafe.As<T, PgInterval>(ref value));
        else if (new Visitor(writer, oid, types) is var visitor && !NullableValues.TryOpen(value, ref visitor))
            WriteRare(writer, value, oid, types);
    }

    private static void WriteRare<T>(ByteWriter writer, T value, uint oid, TypeCatalogue? types)
    {
        if (types is not null && ColumnKinds.Of(oid) == ColumnKind.Other && types.Get(oid) is { Kind: not ColumnKind.Other } type)
            type.Write(writer, value);
        else if (types is not { HasMappings: true } || !types.Get(oid).TryWriteConverted(writer, value))
            Write(writer, (object)value!, oid, size: 0, types);
    }

    // Writes the value of a nullable as if the caller had passed the value itself.
    private readonly struct Visitor(ByteWriter writer, uint oid, TypeCatalogue? types) : IValueVisitor
    {
        public void Visit<T>(T value) => Write(writer, value, oid, types);
    }

    /// <summary>Writes the length and the value in the form of the type <paramref name="oid"/>.</summary>
    /// <param name="writer">The writer to write to.</param>
    /// <param name="value">The value; not null.</param>
    /// <param name="oid">The type. <see cref="TypeOid.Unspecified"/> writes text.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 for all.</param>
    /// <param name="types">The types of the database; null if the type is a scalar without a converter.</param>
    /// <exception cref="InvalidCastException">The value cannot be converted to that type.</exception>
    public static void Write(ByteWriter writer, object value, uint oid, int size = 0, TypeCatalogue? types = null)
    {
        if (types is not null && TypeFor(value, oid, types) is { } type)
        {
            type.Write(writer, value);
            return;
        }

        if (value is Enum number && TakesNumber(oid))
            value = Convert.ChangeType(number, number.GetTypeCode(), CultureInfo.InvariantCulture);
        switch (oid)
        {
            case TypeOid.Int4: Integers.Write(writer, value is int int4 ? int4 : checked((int)Whole(value, "integer"))); break;
            case TypeOid.Int8: Integers.Write(writer, value is long int8 ? int8 : Whole(value, "bigint")); break;
            case TypeOid.Int2: Integers.Write(writer, checked((short)Whole(value, "smallint"))); break;
            case TypeOid.Oid or TypeOid.Xid or TypeOid.Cid: Integers.Write(writer, unchecked((int)checked((uint)Whole(value, "oid")))); break;
            case TypeOid.Bool: Booleans.Write(writer, value is bool flag ? flag : throw WrongType(value, "boolean")); break;
            case TypeOid.Float8: Floats.Write(
                writer, IsNumber(value) ? Convert.ToDouble(value, CultureInfo.InvariantCulture) : throw WrongType(value, "double precision"));
            break;
            case TypeOid.Float4: Floats.Write(writer, IsNumber(value) ? Convert.ToSingle(value, CultureInfo.InvariantCulture) : throw WrongType(value, "real"));
            break;
            case TypeOid.Numeric: WriteNumeric(writer, value); break;
            case TypeOid.Uuid: Guids.Write(
                writer, value is Guid guid ? guid : value is string text && Guid.TryParse(text, out var parsed) ? parsed : throw WrongType(value, "uuid"));
            break;
            case TypeOid.Bytea: WriteBytes(writer, value, size); break;
            case TypeOid.Date: WriteDate(writer, value); break;
            case TypeOid.Timestamp or TypeOid.TimestampTz: WriteTimestamp(writer, value, oid); break;
            case TypeOid.Time: WriteTime(writer, value); break;
            case TypeOid.TimeTz: Times.WriteZoned(writer, value is DateTimeOffset zoned ? zoned : throw WrongType(value, "time with time zone")); break;
            case TypeOid.Interval: WriteInterval(writer, value); break;
            case TypeOid.InternalChar: WriteInternalChar(writer, value); break;
            case TypeOid.Json or TypeOid.Jsonb: WriteJson(writer, value, oid); break;
            default: WriteText(writer, value, size, oid); break;
        }
    }

    // A type that this class does not write, or a value that a converter was added for.
    private static DataType? TypeFor(object value, uint oid, TypeCatalogue types)
    {
        if (ColumnKinds.Of(oid) == ColumnKind.Other)
        {
            // A string is the text of any type whose values are text, and of a type that is unknown.
            return oid != TypeOid.Unspecified && types.Get(oid) is var type
                && (type.Kind is not (ColumnKind.Text or ColumnKind.Other) || type.HasConverter(value.GetType()) || (value is Enum && type is EnumType))
                    ? type
                    : null;
        }

        if (oid is TypeOid.Json or TypeOid.Jsonb)
            return types.HasMappings ? types.Get(oid) : null;
        return types.HasMappings && types.Get(oid) is { IsConverted: true } mapped && mapped.HasConverter(value.GetType()) ? mapped : null;
    }

    // Other types take the name of an enumeration's member. JSON has no names without quotes.
    private static bool TakesNumber(uint oid) => oid is TypeOid.Int2 or TypeOid.Int4 or TypeOid.Int8 or TypeOid.Oid or TypeOid.Xid or TypeOid.Cid
        or TypeOid.Float4 or TypeOid.Float8 or TypeOid.Numeric or TypeOid.Json or TypeOid.Jsonb;

    private static void WriteInterval(ByteWriter writer, object value)
    {
        switch (value)
        {
            case TimeSpan span: Intervals.Write(writer, span); break;
            case PgInterval interval: Intervals.Write(writer, interval); break;
            default: throw WrongType(value, "interval");
        }
    }

    private static void WriteText(ByteWriter writer, object value, int size, uint oid)
    {
        // The binary form of regtype, regconfig and the like is the object id.
        if (value is uint or int && BuiltInTypes.All.TryGetValue(oid, out var definition) && definition.Name.StartsWith("reg", StringComparison.Ordinal))
        {
            Integers.Write(writer, unchecked((int)checked((uint)Whole(value, definition.Name))));
            return;
        }

        if (BytesOf(value) is { } utf8)
        {
            Bytes.Write(writer, utf8);
            return;
        }

        var text = Text(value, oid);
        Texts.Write(writer, size > 0 && size < text.Length ? text[..size] : text);
    }

    private static void WriteJson(ByteWriter writer, object value, uint oid)
    {
        var utf8 = JsonValues.IsJson(value) ? JsonValues.ToUtf8(value) : BytesOf(value);
        if (utf8 is null && oid == TypeOid.Jsonb)
            Texts.WriteJsonb(writer, Text(value, oid));
        else if (utf8 is null)
            Texts.Write(writer, Text(value, oid));
        else if (oid == TypeOid.Jsonb)
            Texts.WriteJsonb(writer, utf8.Value.Span);
        else
            Bytes.Write(writer, utf8.Value);
    }

    // Returns the bytes of a value that holds bytes (for a text: UTF-8), and null for any other value.
    private static ReadOnlyMemory<byte>? BytesOf(object value) => value switch
    {
        byte[] array when value.GetType() == typeof(byte[]) => array,
        ReadOnlyMemory<byte> memory => memory,
        Memory<byte> memory => memory,
        ArraySegment<byte> segment => segment,
        MemoryStream memory => memory.TryGetBuffer(out var buffer) ? buffer.AsMemory((int)memory.Position) : memory.ToArray().AsMemory((int)memory.Position),
        // The type is necessary: a plain null would become an empty memory.
        _ => default(ReadOnlyMemory<byte>?),
    };

    private static void WriteNumeric(ByteWriter writer, object value)
    {
        if (value is BigInteger big)
            Numerics.Write(writer, big);
        else
            Numerics.Write(writer, IsNumber(value) ? Convert.ToDecimal(value, CultureInfo.InvariantCulture) : throw WrongType(value, "numeric"));
    }

    private static void WriteBytes(ByteWriter writer, object value, int size)
    {
        var bytes = BytesOf(value) ?? throw WrongType(value, "bytea");
        Bytes.Write(writer, size > 0 && size < bytes.Length ? bytes[..size] : bytes);
    }

    private static void WriteDate(ByteWriter writer, object value)
    {
        switch (value)
        {
            case DateOnly date: Dates.Write(writer, date); break;
            case DateTime moment: Dates.Write(writer, moment); break;
            // The protocol's number: days since 2000-01-01.
            case int days: Integers.Write(writer, days); break;
            default: throw WrongType(value, "date");
        }
    }

    private static void WriteTimestamp(ByteWriter writer, object value, uint oid)
    {
        switch (value)
        {
            case DateTime time: WriteTimestamp(writer, time, oid); break;
            case DateTimeOffset instant when oid == TypeOid.TimestampTz: Timestamps.Write(writer, instant.UtcDateTime); break;
            case DateOnly date when oid == TypeOid.Timestamp: Timestamps.Write(writer, date.ToDateTime(default)); break;
            // The protocol's number: microseconds since 2000-01-01.
            case long microseconds: Integers.Write(writer, microseconds); break;
            default: throw WrongType(value, oid == TypeOid.TimestampTz ? "timestamp with time zone" : "timestamp without time zone");
        }
    }

    // An instant must have kind Utc or Local, and a wall-clock time must not be Utc. Guessing would shift times by hours without notice.
    private static void WriteTimestamp(ByteWriter writer, DateTime time, uint oid)
    {
        if (oid == TypeOid.Timestamp && time.Kind == DateTimeKind.Utc)
            throw new ArgumentException("A DateTime of kind Utc cannot be sent as timestamp without time zone, which is not an instant: use timestamptz, or "
                + "DateTime.SpecifyKind(…, Unspecified).");
        if (oid == TypeOid.TimestampTz
            && time.Kind == DateTimeKind.Unspecified
            && time.Ticks != DateTime.MaxValue.Ticks
            && time.Ticks != DateTime.MinValue.Ticks)
            throw new ArgumentException("A DateTime of kind Unspecified cannot be sent as timestamp with time zone, which is an instant: use kind Utc, or "
                + "DbType.DateTime2 for timestamp without time zone.");
        Timestamps.Write(writer, time.Kind == DateTimeKind.Local && oid == TypeOid.TimestampTz ? time.ToUniversalTime() : time);
    }

    private static void WriteTime(ByteWriter writer, object value)
    {
        switch (value)
        {
            case TimeOnly time: Times.Write(writer, time); break;
            case TimeSpan span: Times.Write(writer, span); break;
            case DateTime moment: Times.Write(writer, TimeOnly.FromDateTime(moment)); break;
            default: throw WrongType(value, "time without time zone");
        }
    }

    private static void WriteInternalChar(ByteWriter writer, object value)
    {
        var single = value switch
        {
            char character when character <= byte.MaxValue => (byte)character,
            byte number => number,
            string { Length: 1 } text when text[0] <= byte.MaxValue => (byte)text[0],
            _ => throw WrongType(value, "\"char\""),
        };
        Bytes.Write(writer, [single]);
    }

    // Rejects dates and times, because another DateStyle would give their text another meaning. Also rejects values whose only text is their type's name.
    private static string Text(object value, uint oid) => value switch
    {
        string text => text,
        char character => character.ToString(),
        char[] characters => new string(characters),
        ReadOnlyMemory<char> characters => characters.ToString(),
        Memory<char> characters => characters.ToString(),
        ArraySegment<char> characters => new string(characters.AsSpan()),
        bool flag => flag.ToString(),
        DateTime or DateTimeOffset or DateOnly or TimeOnly or TimeSpan or Uri => throw WrongType(value, TypeOid.NameOf(oid) ?? "unknown"),
        IFormattable formattable => formattable.ToString(null, CultureInfo.InvariantCulture),
        _ => throw WrongType(value, TypeOid.NameOf(oid) ?? "unknown"),
    };

    private static long Whole(object value, string type) => value switch
    {
        int or short or byte or sbyte or ushort or uint or long => Convert.ToInt64(value, CultureInfo.InvariantCulture),
        ulong number => checked((long)number),
        decimal number when decimal.Truncate(number) == number => checked((long)number),
        double number when double.IsInteger(number) => checked((long)number),
        float number when float.IsInteger(number) => checked((long)number),
        char character => character,
        _ => throw WrongType(value, type),
    };

    private static bool IsNumber(object value) => value is int or long or short or byte or sbyte or ushort or uint or ulong or double or float or decimal;

    private static InvalidCastException WrongType(object value, string type) => new($"A value of type {value.GetType().Name} cannot be sent as the parameter's "
        + $"type {type}: convert the value, or change the parameter's type.");
}
