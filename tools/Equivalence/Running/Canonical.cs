using System.Data.Common;
using System.Globalization;
using System.Security.Cryptography;
using Slipstream.Equivalence.Comparing;

namespace Slipstream.Equivalence.Running;

/// <summary>Values, columns and errors in words that are equal exactly when they are.</summary>
internal static class Canonical
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
        IFormattable formattable => $"{value.GetType().Name}:{formattable.ToString(null, CultureInfo.InvariantCulture)}",
        Array array => $"{value.GetType().Name}:[{string.Join(", ", array.Cast<object?>().Select(Value))}]",
        _ => $"{value.GetType().Name}:{Short(value.ToString() ?? "")}",
    };

    /// <summary>An exception that a driver has thrown: its type, its number, its SQLSTATE and what it says.</summary>
    public static string Error(Driver driver, Exception exception)
    {
        var type = driver.IsPeer || exception is not DbException ? exception.GetType().Name : exception.GetType().FullName;
        var inner = exception.InnerException is { } cause ? $" <- {cause.GetType().Name}" : "";
        return exception is DbException refused
            ? $"{type} {driver.Number(exception)} {refused.SqlState} transient={refused.IsTransient}{inner}: {Message(exception.Message)}"
            : $"{type}{inner}: {Message(exception.Message)}";
    }

    // "Failing row contains (800000009, …": a key that the hash covered could not be compared by what it points to, nor one that the cut goes through.
    // The quotation of a syntax error shows a value as the literal that it was written as, and what travels behind the text.
    internal static string Message(string text) =>
        text.Contains("SQL syntax", StringComparison.Ordinal) && text.IndexOf(" near '", StringComparison.Ordinal) is > 0 and var at
        ? text[..at]
        : text.Length > Longest && Keys.In(text, out var rest) is { Count: > 0 } keys ? $"{Short(rest)} with {string.Join(", ", keys)}" : Short(text);

    /// <summary>The same where the other side is another driver, whose words and types are its own: who refused it, and with which number.</summary>
    public static string ErrorOfAny(Driver driver, Exception exception) => exception switch
    {
        DbException { SqlState: { Length: > 0 } state } => $"refused {driver.Number(exception)} {state}",
        // MySqlConnector looks a procedure up before it prepares its call, and says itself what the server would: there is none.
        DbException when driver.IsPeer && exception.Message.Contains("cannot be found in database", StringComparison.Ordinal) => "refused 1305 42000",
        DbException => "refused by the driver",
        _ => "refused by the client",
    };

    private static string Short(string text) => text.Length <= Longest
        ? text
        : string.Create(CultureInfo.InvariantCulture, $"{text[..Longest]}… ({text.Length}, {Convert.ToHexString(SHA256.HashData(System.Text.Encoding.Unicode.GetBytes(text)))[..12]})");
}
