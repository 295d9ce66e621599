using System.Data.Common;
using System.Globalization;
using System.Security.Cryptography;
using Slipstream.Equivalence.Comparing;

namespace Slipstream.Equivalence.Running;

/// <summary>Writes values and errors as text that is equal exactly if they are.</summary>
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
    // commands that follow.
    internal static string Message(string text) =>
        text.Contains("SQL syntax", StringComparison.Ordinal) && text.IndexOf(" near '", StringComparison.Ordinal) is > 0 and var at
        ? text[..at]
        : text.Length > Longest && Keys.In(text, out var rest) is { Count: > 0 } keys ? $"{Short(rest)} with {string.Join(", ", keys)}" : Short(text);

    /// <summary>Returns an exception for the comparison with another driver, whose texts and types are different: who refused it, and the number.</summary>
    public static string ErrorOfAny(Driver driver, Exception exception) => exception switch
    {
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
}
