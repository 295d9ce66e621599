namespace Slipstream.Equivalence.Gateways;

/// <summary>Finds the statement of a text that a replica refuses.</summary>
internal static class Writes
{
    private static readonly string[] Words = ["INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "CALL", "TRUNCATE"];

    /// <summary>Returns where the first statement begins that writes; −1 if there is none.</summary>
    public static int Find(string text)
    {
        var isAtStart = true;
        for (var i = 0; i < text.Length; i++)
        {
            var letter = text[i];
            if (letter is '\'' or '"' or '`')
            {
                i = EndOfQuoted(text, i);
                isAtStart = false;
            }
            else if (letter == '/' && i + 1 < text.Length && text[i + 1] == '*')
            {
                var end = text.IndexOf("*/", i + 2, StringComparison.Ordinal);
                i = end < 0 ? text.Length : end + 1;
            }
            else if (letter == ';')
            {
                isAtStart = true;
            }
            else if (isAtStart && !char.IsWhiteSpace(letter))
            {
                var at = i;
                if (Words.Any(word => string.Compare(text, at, word, 0, word.Length, StringComparison.OrdinalIgnoreCase) == 0))
                    return i;
                isAtStart = false;
            }
        }

        return -1;
    }

    private static int EndOfQuoted(string text, int start)
    {
        var quote = text[start];
        for (var i = start + 1; i < text.Length; i++)
        {
            if (text[i] == '\\' && quote != '`')
                i++;
            else if (text[i] == quote)
                return i;
        }

        return text.Length;
    }
}
