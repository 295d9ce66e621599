using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads and writes lexemes in the text of tsvector and tsquery: with or without apostrophes, and with a backslash before a special character.
/// Source: src/backend/utils/adt/tsvector_parser.c.
/// </summary>
internal static class LexemeText
{
    /// <summary>Appends a lexeme in apostrophes.</summary>
    public static void Append(StringBuilder text, string lexeme)
    {
        text.Append('\'');
        foreach (var character in lexeme)
        {
            if (character is '\'' or '\\')
                text.Append(character);
            text.Append(character);
        }

        text.Append('\'');
    }

    /// <summary>Takes a lexeme. Without apostrophes, it ends before a space, a colon or one of <paramref name="ends"/>.</summary>
    public static bool TryTake(ref ReadOnlySpan<char> rest, ReadOnlySpan<char> ends, [NotNullWhen(true)] out string? lexeme)
    {
        var text = new StringBuilder();
        var at = 0;
        lexeme = null;
        if (rest is ['\'', ..])
        {
            for (at = 1; ; at++)
            {
                if (at == rest.Length)
                    return false;
                if (rest[at] == '\'' && (at + 1 == rest.Length || rest[at + 1] != '\''))
                    break;
                if (rest[at] is '\'' or '\\' && ++at == rest.Length)
                    return false;
                text.Append(rest[at]);
            }

            at++;
        }
        else
        {
            for (; at < rest.Length && !char.IsWhiteSpace(rest[at]) && rest[at] != ':' && !ends.Contains(rest[at]); at++)
            {
                if (rest[at] == '\\' && ++at == rest.Length)
                    return false;
                text.Append(rest[at]);
            }
        }

        rest = rest[at..];
        lexeme = text.ToString();
        return lexeme.Length > 0;
    }
}
