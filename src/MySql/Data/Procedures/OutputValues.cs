using System.Data;
using System.Globalization;
using System.Text;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>Converts the output values of procedures to the parameter's type if one was set, otherwise to the declared type.</summary>
internal static class OutputValues
{
    /// <summary>
    /// Returns the expression that selects a user variable as the declared type: a variable can hold only integers, doubles, decimals and strings.
    /// </summary>
    public static string Selected(string variable, DeclaredParameter? declared) => declared?.DataType.ToLowerInvariant() switch
    {
        "date" => $"CAST({variable} AS DATE)",
        "datetime" or "timestamp" => $"CAST({variable} AS DATETIME({Declarations.LengthOf(declared)}))",
        "time" => $"CAST({variable} AS TIME({Declarations.LengthOf(declared)}))",
        "bit" => $"CAST({variable} AS UNSIGNED)",
        _ => variable,
    };

    /// <summary>Reads an output value.</summary>
    /// <param name="row">The row that the server sent.</param>
    /// <param name="ordinal">The position of the value in the row.</param>
    /// <param name="parameter">The destination. A type that was set is kept.</param>
    /// <param name="declared">The declaration, if it is known.</param>
    /// <param name="codecs">The data source's settings for values.</param>
    /// <exception cref="InvalidCastException">The value cannot be converted to the parameter's type.</exception>
    /// <exception cref="FormatException">The value's text cannot be read as the parameter's type.</exception>
    /// <exception cref="OverflowException">The value is out of the range of the parameter's type.</exception>
    public static object Read(MySqlRow row, int ordinal, MySqlParameter parameter, DeclaredParameter? declared, CodecSettings codecs)
    {
        var value = row.GetValue(ordinal);
        if (value is DBNull)
            return value;
        // MySQL sends texts as bytes: only the declaration shows that the value is a text.
        if (value is byte[] characters && declared is { DataType.Length: > 0 } && HasCharacters(declared))
            value = Encoding.UTF8.GetString(characters);
        var type = parameter.HeldType ?? (parameter.IsTypeSet ? ClrTypeOf(parameter.MySqlDbType) : null);
        // Converts to the declared type only if the protocol can lose the type: an integer from a variable, a Guid sent as text.
        if (type is null && declared is { DataType.Length: > 0 } && (value is string or byte[] or decimal || value.GetType().IsPrimitive))
            type = ClrTypeOf(Declarations.TypeOf(declared, codecs));
        if (type is null || type.IsInstanceOfType(value))
            return value;
        type = Nullable.GetUnderlyingType(type) ?? type;
        var converted = (value, type) switch
        {
            (DateTime time, _) when type == typeof(DateOnly) => DateOnly.FromDateTime(time),
            (DateTime time, _) when type == typeof(DateTimeOffset) => new DateTimeOffset(time.Ticks, TimeSpan.Zero),
            (TimeSpan time, _) when type == typeof(TimeOnly) => TimeOnly.FromTimeSpan(time),
            (MySqlDateTime time, _) when type == typeof(DateTime) => time.GetDateTime(),
            _ => (object?)null,
        };
        if (converted is not null)
            return converted;
        // Dates, times and flags have the server's format: the formats of the culture and of the CLR do not apply.
        if (value is DateTime or MySqlDateTime or TimeSpan or Guid || (value is bool && type == typeof(string)))
            value = row.GetString(ordinal);
        try
        {
            return Convert(value, type);
        }
        // ArgumentException: the text is not a name of the enumeration.
        catch (Exception exception) when (exception is FormatException or ArgumentException)
        {
            throw new FormatException($"The parameter '{parameter.ParameterName}' takes values of type {type.Name}, but the procedure returned text that "
                + "cannot be converted to that type.");
        }
        catch (OverflowException)
        {
            throw new OverflowException($"The parameter '{parameter.ParameterName}' takes values of type {type.Name}, but the procedure's value of type "
                + $"{value.GetType().Name} is out of range.");
        }
        catch (InvalidCastException)
        {
            throw new InvalidCastException($"The parameter '{parameter.ParameterName}' takes values of type {type.Name}, but the procedure's value of type "
                + $"{value.GetType().Name} cannot be converted to that type.");
        }
    }

    // The message of an exception of this method contains the value, so the caller does not pass it on.
    private static object Convert(object value, Type type) => (value, type) switch
    {
        _ when type.IsInstanceOfType(value) => value,
        (byte[] { Length: 16 } bytes, _) when type == typeof(Guid) => new Guid(bytes, bigEndian: true),
        (byte[] bytes, _) when type == typeof(Guid) => Guid.Parse(Encoding.UTF8.GetString(bytes)),
        (byte[] bytes, _) when type == typeof(string) => Encoding.UTF8.GetString(bytes),
        (IConvertible text, _) when type == typeof(Guid) => Guid.Parse(text.ToString(CultureInfo.InvariantCulture)),
        (string text, _) when type == typeof(TimeSpan) => Times.ReadText(Encoding.UTF8.GetBytes(text)),
        (byte[] bytes, { IsEnum: true }) => Convert(Encoding.UTF8.GetString(bytes), type),
        (string text, { IsEnum: true }) => Enum.Parse(type, text, ignoreCase: true),
        (_, { IsEnum: true }) => Enum.ToObject(type, System.Convert.ChangeType(value, Enum.GetUnderlyingType(type), CultureInfo.InvariantCulture)),
        _ => System.Convert.ChangeType(value, type, CultureInfo.InvariantCulture),
    };

    private static bool HasCharacters(DeclaredParameter declared) =>
        declared.DataType.ToLowerInvariant() is "char" or "varchar" or "tinytext" or "text" or "mediumtext" or "longtext" or "enum" or "set" or "json";

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
