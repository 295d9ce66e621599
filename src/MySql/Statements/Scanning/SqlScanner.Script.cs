namespace Slipstream.MySql.Statements;

// Finds the ends of the statements in a script, by the rules of the mysql command-line client.
internal ref partial struct SqlScanner
{
    private const string DelimiterWord = "DELIMITER";

    /// <summary>Returns the next statement of a script.</summary>
    /// <param name="script">Statements separated by delimiters, comments, and lines that begin with DELIMITER.</param>
    /// <param name="at">The position to continue from; on return, the position after the statement's delimiter.</param>
    /// <param name="delimiter">The delimiter that ends a statement. A DELIMITER line before the statement changes it.</param>
    /// <param name="rules">The session's current quoting rules.</param>
    /// <param name="begin">The position of the statement.</param>
    /// <returns>The statement without its delimiter and surrounding white space, or null if no statement is left.</returns>
    /// <exception cref="FormatException">A DELIMITER line does not name a delimiter.</exception>
    public static string? NextOfScript(string script, ref int at, ref string delimiter, QuotingRules rules, out int begin)
    {
        var scanner = new SqlScanner(script, rules) { _at = at };
        while (true)
        {
            delimiter = scanner.SkipToStatement(delimiter);
            begin = scanner._at;
            var end = scanner.FindEnd(delimiter);
            at = Math.Min(script.Length, end + delimiter.Length);
            var statement = script.AsSpan(begin, end - begin).TrimEnd();
            if (!statement.IsEmpty)
                return statement.ToString();
            if (begin == script.Length)
                return null;
            // Two delimiters in a row.
            scanner._at = at;
        }
    }

    // Skips white space, comments without code, and DELIMITER lines.
    private string SkipToStatement(string delimiter)
    {
        while (_at < _sql.Length)
        {
            var rest = _sql.AsSpan(_at);
            if (char.IsWhiteSpace(rest[0]))
                _at++;
            else if (rest.StartsWith(DelimiterWord, StringComparison.OrdinalIgnoreCase)
                && (rest.Length == DelimiterWord.Length || char.IsWhiteSpace(rest[DelimiterWord.Length])))
                delimiter = TakeDelimiter();
            else if (IsComment(rest) && !rest.StartsWith(delimiter, StringComparison.Ordinal))
                Mark(rest);
            else
                break;
        }

        return delimiter;
    }

    private static bool IsComment(ReadOnlySpan<char> rest) => rest[0] switch
    {
        '#' => true,
        '-' => IsAfterDashes(rest),
        '/' => rest.StartsWith("/*") && !rest.StartsWith("/*!") && !rest.StartsWith("/*M!"),
        _ => false,
    };

    private string TakeDelimiter()
    {
        var line = _sql.AsSpan(_at);
        var end = line.IndexOfAny('\r', '\n');
        if (end >= 0)
            line = line[..end];
        _at += line.Length;
        var word = line[DelimiterWord.Length..].Trim();
        var blank = word.IndexOfAny(' ', '\t');
        if (blank >= 0)
            word = word[..blank];
        return word.IsEmpty
            ? throw new FormatException("A DELIMITER line of the script does not name a delimiter: write, for example, DELIMITER $$.")
            : word.ToString();
    }

    private int FindEnd(string delimiter)
    {
        while (_at < _sql.Length)
        {
            var rest = _sql.AsSpan(_at);
            if (rest.StartsWith(delimiter, StringComparison.Ordinal))
                return _at;
            if (rest[0] is '\'' or '"' or '`' or '#' or '-' or '/' or '*')
                Mark(rest);
            else
                _at++;
        }

        return _sql.Length;
    }
}
