using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.RegularExpressions;

namespace Slipstream.Lab;

/// <summary>What was wrong with a command line, for the person who typed it.</summary>
public static partial class CommandWords
{
    /// <summary>Null when nothing was wrong. Of several errors the last is about the word that was typed, the others follow from it.</summary>
    public static string? Problem(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        if (parsed.Errors.Count == 0)
            return null;
        var message = parsed.Errors[^1].Message;
        // The parser's own words name a type of .NET, System.Nullable`1[System.Double] for instance.
        return Unparsed().Match(message) is { Success: true } match ? $"'{match.Groups[1].Value}' is not a value for {match.Groups[2].Value}." : message;
    }

    /// <summary>A number, written as on every machine: 0.5, not 0,5.</summary>
    /// <param name="result">The words behind the option.</param>
    /// <param name="isAllowed">Which numbers are.</param>
    /// <param name="allowed">The same in words.</param>
    public static double Number(ArgumentResult result, Func<double, bool> isAllowed, string allowed)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(isAllowed);
        if (result.Tokens is [var token] && double.TryParse(token.Value, System.Globalization.NumberStyles.Float, System.Globalization.CultureInfo.InvariantCulture, out var number) && isAllowed(number))
            return number;
        result.AddError(allowed);
        return 0;
    }

    [GeneratedRegex("^Cannot parse argument '(.*)' for option '(.*)' as expected type '")]
    private static partial Regex Unparsed();
}
