namespace Slipstream.Core.Statements;

/// <summary>The kinds of tokens in an SQL text that matter for a summary.</summary>
internal enum SqlToken
{
    /// <summary>A number, a string, a parameter, an operator.</summary>
    Other,

    /// <summary>A keyword, or a name without quotes and dots.</summary>
    Word,

    /// <summary>A name in quotes, or of several parts.</summary>
    Name,

    /// <summary>An opening parenthesis.</summary>
    Open,

    /// <summary>A closing parenthesis.</summary>
    Close,

    /// <summary>A comma.</summary>
    Comma,

    /// <summary>The end of a statement.</summary>
    Semicolon,
}

/// <summary>Splits a text into tokens and skips comments. A copy continues at the same position, so a scanner can look ahead.</summary>
internal ref struct SummaryLexer(ReadOnlySpan<char> sql, SqlDialect dialect)
{
    private readonly ReadOnlySpan<char> _sql = sql;
    private readonly SqlDialect _dialect = dialect;
    private int _at;
    private int _start;

    /// <summary>Kind of the last token.</summary>
    public SqlToken Token { get; private set; }

    /// <summary>Text of the last token.</summary>
    public readonly ReadOnlySpan<char> Text => _sql[_start.._at];

    /// <summary>Whether the last token ends the text.</summary>
    public readonly bool IsAtEnd => _at == _sql.Length;

    /// <summary>Stops: there are no further tokens.</summary>
    public void Stop()
    {
        _at = _sql.Length;
        HasStopped = true;
    }

    /// <summary>Whether a part of the text was not read.</summary>
    public bool HasStopped { get; private set; }

    /// <summary>Whether the next token is the given word.</summary>
    public readonly bool IsNext(string upper)
    {
        var ahead = this;
        return ahead.Next() && ahead.Token == SqlToken.Word && ahead.Text.Equals(upper, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Advances to the next token. Returns false at the end.</summary>
    public bool Next()
    {
        SkipBlanksAndComments();
        _start = _at;
        if (_at == _sql.Length)
            return false;
        var current = _sql[_at];
        if (IsNameStart(current) || IsNameQuote(current))
        {
            ReadName();
            return true;
        }

        Token = current switch
        {
            '(' => SqlToken.Open,
            ')' => SqlToken.Close,
            ',' => SqlToken.Comma,
            ';' => SqlToken.Semicolon,
            _ => SqlToken.Other,
        };
        if (current is '\'' or '"')
            SkipString(current);
        else if (current == '$' && (_dialect & SqlDialect.DollarQuotes) != 0 && DollarQuote() is > 0 and var end)
            _at = end;
        else if (char.IsAsciiDigit(current) || current is '@' or ':' or '$')
            SkipNumberOrParameter();
        else
            _at++;
        return true;
    }

    private readonly bool Has(SqlDialect rule) => (_dialect & rule) != 0;

    private readonly bool IsNameQuote(char character) =>
        (character == '`' && Has(SqlDialect.BacktickNames)) || (character == '"' && Has(SqlDialect.DoubleQuotedNames));

    private static bool IsNameStart(char character) => char.IsAsciiLetter(character) || character is '_' or >= '\x80';

    private static bool IsNamePart(char character) => char.IsAsciiLetterOrDigit(character) || character is '_' or '$' or >= '\x80';

    // a, `a`, a.b, "a"."b"
    private void ReadName()
    {
        Token = SqlToken.Word;
        while (true)
        {
            if (IsNameQuote(_sql[_at]))
            {
                Token = SqlToken.Name;
                SkipQuotedName(_sql[_at]);
            }
            else
                while (_at < _sql.Length && IsNamePart(_sql[_at]))
                    _at++;
            if (_at + 1 >= _sql.Length || _sql[_at] != '.' || !(IsNameStart(_sql[_at + 1]) || IsNameQuote(_sql[_at + 1])))
                return;
            Token = SqlToken.Name;
            _at++;
        }
    }

    private void SkipQuotedName(char quote)
    {
        for (_at++; _at < _sql.Length; _at++)
        {
            if (_sql[_at] != quote)
                continue;
            if (_at + 1 < _sql.Length && _sql[_at + 1] == quote)
                _at++;
            else
            {
                _at++;
                return;
            }
        }

        // The name is not terminated: only the server knows its meaning.
        Token = SqlToken.Other;
    }

    // A doubled quote ends one string and begins the next.
    private void SkipString(char quote)
    {
        var rest = _sql[(_at + 1)..];
        var end = rest.IndexOf(quote);
        // A setting of the session decides whether the backslash is a character or escapes the quote.
        if (end < 0 || (end > 0 && rest[end - 1] == '\\'))
            Stop();
        else
            _at += end + 2;
    }

    // 1.5e3, @name, :name, $1; "::" is a cast.
    private void SkipNumberOrParameter()
    {
        var mark = _sql[_at++];
        while (_at < _sql.Length && _sql[_at] == mark && mark is '@' or ':')
            _at++;
        while (_at < _sql.Length && (IsNamePart(_sql[_at]) || (_sql[_at] == '.' && char.IsAsciiDigit(mark))))
            _at++;
    }

    // $$ or $tag$, up to its next occurrence.
    private readonly int DollarQuote()
    {
        var end = _at + 1;
        while (end < _sql.Length && _sql[end] != '$' && IsNamePart(_sql[end]))
            end++;
        if (end == _sql.Length || _sql[end] != '$' || char.IsAsciiDigit(_sql[_at + 1]))
            return 0;
        var delimiter = _sql[_at..(end + 1)];
        var close = _sql[(end + 1)..].IndexOf(delimiter);
        return close < 0 ? _sql.Length : end + 1 + close + delimiter.Length;
    }

    private void SkipBlanksAndComments()
    {
        while (_at < _sql.Length)
        {
            var rest = _sql[_at..];
            if (char.IsWhiteSpace(rest[0]))
                _at++;
            else if (BeginsLine(rest))
                _at += rest.IndexOfAny('\n', '\r') is >= 0 and var line ? line : rest.Length;
            else if (rest.StartsWith("/*"))
            {
                // Some servers execute comments with these beginnings.
                HasStopped |= rest.StartsWith("/*!") || rest.StartsWith("/*M!");
                SkipComment();
            }
            else
                return;
        }
    }

    private readonly bool BeginsLine(ReadOnlySpan<char> rest) => rest[0] == '#'
        ? Has(SqlDialect.HashComments)
        : rest.StartsWith("--") && (!Has(SqlDialect.BlankAfterDashes) || rest.Length == 2 || rest[2] <= ' ');

    private void SkipComment()
    {
        var depth = 0;
        while (_at < _sql.Length)
        {
            var rest = _sql[_at..];
            if (rest.StartsWith("*/"))
            {
                _at += 2;
                if (--depth == 0)
                    return;
            }
            else if (rest.StartsWith("/*") && (depth == 0 || Has(SqlDialect.NestedComments)))
            {
                depth++;
                _at += 2;
            }
            else
                _at++;
        }
    }
}
