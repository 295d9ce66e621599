using System.Buffers;
using System.ComponentModel;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads and writes ranges in text: "empty", or two bounds in brackets, which are quoted if they contain special characters. Source: PostgreSQL 18, 8.17.5;
/// src/backend/utils/adt/rangetypes.c, range_parse and range_deparse.
/// </summary>
internal static class RangeText
{
    private static readonly SearchValues<char> Special = SearchValues.Create("\"\\()[], \t\n\v\f\r");

    /// <summary>A range as text. A bound that is null is infinite.</summary>
    internal readonly record struct Parts(bool IsEmpty, string? Lower, bool LowerIsInclusive, string? Upper, bool UpperIsInclusive);

    /// <summary>Divides a range into its bounds, without their quotes.</summary>
    /// <exception cref="FormatException">The text is not a range.</exception>
    public static Parts Split(ReadOnlySpan<char> text, bool nullIsInfinite)
    {
        var rest = text.Trim();
        if (rest.Equals("empty", StringComparison.OrdinalIgnoreCase))
            return new(true, null, false, null, false);
        if (rest is not ['[' or '(', ..])
            throw Invalid(text);
        var lowerIsInclusive = rest[0] == '[';
        rest = rest[1..];
        var lower = Bound(ref rest, nullIsInfinite ? "-infinity" : null);
        if (rest is not [',', ..])
            throw Invalid(text);
        rest = rest[1..];
        var upper = Bound(ref rest, nullIsInfinite ? "infinity" : null);
        return rest is [']'] or [')']
            ? new(false, lower, lowerIsInclusive && lower is not null, upper, rest[0] == ']' && upper is not null)
            : throw Invalid(text);
    }

    /// <summary>Reads a bound in the invariant culture.</summary>
    /// <exception cref="FormatException">The text is not a value of the type.</exception>
    /// <exception cref="OverflowException">The value is outside the range of the type.</exception>
    /// <exception cref="NotSupportedException">The type has no converter.</exception>
    public static T Bound<T>(string text)
    {
        var type = Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T);
        return (T)(Known(type, text)
            ?? Converter(type).ConvertFromInvariantString(text)
            ?? throw new FormatException($"A bound of the range has {text.Length} characters that are not a value of type {type.Name}."));
    }

    /// <summary>Returns a bound in the invariant culture, in quotes if it has special characters.</summary>
    public static string Quoted<T>(T value)
    {
        var text = value switch
        {
            DateTime { Kind: DateTimeKind.Utc } time => time.ToString("yyyy-MM-dd HH:mm:ss.FFFFFF'+00'", CultureInfo.InvariantCulture),
            DateTime time => time.ToString("yyyy-MM-dd HH:mm:ss.FFFFFF", CultureInfo.InvariantCulture),
            DateTimeOffset time => time.ToString("yyyy-MM-dd HH:mm:ss.FFFFFFzzz", CultureInfo.InvariantCulture),
            DateOnly date => date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
            TimeOnly time => time.ToString("HH:mm:ss.FFFFFF", CultureInfo.InvariantCulture),
            null => null,
            _ => Convert.ToString(value, CultureInfo.InvariantCulture),
        };
        if (text is null)
            return "";
        if (text.Length > 0 && !text.AsSpan().ContainsAny(Special))
            return text;
        return $"\"{text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }

    private static TypeConverter Converter(Type type)
    {
        try
        {
            var converter = TypeDescriptor.GetConverterFromRegisteredType(type);
            if (converter.CanConvertFrom(typeof(string)))
                return converter;
        }
        catch (InvalidOperationException)
        {
            // The type is not registered.
        }

        throw new NotSupportedException($"A range of {type.Name} cannot be read from text: register the type with TypeDescriptor.RegisterType, and give it a "
            + "TypeConverter that converts text.");
    }

    private static object? Known(Type type, string text)
    {
        var culture = CultureInfo.InvariantCulture;
        if (type == typeof(int))
            return int.Parse(text, NumberStyles.Integer, culture);
        if (type == typeof(long))
            return long.Parse(text, NumberStyles.Integer, culture);
        if (type == typeof(short))
            return short.Parse(text, NumberStyles.Integer, culture);
        if (type == typeof(decimal))
            return decimal.Parse(text, NumberStyles.Float, culture);
        if (type == typeof(double))
            return double.Parse(text, NumberStyles.Float, culture);
        if (type == typeof(float))
            return float.Parse(text, NumberStyles.Float, culture);
        if (type == typeof(BigInteger))
            return BigInteger.Parse(text, NumberStyles.Integer, culture);
        if (type == typeof(DateTime))
            return DateTime.Parse(text, culture, DateTimeStyles.AdjustToUniversal);
        if (type == typeof(DateTimeOffset))
            return DateTimeOffset.Parse(text, culture, DateTimeStyles.AssumeUniversal);
        if (type == typeof(DateOnly))
            return DateOnly.Parse(text, culture);
        if (type == typeof(TimeOnly))
            return TimeOnly.Parse(text, culture);
        if (type == typeof(TimeSpan))
            return TimeSpan.Parse(text, culture);
        if (type == typeof(Guid))
            return Guid.Parse(text);
        return type == typeof(string) ? text : null;
    }

    // Takes a bound up to the comma or the closing bracket that follows. Without quotes, spaces around it do not count. Null: it is infinite.
    private static string? Bound(ref ReadOnlySpan<char> rest, string? infinity)
    {
        var bound = new StringBuilder();
        var hasQuotes = false;
        var isInQuotes = false;
        var at = 0;
        for (; at < rest.Length && (isInQuotes || rest[at] is not (',' or ']' or ')' or '[' or '(')); at++)
        {
            var character = rest[at];
            if (character == '\\' && at + 1 < rest.Length)
                bound.Append(rest[++at]);
            else if (character != '"')
                bound.Append(character);
            else if (isInQuotes && at + 1 < rest.Length && rest[at + 1] == '"')
                bound.Append(rest[++at]);
            else
                (isInQuotes, hasQuotes) = (!isInQuotes, true);
        }

        rest = rest[at..];
        if (hasQuotes)
            return bound.ToString();
        var text = bound.ToString().Trim();
        return text.Length == 0
            || infinity is not null && (text.Equals("null", StringComparison.OrdinalIgnoreCase) || text.Equals(infinity, StringComparison.OrdinalIgnoreCase))
            ? null
            : text;
    }

    private static FormatException Invalid(ReadOnlySpan<char> text) =>
        new($"The text of {text.Length} characters is not a range, such as [1,5) or empty.");
}
