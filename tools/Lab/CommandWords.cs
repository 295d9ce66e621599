using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.RegularExpressions;

namespace Slipstream.Lab;

/// <summary>Describes errors of a command line for the user who typed it.</summary>
public static partial class CommandWords
{
    /// <summary>Returns the error, or null if there is none. The last of several errors is about the typed word; the others follow from it.</summary>
    public static string? Problem(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        if (parsed.Errors.Count == 0)
            return null;
        var message = parsed.Errors[^1].Message;
        // The parser's own message names a type of .NET, for example System.Nullable`1[System.Double].
        return Unparsed().Match(message) is { Success: true } match ? $"'{match.Groups[1].Value}' is not a value for {match.Groups[2].Value}." : message;
    }

    /// <summary>Reads a number in the invariant format: 0.5, not 0,5.</summary>
    /// <param name="result">The words after the option.</param>
    /// <param name="isAllowed">Returns whether a number is allowed.</param>
    /// <param name="allowed">The same as a text for the message.</param>
    public static double Number(ArgumentResult result, Func<double, bool> isAllowed, string allowed)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(isAllowed);
        if (result.Tokens is [var token]
            && double.TryParse(token.Value, System.Globalization.NumberStyles.Float, System.Globalization.CultureInfo.InvariantCulture, out var number)
            && isAllowed(number))
            return number;
        result.AddError(allowed);
        return 0;
    }

    [GeneratedRegex("^Cannot parse argument '(.*)' for option '(.*)' as expected type '")]
    private static partial Regex Unparsed();
}
