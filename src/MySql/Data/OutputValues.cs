using System.Data;
using System.Globalization;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>What comes back in parameters: of the declared type, or of the type that the parameter was given.</summary>
internal static class OutputValues
{
    /// <summary>The expression that selects a user variable as the declared type: a variable knows only integers, doubles, decimals and strings.</summary>
    public static string Selected(string variable, DeclaredParameter? declared) => declared?.DataType.ToLowerInvariant() switch
    {
        "date" => $"CAST({variable} AS DATE)",
        "datetime" or "timestamp" => $"CAST({variable} AS DATETIME(6))",
        "time" => $"CAST({variable} AS TIME(6))",
        "bit" => $"CAST({variable} AS UNSIGNED)",
        _ => variable,
    };

    /// <param name="value">What the server sent; DBNull for NULL.</param>
    /// <param name="parameter">Where it goes: a type that was set is kept.</param>
    /// <param name="declared">The declaration, when it is known.</param>
    /// <param name="codecs">The data source's.</param>
    /// <exception cref="InvalidCastException">The value cannot be had as the parameter's type.</exception>
    public static object? Convert(object value, MySqlParameter parameter, DeclaredParameter? declared, CodecSettings codecs)
    {
        if (value is DBNull)
            return value;
        var type = parameter.HeldType ?? (parameter.IsTypeSet ? ClrTypeOf(parameter.MySqlDbType) : null);
        // As it was declared only what the protocol can lose: a text that came as bytes, an integer that was a variable.
        if (type is null && declared is { DataType.Length: > 0 } && (value is string or byte[] or decimal || value.GetType().IsPrimitive))
            type = ClrTypeOf(Declarations.TypeOf(declared, codecs));
        if (type is null || type.IsInstanceOfType(value))
            return value;
        type = Nullable.GetUnderlyingType(type) ?? type;
        try
        {
            return (value, type) switch
            {
                _ when type.IsInstanceOfType(value) => value,
                (string text, _) when type == typeof(Guid) => Guid.Parse(text),
                (string text, _) when type == typeof(byte[]) => System.Text.Encoding.UTF8.GetBytes(text),
                (byte[] bytes, _) when type == typeof(string) => System.Text.Encoding.UTF8.GetString(bytes),
                (byte[] { Length: 16 } bytes, _) when type == typeof(Guid) => new Guid(bytes, bigEndian: true),
                (byte[] bytes, _) when type == typeof(Guid) => Guid.Parse(System.Text.Encoding.UTF8.GetString(bytes)),
                (Guid guid, _) when type == typeof(string) => guid.ToString(),
                (DateTime time, _) when type == typeof(DateOnly) => DateOnly.FromDateTime(time),
                (DateTime time, _) when type == typeof(DateTimeOffset) => new DateTimeOffset(time.Ticks, TimeSpan.Zero),
                (TimeSpan time, _) when type == typeof(TimeOnly) => TimeOnly.FromTimeSpan(time),
                (MySqlDateTime time, _) when type == typeof(DateTime) => time.GetDateTime(),
                (string text, _) when type == typeof(TimeSpan) => TimeSpan.Parse(text, CultureInfo.InvariantCulture),
                _ when type.IsEnum => Enum.ToObject(type, value),
                (IConvertible, _) => System.Convert.ChangeType(value, type, CultureInfo.InvariantCulture),
                _ => throw new InvalidCastException("there is no conversion"),
            };
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException or OverflowException)
        {
            throw new InvalidCastException($"The parameter '{parameter.ParameterName}' holds {type.Name}, and the procedure's value of type {value.GetType().Name} cannot be converted to that: {exception.Message}", exception);
        }
    }

    private static Type? ClrTypeOf(MySqlDbType type) => type is MySqlDbType.Vector or MySqlDbType.Geometry ? null : ParameterTypes.ToDbType(type) switch
    {
        DbType.Boolean => typeof(bool),
        DbType.SByte => typeof(sbyte),
        DbType.Byte => typeof(byte),
        DbType.Int16 => typeof(short),
        DbType.UInt16 => typeof(ushort),
        DbType.Int32 => typeof(int),
        DbType.UInt32 => typeof(uint),
        DbType.Int64 => typeof(long),
        DbType.UInt64 => typeof(ulong),
        DbType.Single => typeof(float),
        DbType.Double => typeof(double),
        DbType.Decimal => typeof(decimal),
        DbType.DateTime or DbType.Date => typeof(DateTime),
        DbType.Time => typeof(TimeSpan),
        DbType.Guid => typeof(Guid),
        DbType.String or DbType.StringFixedLength => typeof(string),
        DbType.Binary => typeof(byte[]),
        _ => null,
    };
}
