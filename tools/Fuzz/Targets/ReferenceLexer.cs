using Slipstream.MySql.Statements;

namespace Slipstream.Fuzzing.Targets;

/// <summary>
/// Finds each <c>?</c> outside of strings, quoted identifiers and comments. It implements the servers' lexical rules a second time, character by character,
/// without the scanner's shortcuts.
/// </summary>
internal static class ReferenceLexer
{
    public static List<int> Marks(string sql, QuotingRules rules)
    {
        var marks = new List<int>();
        var code = 0;
        for (var at = 0; at < sql.Length;)
        {
            var next = at + 1 < sql.Length ? sql[at + 1] : '\0';
            switch (sql[at])
            {
                case '?':
                    marks.Add(at++);
                    break;
                case '\'':
                    at = EndOfQuoted(sql, at, (rules & QuotingRules.NoBackslashEscapes) == 0);
                    break;
                case '"':
                    at = EndOfQuoted(sql, at, (rules & (QuotingRules.NoBackslashEscapes | QuotingRules.AnsiQuotes)) == 0);
                    break;
                case '`':
                    at = EndOfQuoted(sql, at, backslash: false);
                    break;
                case '#':
                    at = EndOfLine(sql, at);
                    break;
                case '-' when next == '-' && at + 1 < sql.Length && (at + 2 == sql.Length || sql[at + 2] <= ' ' || sql[at + 2] == '\x7F'):
                    at = EndOfLine(sql, at);
                    break;
                case '/' when next == '*' && !IsCode(sql, at):
                    var end = sql.IndexOf("*/", at + 2, StringComparison.Ordinal);
                    at = end < 0 ? sql.Length : end + 2;
                    break;
                case '/' when next == '*':
                    // The comment's opening and its version are one unit: its asterisk cannot end the comment.
                    at += sql[at + 2] == '!' ? 3 : 4;
                    while (at < sql.Length && char.IsAsciiDigit(sql[at]))
                        at++;
                    code++;
                    break;
                case '*' when next == '/' && code > 0:
                    at += 2;
                    code--;
                    break;
                default:
                    at++;
                    break;
            }
        }

        return marks;
    }

    private static bool IsCode(string sql, int at) => string.CompareOrdinal(sql, at, "/*!", 0, 3) == 0 || string.CompareOrdinal(sql, at, "/*M!", 0, 4) == 0;

    private static int EndOfLine(string sql, int at)
    {
        while (at < sql.Length && sql[at] != '\n')
            at++;
        return Math.Min(at + 1, sql.Length);
    }

    private static int EndOfQuoted(string sql, int at, bool backslash)
    {
        var quote = sql[at++];
        while (at < sql.Length)
        {
            var letter = sql[at++];
            if (letter == '\\' && backslash)
                at++;
            else if (letter == quote)
                return at;
        }

        return sql.Length;
    }
}
