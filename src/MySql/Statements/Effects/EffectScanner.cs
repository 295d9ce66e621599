using System.Buffers;

namespace Slipstream.MySql.Statements;

/// <summary>
/// Reads a text as words and marks, and decides whether all of it is understood. It accepts only SELECT and statements that change data, only the server's own
/// functions, INTO only in INSERT, and no assignments. The server's session tracker reports every change that such statements make to the session. The
/// statements it does not report are not among them (verified: <c>SELECT … INTO @x</c>, <c>:=</c>, GET_LOCK, HANDLER, LAST_INSERT_ID(x), SET ROLE, FLUSH). The
/// scanner does not know the grammar: an unknown text counts as one that leaves state, which costs a reset. The answer is the same under every sql_mode of a
/// session.
/// </summary>
internal ref struct EffectScanner
{
    private enum Token
    {
        End,

        /// <summary>A token after which nothing can be proven.</summary>
        Unknown,
        Word,

        /// <summary>A token in backticks or double quotes: a name, or a string if ANSI_QUOTES is off.</summary>
        QuotedName,
        Text,
        Mark,
    }

    private static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789abcdefABCDEF");

    private readonly string _sql;
    private readonly bool _isMariaDb;
    private int _from;
    private int _at;

    private EffectScanner(string sql, bool isMariaDb)
    {
        _sql = sql;
        _isMariaDb = isMariaDb;
    }

    /// <summary>Returns true if the text can leave only state that the server's session tracker reports.</summary>
    public static bool IsStateless(string sql, bool isMariaDb) => !EffectWords.ReadsLastStatement(sql) && new EffectScanner(sql, isMariaDb).Run();

    /// <summary>
    /// Returns true if a stateless text surely uses a table. If not, MariaDB keeps the warnings of the statement before it
    /// (https://mariadb.com/kb/en/show-warnings/).
    /// </summary>
    public static bool UsesTable(string sql) => new EffectScanner(sql, isMariaDb: true).FindsTable();

    // Finds FROM outside of parentheses, because functions have FROM inside them. FROM DUAL does not count.
    private bool FindsTable()
    {
        var depth = 0;
        var isFirst = true;
        while (Next() is var token and not (Token.End or Token.Unknown))
        {
            if (token == Token.Mark)
                depth += _sql[_from] switch { '(' => 1, ')' => -1, _ => 0 };
            if (token == Token.Word && isFirst && EffectWords.Changes(Current))
                return true;
            if (token == Token.Word && depth == 0 && Current.Equals("FROM", StringComparison.OrdinalIgnoreCase))
                return Next() is Token.QuotedName or Token.Mark || !Current.Equals("DUAL", StringComparison.OrdinalIgnoreCase);
            isFirst = false;
        }

        return false;
    }

    private readonly ReadOnlySpan<char> Current => _sql.AsSpan(_from, _at - _from);

    private bool Run()
    {
        while (true)
        {
            switch (Next())
            {
                case Token.End:
                    return true;
                case Token.Mark when _sql[_from] is ';' or '(':
                    break;
                case Token.Word when EffectWords.Begins(Current):
                    if (!RunStatement())
                        return false;
                    break;
                default:
                    return false;
            }
        }
    }

    // Reads up to the statement's semicolon, or to the end.
    private bool RunStatement()
    {
        // In the part of an INSERT that names its table, a name before a parenthesis does not call a function.
        var namesTable = EffectWords.Inserts(Current);
        var before = Token.Word;
        var isCallee = false;
        var mayBeSeparate = true;
        var isQualified = false;
        while (true)
        {
            var end = _at;
            var wasNumber = _isNumber;
            var token = Next();
            switch (token)
            {
                case Token.End:
                    return true;
                case Token.Unknown:
                    return false;
                case Token.Word when isQualified:
                case Token.QuotedName:
                    // A function in a database, or in backticks, is never the server's own.
                    isCallee = mayBeSeparate = isQualified = false;
                    break;
                case Token.Word:
                    if (EffectWords.LeavesTrace(Current) || (!namesTable && EffectWords.IsInto(Current)))
                        return false;
                    mayBeSeparate = EffectWords.PrecedesParenthesis(Current);
                    isCallee = mayBeSeparate || EffectWords.IsFunction(Current, _isMariaDb);
                    namesTable &= !EffectWords.EndsTable(Current);
                    break;
                case Token.Text:
                    isQualified = false;
                    break;
                default:
                    switch (_sql[_from])
                    {
                        case ';':
                            return true;
                        case ':':
                            return false;
                        case '(':
                            // With a space in between, COUNT ( calls a stored function.
                            if (before is Token.Word or Token.QuotedName && !namesTable && !(isCallee && (mayBeSeparate || end == _from)))
                                return false;
                            namesTable = false;
                            break;
                    }

                    // "1.INTO" is the number and the word. After a name, the dot makes a name of every word.
                    var isDot = _sql[_from] == '.' && end == _from;
                    isQualified = isDot && (before == Token.QuotedName ? _sql[end - 1] == '`' : before == Token.Word && !wasNumber);
                    // After any other dot comes the rest of a number, or "1.e5INTO".
                    if (_sql[_from] == '.' && !isQualified && (MayQualify(before, isDot, wasNumber) || !SkipFraction()))
                        return false;
                    break;
            }

            before = token;
        }
    }

    // "db .e5(1)", with white space or a comment before the dot, calls a function and does not contain a number.
    private readonly bool MayQualify(Token before, bool isDot, bool wasNumber) =>
        !isDot && (before == Token.QuotedName || (before == Token.Word && !wasNumber)) && _at < _sql.Length && !char.IsAsciiDigit(_sql[_at]);

    private bool _isNumber;

    private Token Next()
    {
        while (true)
        {
            while (_at < _sql.Length && _sql[_at] is ' ' or (>= '\t' and <= '\r'))
                _at++;
            _from = _at;
            if (_at == _sql.Length)
                return Token.End;
            var value = _sql[_at];
            var next = _at + 1 < _sql.Length ? _sql[_at + 1] : '\0';
            switch (value)
            {
                case '\'':
                    return Quoted(value, Token.Text);
                case '"' or '`':
                    return Quoted(value, Token.QuotedName);
                case '#':
                // "--5" is minus minus five: in a comment, white space, a control character or the end of the text follows the dashes.
                case '-' when next == '-' && (_at + 2 == _sql.Length || _sql[_at + 2] <= ' ' || _sql[_at + 2] == '\x7F'):
                    var line = _sql.AsSpan(_at).IndexOf('\n');
                    _at = line < 0 ? _sql.Length : _at + line + 1;
                    continue;
                case '/' when next == '*':
                    if (!SkipComment())
                        return Token.Unknown;
                    continue;
                case < ' ' or '\x7F':
                    return Token.Unknown;
            }

            _isNumber = char.IsAsciiDigit(value);
            if (!IsNameCharacter(value))
            {
                _at++;
                return Token.Mark;
            }

            SkipName();
            return _isNumber && !IsNumber(Current) ? Token.Unknown : Token.Word;
        }
    }

    private void SkipName()
    {
        while (_at < _sql.Length && IsNameCharacter(_sql[_at]))
            _at++;
    }

    private bool SkipFraction()
    {
        var from = _at;
        SkipName();
        return IsNumber(_sql.AsSpan(from, _at - from));
    }

    // Accepts 12, 1e5 (or the 1e of 1e-5), 0x1F, 0b1. A server may read "5into" as a number and a word, so other words with a digit first are not understood.
    private static bool IsNumber(ReadOnlySpan<char> text)
    {
        if (text.StartsWith("0x") || text.StartsWith("0b"))
            return !text[2..].ContainsAnyExcept(HexDigits);
        var exponent = text.IndexOfAny('e', 'E');
        return !text[..(exponent < 0 ? text.Length : exponent)].ContainsAnyExceptInRange('0', '9')
            && (exponent < 0 || !text[(exponent + 1)..].ContainsAnyExceptInRange('0', '9'));
    }

    private static bool IsNameCharacter(char value) => value != '.' && SqlScanner.IsNameCharacter(value);

    private Token Quoted(char quote, Token token)
    {
        for (_at++; _at < _sql.Length; _at++)
        {
            if (_sql[_at] != quote)
                continue;
            // A quote after an odd number of backslashes ends the string under one sql_mode and belongs to it under another.
            var backslashes = 0;
            while (quote != '`' && _sql[_at - 1 - backslashes] == '\\')
                backslashes++;
            if (backslashes % 2 == 1)
                return Token.Unknown;
            _at++;
            // A doubled quote needs no special case: it makes two adjacent pieces of the same kind.
            return token;
        }

        return Token.Unknown;
    }

    // Some servers execute the content of "/*! …" and "/*M! …". A hint may set variables.
    private bool SkipComment()
    {
        var rest = _sql.AsSpan(_at);
        var end = rest[2..].IndexOf("*/");
        if (end < 0 || rest.StartsWith("/*!") || rest.StartsWith("/*M!", StringComparison.OrdinalIgnoreCase))
            return false;
        if (rest.StartsWith("/*+") && rest[..end].Contains("SET_VAR", StringComparison.OrdinalIgnoreCase))
            return false;
        _at += end + 4;
        return true;
    }
}
