using System.Globalization;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>
/// Regular expressions of sets of characters. TRIM takes off a text, and without one only blanks. The sets contain code points, which ICU (MySQL) and PCRE
/// (MariaDB) write alike, and (?-i) because they ignore case with most collations.
/// </summary>
internal static class CharacterClasses
{
    /// <summary>What <see cref="char.IsWhiteSpace(char)"/> is true of.</summary>
    public static string WhiteSpace { get; } =
        Of([.. Enumerable.Range(char.MinValue, char.MaxValue + 1).Select(static code => (char)code).Where(char.IsWhiteSpace)]);

    /// <summary>Returns the set of these characters.</summary>
    public static string Of(ReadOnlySpan<char> characters)
    {
        var set = new System.Text.StringBuilder("[");
        foreach (var character in characters)
            set.Append(@"\x{").Append(((int)character).ToString("X4", CultureInfo.InvariantCulture)).Append('}');
        return set.Append(']').ToString();
    }

    /// <summary>Returns the text without the characters of a set at an end.</summary>
    /// <param name="factory">Makes the nodes.</param>
    /// <param name="where">BOTH, LEADING or TRAILING.</param>
    /// <param name="set">The set.</param>
    /// <param name="text">The text.</param>
    public static SqlExpression Trim(MySqlSqlExpressionFactory factory, string where, string set, SqlExpression text)
    {
        // \z is the end; $ can also be before a line break.
        var pattern = where switch
        {
            "LEADING" => $"(?-i)^{set}+",
            "TRAILING" => $@"(?-i){set}+\z",
            _ => $@"(?-i)^{set}+|{set}+\z",
        };
        return factory.Call("REGEXP_REPLACE", typeof(string), text.TypeMapping, text, factory.Constant(pattern), factory.Constant(""));
    }
}
