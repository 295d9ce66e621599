using System.Buffers;

namespace Slipstream.MySql.Statements;

/// <summary>
/// Scans SQL text once by MySQL's lexical rules. It finds the parameters (<c>@name</c>, <c>?name</c>, <c>?</c>) outside of strings, quoted identifiers and
/// comments, the kind of the first statement, and whether another statement follows. It takes linear time and does not know the grammar. Source: "Language
/// Structure" (dev.mysql.com/doc/refman/9.7/en/language-structure.html).
/// </summary>
internal ref partial struct SqlScanner
{
    private const int Near = 48;

    // Not []: that is a generic method over this type, which would be compiled at every start.
#pragma warning disable CA1825
    private static readonly ParameterPlace[] None = new ParameterPlace[0];
#pragma warning restore CA1825

    private readonly string _sql;
    private readonly QuotingRules _rules;
    private ParameterPlace[]? _parameters;
    private int _parameterCount;
    private int _at;
    private int _versionComments;
    private int _lastQuoteEnd = -1;
    private bool _afterSemicolon;
    private bool _several;
    private StatementKind _kind;

    private SqlScanner(string sql, QuotingRules rules)
    {
        _sql = sql;
        _rules = rules;
    }

    /// <summary>Scans the text. A text that ends inside a string or comment is not an error here: the server reports it.</summary>
    public static ScannedSql Scan(string sql, QuotingRules rules)
    {
        var scanner = new SqlScanner(sql, rules);
        scanner.Run();
        return new(sql, scanner.TakeParameters(), scanner._kind, scanner._several, rules);
    }

    private void Run()
    {
        while (_at < _sql.Length)
        {
            var rest = _sql.AsSpan(_at);
            var plain = IndexOfMark(rest);
            if (plain < 0)
                plain = rest.Length;
            if (plain > 0)
            {
                Text(rest[..plain]);
                _at += plain;
                continue;
            }

            Mark(rest);
        }
    }

    private void Mark(ReadOnlySpan<char> rest)
    {
        switch (rest[0])
        {
            case '\'':
                Quoted(backslash: true);
                break;
            case '"':
                Quoted(backslash: (_rules & QuotingRules.AnsiQuotes) == 0);
                break;
            case '`':
                Quoted(backslash: false);
                break;
            case '#':
                SkipLine();
                break;
            // "--5" is minus minus five: in a comment, white space, a control character or the end of the text follows the dashes.
            case '-' when IsAfterDashes(rest):
                SkipLine();
                break;
            case '/' when rest.Length >= 2 && rest[1] == '*':
                Comment(rest);
                break;
            case '*' when _versionComments > 0 && rest.Length >= 2 && rest[1] == '/':
                _versionComments--;
                _at += 2;
                break;
            case '@':
                At(rest);
                break;
            case '?':
                Code();
                Parameter(mayBeVariable: false);
                break;
            case ';':
                _at++;
                _afterSemicolon = _kind != StatementKind.Empty;
                break;
            default:
                Code();
                _at++;
                break;
        }
    }

    private static bool IsAfterDashes(ReadOnlySpan<char> rest) =>
        rest.Length >= 2 && rest[1] == '-' && (rest.Length == 2 || rest[2] <= ' ' || rest[2] == '\x7F');

    // Plain text: white space changes nothing; other text begins a statement, or another one after a semicolon.
    private void Text(ReadOnlySpan<char> text)
    {
        if (_kind != StatementKind.Empty && !_afterSemicolon)
            return;
        var trimmed = text.TrimStart();
        if (_kind == StatementKind.Empty)
            trimmed = trimmed.TrimStart("( \t\r\n");
        if (trimmed.IsEmpty)
            return;
        if (_afterSemicolon)
            _several = true;
        else
            _kind = Keywords.KindOf(FirstWord(trimmed));
    }

    private static ReadOnlySpan<char> FirstWord(ReadOnlySpan<char> text)
    {
        var length = 0;
        while (length < text.Length && (char.IsAsciiLetter(text[length]) || text[length] == '_'))
            length++;
        return text[..length];
    }

    // Handles a mark that is part of a statement.
    private void Code()
    {
        if (_afterSemicolon)
            _several = true;
        else if (_kind == StatementKind.Empty)
            _kind = StatementKind.Other;
    }

    private void Quoted(bool backslash)
    {
        Code();
        _at = EndOfQuoted(_at, backslash);
        _lastQuoteEnd = _at;
    }

    // A doubled quote needs no special case: it ends one quoted piece and begins the next.
    private readonly int EndOfQuoted(int at, bool backslash)
    {
        var quote = _sql[at];
        var escapes = backslash && (_rules & QuotingRules.NoBackslashEscapes) == 0;
        for (at++; at < _sql.Length; at++)
        {
            var rest = _sql.AsSpan(at);
            var found = !escapes ? rest.IndexOf(quote) : rest.IndexOfAny(quote, '\\');
            if (found < 0)
                return _sql.Length;
            at += found;
            if (_sql[at] == quote)
                return at + 1;
            at++;
        }

        return _sql.Length;
    }

    private void SkipLine()
    {
        var end = _sql.AsSpan(_at).IndexOf('\n');
        _at = end < 0 ? _sql.Length : _at + end + 1;
    }

    private void Comment(ReadOnlySpan<char> rest)
    {
        // "/*!50100 …" and MariaDB's "/*M!100100 …" contain code for servers of that version and later.
        var head = rest.StartsWith("/*!") ? 3 : rest.StartsWith("/*M!") ? 4 : 0;
        if (head > 0)
        {
            _versionComments++;
            _at += head;
            while (_at < _sql.Length && char.IsAsciiDigit(_sql[_at]))
                _at++;
            return;
        }

        var end = rest[2..].IndexOf("*/");
        _at = end < 0 ? _sql.Length : _at + end + 4;
    }

    private void At(ReadOnlySpan<char> rest)
    {
        Code();
        if (rest.Length >= 2 && rest[1] == '@')
        {
            // A system variable: @@name, @@global.name, @@`name`.
            _at += 2;
            while (_at < _sql.Length && IsNameCharacter(_sql[_at]))
                _at++;
            return;
        }

        if (IsAccountName())
        {
            _at++;
            while (_at < _sql.Length && IsNameCharacter(_sql[_at]))
                _at++;
            return;
        }

        Parameter((_rules & QuotingRules.AllowUserVariables) != 0);
    }

    // 'user'@'host', user@host: the @ directly follows a quoted name, or a word that an expression cannot follow ("SELECT@a" is legal).
    private readonly bool IsAccountName()
    {
        if (_at == 0)
            return false;
        if (_lastQuoteEnd == _at)
            return true;
        var begin = _at;
        while (begin > 0 && IsNameCharacter(_sql[begin - 1]))
            begin--;
        return begin < _at && !Keywords.MayPrecedeExpression(_sql.AsSpan(begin, _at - begin));
    }

    private void Parameter(bool mayBeVariable)
    {
        var begin = _at;
        var isAt = _sql[begin] == '@';
        _at++;
        string? name = null;
        if (isAt && _at < _sql.Length && _sql[_at] is '`' or '\'' or '"')
        {
            var quote = _sql[_at];
            var from = _at + 1;
            // As elsewhere: with ANSI_QUOTES, "…" is an identifier, in which a backslash is an ordinary character.
            var backslash = quote == '\'' || (quote == '"' && (_rules & QuotingRules.AnsiQuotes) == 0);
            var end = EndOfQuoted(_at, backslash);
            // A doubled quote belongs to the name and stays doubled, as in the names of parameters.
            while (end < _sql.Length && _sql[end] == quote)
                end = EndOfQuoted(end, backslash);
            _at = end;
            name = _sql[from..Math.Max(from, end - 1)];
            _lastQuoteEnd = -1;
        }
        else
        {
            while (_at < _sql.Length && IsNameCharacter(_sql[_at]))
                _at++;
            if (_at > begin + 1)
                name = _sql[(begin + 1).._at];
        }

        // An @ without a name is left to the server, which reports the error.
        if (name is not null || !isAt)
            Add(new(begin, _at - begin, name, mayBeVariable, _versionComments > 0));
    }

    private void Add(ParameterPlace place)
    {
        if (_parameters is null || _parameterCount == _parameters.Length)
        {
            var longer = new ParameterPlace[Math.Max(4, _parameterCount * 2)];
            _parameters?.CopyTo(longer, 0);
            _parameters = longer;
        }

        _parameters[_parameterCount++] = place;
    }

    private readonly ParameterPlace[] TakeParameters()
    {
        if (_parameters is null)
            return None;
        return _parameterCount == _parameters.Length ? _parameters : _parameters[.._parameterCount];
    }

    // Finds the next character that may begin something other than plain text. '*' ends a version comment. The gaps of most statements are short, and the
    // vector code is not compiled ahead of time: the first statement would wait for the compilation.
    private static int IndexOfMark(ReadOnlySpan<char> text)
    {
        var near = Math.Min(text.Length, Near);
        for (var at = 0; at < near; at++)
        {
            if (text[at] is '\'' or '"' or '`' or '#' or '-' or '/' or '*' or '@' or '?' or ';')
                return at;
        }

        if (near == text.Length)
            return -1;
        var far = text[near..].IndexOfAny(Far.Marks);
        return far < 0 ? far : near + far;
    }

    // A class of its own, so that it is created only when needed.
    private static class Far
    {
        public static readonly SearchValues<char> Marks = SearchValues.Create("'\"`#-/*@?;");
    }

    internal static bool IsNameCharacter(char value) => char.IsAsciiLetterOrDigit(value) || value is '_' or '$' or '.' or >= '\x80';
}
