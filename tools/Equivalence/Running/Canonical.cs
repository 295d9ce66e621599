using System.Collections;
using System.Data.Common;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.RegularExpressions;
using Slipstream.Equivalence.Comparing;

namespace Slipstream.Equivalence.Running;

/// <summary>Writes values and errors as text that is equal exactly if they are.</summary>
internal static partial class Canonical
{
    private const int Longest = 120;

    public static string Value(object? value) => value switch
    {
        null => "null",
        DBNull => "NULL",
        string text => "String:" + Short(text),
        byte[] bytes => "Bytes:" + Short(Convert.ToHexString(bytes)),
        DateTime time => string.Create(CultureInfo.InvariantCulture, $"DateTime:{time:O} {time.Kind}"),
        double number => "Double:" + number.ToString("R", CultureInfo.InvariantCulture),
        float number => "Single:" + number.ToString("R", CultureInfo.InvariantCulture),
        JsonDocument document => "JsonDocument:" + Short(document.RootElement.GetRawText()),
        IDictionary<string, string?> pairs =>
            "Pairs:" + Short(string.Join(
                ", ", pairs.OrderBy(static pair => pair.Key, StringComparer.Ordinal).Select(static pair => $"{pair.Key}=>{pair.Value ?? "NULL"}"))),
        BitArray bits => "Bits:" + Short(string.Concat(bits.Cast<bool>().Select(static bit => bit ? '1' : '0'))),
        ReadOnlyMemory<byte> memory => "Memory:" + Short(Convert.ToHexString(memory.Span)),
        _ when Range(value) is { } range => range,
        Array array => $"{Name(value)}:{Shape(array)}[{string.Join(", ", array.Cast<object?>().Select(Value))}]",
        IList many => $"{Name(value)}:[{string.Join(", ", many.Cast<object?>().Select(Value))}]",
        // A formatted tuple would have its values in the current culture.
        ITuple tuple => $"Tuple:({string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => Value(tuple[i])))})",
        IFormattable formattable => $"{Name(value)}:{formattable.ToString(null, CultureInfo.InvariantCulture)}",
        _ => $"{Name(value)}:{Short(value.ToString() ?? "")}",
    };

    // The types of both drivers of PostgreSQL have the same names, except for the prefix.
    private static string Name(object value) => NameOf(value.GetType());

    /// <summary>Returns the name of a type, which is the same for both drivers.</summary>
    public static string NameOf(Type type)
    {
        var name = type.Name.Replace("Npgsql", "Pg", StringComparison.Ordinal);
        return type.IsGenericType ? $"{name}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>" : name;
    }

    private static string Shape(Array array) =>
        array.Rank == 1 ? "" : string.Join('x', Enumerable.Range(0, array.Rank).Select(i => $"{array.GetLowerBound(i)}+{array.GetLength(i)}"));

    // ToString of the peer's ranges depends on the culture.
    private static string? Range(object value)
    {
        if (!value.GetType().Name.EndsWith("gRange`1", StringComparison.Ordinal) && !value.GetType().Name.EndsWith("lRange`1", StringComparison.Ordinal))
            return null;
        dynamic range = value;
        if (range.IsEmpty)
            return Name(value) + ":empty";
        var (lower, upper) = ((object?)range.LowerBound, (object?)range.UpperBound);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Name(value)}:{((bool)range.LowerBoundIsInclusive ? '[' : '(')}{((bool)range.LowerBoundInfinite ? "" : Value(lower))},"
                + $"{((bool)range.UpperBoundInfinite ? "" : Value(upper))}{((bool)range.UpperBoundIsInclusive ? ']' : ')')}");
    }

    /// <summary>Returns an exception's type, number, SQLSTATE and message.</summary>
    public static string Error(Driver driver, Exception exception)
    {
        var type = driver.IsPeer || exception is not DbException ? exception.GetType().Name : exception.GetType().FullName;
        var inner = exception.InnerException is { } cause ? $" <- {cause.GetType().Name}" : "";
        return exception is DbException refused
            ? $"{type} {driver.Number(exception)} {refused.SqlState} transient={refused.IsTransient}{inner}: {Message(exception.Message)}"
            : $"{type}{inner}: {Message(exception.Message)}";
    }

    // A message such as "Failing row contains (800000009, …" contains a generated key. A hash of the message, or a key that the truncation splits, could not be
    // compared by the key's row, so the keys are removed and listed. A syntax error quotes the text as it was sent: with a parameter's literal, and with the
    // commands that follow. A type that is created again has another object id on each side.
    internal static string Message(string text) => MessageWithoutTypes(NamelessType().Replace(text, "oid"));

    private static string MessageWithoutTypes(string text) =>
        text.Contains("SQL syntax", StringComparison.Ordinal) && text.IndexOf(" near '", StringComparison.Ordinal) is > 0 and var at
        ? text[..at]
        : text.Length > Longest && Keys.In(text, out var rest) is { Count: > 0 } keys ? $"{Short(rest)} with {string.Join(", ", keys)}" : Short(text);

    /// <summary>Returns an exception for the comparison with another driver, whose texts and types are different: who refused it, and the number.</summary>
    public static string ErrorOfAny(Driver driver, Exception exception) => exception switch
    {
        // The peer's exception of several refused commands has no SQLSTATE of its own.
        DbException { SqlState: null, InnerException: AggregateException { InnerExceptions: [var first, ..] } } => ErrorOfAny(driver, first),
        DbException { SqlState: { Length: > 0 } state } => $"refused {driver.Number(exception)} {state}",
        // MySqlConnector looks the procedure up before it prepares the call, and itself reports that it does not exist.
        DbException when driver.IsPeer && exception.Message.Contains("cannot be found in database", StringComparison.Ordinal) => "refused 1305 42000",
        DbException => "refused by the driver",
        _ => "refused by the client",
    };

    private static string Short(string text) => text.Length <= Longest
        ? text
        : string.Create(
            CultureInfo.InvariantCulture,
            $"{text[..Longest]}… ({text.Length}, {Convert.ToHexString(SHA256.HashData(System.Text.Encoding.Unicode.GetBytes(text)))[..12]})");

    [GeneratedRegex(@"\boid \d+", RegexOptions.CultureInvariant)]
    private static partial Regex NamelessType();
}
