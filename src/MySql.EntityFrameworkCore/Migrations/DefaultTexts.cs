using System.Globalization;
using System.Text.RegularExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>The SQL of default values. MySQL Reference Manual, "Data Type Default Values".</summary>
internal static partial class DefaultTexts
{
    /// <summary>
    /// Returns whether DEFAULT takes the text as it is: a literal, the current moment, or an expression that is in parentheses already. Any other expression
    /// needs parentheses.
    /// </summary>
    /// <param name="sql">The default value.</param>
    /// <param name="isMoment">Whether the column is a datetime or timestamp, which takes the current moment without parentheses.</param>
    /// <param name="isLarge">Whether the column has a type of text, blob, JSON or geometry, for which MySQL takes no literal without parentheses.</param>
    public static bool IsBare(string sql, bool isMoment, bool isLarge)
    {
        var text = sql.Trim();
        if (text.Equals("NULL", StringComparison.OrdinalIgnoreCase) || IsInParentheses(text))
            return true;
        if (CurrentMoment().Match(text) is { Success: true } moment)
            return isMoment || moment.Groups["update"].Success;
        return !isLarge
            && ((text.Length > 1 && text[0] == '\'' && text.IndexOf('\'', 1) == text.Length - 1)
                || decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _));
    }

    // (1) + (2) is not.
    private static bool IsInParentheses(string text)
    {
        var (depth, quote) = (0, '\0');
        for (var index = 0; index < text.Length; index++)
        {
            var sign = text[index];
            if (quote != '\0')
                quote = sign == quote ? '\0' : quote;
            else if (sign is '\'' or '"' or '`')
                quote = sign;
            else
                depth += sign == '(' ? 1 : sign == ')' ? -1 : 0;
            if (depth == 0)
                return index > 0 && index == text.Length - 1;
        }

        return false;
    }

    [GeneratedRegex(
        @"^(CURRENT_TIMESTAMP|LOCALTIMESTAMP|LOCALTIME|NOW(?=\())(\(\d?\))?(?<update>\s+ON\s+UPDATE\s+\w+(\(\d?\))?)?$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex CurrentMoment();
}
