using System.Text;
using System.Text.RegularExpressions;

namespace Slipstream.Tool.Bench;

/// <summary>
/// Refuses texts that write. This is the first barrier, which gives a clear message before anything is sent; the second one is the server, which executes the
/// text once in a read-only transaction.
/// </summary>
internal static partial class QueryText
{
    private static readonly string[] Reading = ["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "DESCRIBE", "DESC", "EXPLAIN"];

    /// <summary>Returns why a text may write; null if it only reads.</summary>
    public static string? Refusal(string text)
    {
        foreach (var statement in Plain(text).Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var first = FirstWord().Match(statement).Value.ToUpperInvariant();
            if (!Reading.Contains(first))
                return $"the statement begins with {(first.Length == 0 ? "something else than a word" : first)}";
            if (Writing().Match(statement) is { Success: true } match)
                return $"it contains {Spaces().Replace(match.Value.ToUpperInvariant(), " ")}";
        }

        return null;
    }

    // Without comments and without the contents of strings and of quoted names. Where dialects differ, more of the text stays and is checked.
    private static string Plain(string text)
    {
        var plain = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length;)
        {
            if (text.AsSpan(i).StartsWith("--"))
            {
                i = End(text, i, "\n");
            }
            else if (text.AsSpan(i).StartsWith("/*") && !text.AsSpan(i).StartsWith("/*!") && !text.AsSpan(i).StartsWith("/*M!"))
            {
                i = End(text, i + 2, "*/");
                plain.Append(' ');
            }
            else if (text[i] is '\'' or '"' or '`')
            {
                var close = text.IndexOf(text[i], i + 1);
                plain.Append("''");
                i = close < 0 ? text.Length : close + 1;
            }
            else
                plain.Append(text[i++]);
        }

        return plain.ToString();
    }

    private static int End(string text, int from, string mark) => text.IndexOf(mark, from, StringComparison.Ordinal) is >= 0 and var at ? at + mark.Length
        : text.Length;

    [GeneratedRegex(@"(?<=^[\s(]*)[A-Za-z]+")]
    private static partial Regex FirstWord();

    [GeneratedRegex(
        @"\b(INSERT\s+INTO|DELETE\s+FROM|UPDATE\s+\w+\s+SET|MERGE\s+INTO|REPLACE\s+INTO|TRUNCATE|DROP|ALTER|CREATE|GRANT|REVOKE|CALL"
        + @"|INTO\s+(?:OUTFILE|DUMPFILE|@|\w+)|FOR\s+(?:NO\s+KEY\s+)?(?:UPDATE|SHARE|KEY\s+SHARE)|LOCK\s+IN\s+SHARE\s+MODE|NEXTVAL|SETVAL)\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex Writing();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
