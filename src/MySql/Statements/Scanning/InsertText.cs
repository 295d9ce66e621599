namespace Slipstream.MySql.Statements;

/// <summary>Finds the row of a plain <c>INSERT INTO t (…) VALUES (…)</c>. It understands no grammar: what it does not know it does not accept.</summary>
internal static class InsertText
{
    /// <summary>Where the parenthesis of the only row begins; −1 when the text is not that plain.</summary>
    /// <param name="sql">The text.</param>
    /// <param name="end">Behind the row's closing parenthesis.</param>
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

    /// <summary>What may stand beside a parameter that is a value by itself.</summary>
    public static bool IsBorder(char value) => value is ',' or '(' or ')' || char.IsWhiteSpace(value);

    // Behind the word VALUES or VALUE outside all parentheses and quotes.
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

    // Parameters, numbers, strings without quotes or backslashes in them, NULL, DEFAULT: behind the closing parenthesis, or −1.
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
            else if (IsBorder(character) && character != '(' || character is '.' or '+' or '?' or '@' || SqlScanner.IsNameCharacter(character) || IsMinus(sql, at))
                at++;
            else
                return -1;
        }

        return -1;
    }

    // Two of them begin a comment.
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

    // Each has a meaning for the statement as a whole, or makes it another one.
    private static bool IsRefused(ReadOnlySpan<char> word) =>
        Is(word, "IGNORE") || Is(word, "DELAYED") || Is(word, "SELECT") || Is(word, "SET") || Is(word, "TABLE") || Is(word, "WITH");
}
