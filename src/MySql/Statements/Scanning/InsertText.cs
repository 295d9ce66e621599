namespace Slipstream.MySql.Statements;

/// <summary>
/// Finds the row of a plain <c>INSERT INTO t (…) VALUES (…)</c>. It does not know the grammar: it refuses every text that it does not recognise.
/// </summary>
internal static class InsertText
{
    /// <summary>Returns the position of the opening parenthesis of the only row, or −1 if the text is not a plain INSERT.</summary>
    /// <param name="sql">The SQL text.</param>
    /// <param name="end">The position after the row's closing parenthesis.</param>
    public static int FindRow(string sql, out int end)
    {
        end = -1;
        var at = FindValues(sql);
        if (at < 0)
            return -1;
        while (at < sql.Length && char.IsWhiteSpace(sql[at]))
            at++;
        if (at >= sql.Length || sql[at] != '(')
            return -1;
        end = EndOfRow(sql, at + 1);
        return end > 0 && IsEnd(sql.AsSpan(end)) ? at : -1;
    }

    /// <summary>Returns whether the character may be next to a parameter that is a complete value.</summary>
    public static bool IsBorder(char value) => value is ',' or '(' or ')' || char.IsWhiteSpace(value);

    // Returns the position after the word VALUES or VALUE outside of parentheses and quotes.
    private static int FindValues(string sql)
    {
        var depth = 0;
        for (var at = 0; at < sql.Length;)
        {
            var character = sql[at];
            if (char.IsAsciiLetter(character))
            {
                var length = WordLength(sql, at);
                var word = sql.AsSpan(at, length);
                at += length;
                if (depth == 0 && (Is(word, "VALUES") || Is(word, "VALUE")))
                    return at;
                if (IsRefused(word))
                    return -1;
            }
            else if (character == '`')
                at = EndOfIdentifier(sql, at);
            else
            {
                depth += character == '(' ? 1 : character == ')' ? -1 : 0;
                if (!IsBorder(character) && character is not '.' && !SqlScanner.IsNameCharacter(character))
                    return -1;
                at++;
            }
        }

        return -1;
    }

    // Accepts parameters, numbers, strings without quotes or backslashes inside, NULL, and DEFAULT. Returns the position after the closing parenthesis, or −1.
    private static int EndOfRow(string sql, int at)
    {
        while (at < sql.Length)
        {
            var character = sql[at];
            if (character == ')')
                return at + 1;
            if (character == '\'')
            {
                var close = sql.AsSpan(at + 1).IndexOfAny('\'', '\\');
                if (close < 0 || sql[at + 1 + close] == '\\' || (at + close + 2 < sql.Length && sql[at + close + 2] == '\''))
                    return -1;
                at += close + 2;
            }
            else if (character == '`')
                at = EndOfIdentifier(sql, at);
            else if (IsBorder(character) && character != '('
                || character is '.' or '+' or '?' or '@'
                || SqlScanner.IsNameCharacter(character)
                || IsMinus(sql, at))
                at++;
            else
                return -1;
        }

        return -1;
    }

    // Two minus signs begin a comment.
    private static bool IsMinus(string sql, int at) => sql[at] == '-' && sql[at - 1] != '-';

    private static bool IsEnd(ReadOnlySpan<char> rest) => rest.Trim() is "" or ";";

    private static int EndOfIdentifier(string sql, int at)
    {
        var close = sql.AsSpan(at + 1).IndexOf('`');
        return close < 0 ? sql.Length : at + close + 2;
    }

    private static int WordLength(string sql, int at)
    {
        var length = 0;
        while (at + length < sql.Length && SqlScanner.IsNameCharacter(sql[at + length]) && sql[at + length] != '.')
            length++;
        return length;
    }

    private static bool Is(ReadOnlySpan<char> word, string keyword) => word.Equals(keyword, StringComparison.OrdinalIgnoreCase);

    // Each of these words affects the statement as a whole, or makes it another statement.
    private static bool IsRefused(ReadOnlySpan<char> word) =>
        Is(word, "IGNORE") || Is(word, "DELAYED") || Is(word, "SELECT") || Is(word, "SET") || Is(word, "TABLE") || Is(word, "WITH");
}
