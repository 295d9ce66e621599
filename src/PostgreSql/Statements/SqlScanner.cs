using System.Buffers;
using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Statements;

/// <summary>
/// Reads a command's text once. It splits the text at semicolons into statements, finds the parameters, and writes them as <c>$1</c>, <c>$2</c>, … as each
/// statement counts them. It skips text that is not code: '…', E'…' with backslashes, "…", $tag$…$tag$, -- and nested /* */ comments.
/// Source: PostgreSQL 18, 4.1 "Lexical Structure".
/// </summary>
/// <remarks>
/// Values never become part of the text, so a mistake here can break a command but cannot cause an injection. The scanner assumes that
/// standard_conforming_strings is on, the default since 2010.
/// </remarks>
internal ref struct SqlScanner
{
    private static readonly SearchValues<char> Interesting = SearchValues.Create("'\"$@:;-/()bBcCeE");

    private readonly string _sql;
    private readonly bool _named;
    private readonly bool _takesNumbers;
    private readonly List<ScannedStatement> _statements = [];
    private readonly List<string> _names = [];
    private readonly Dictionary<string, int> _places = new(StringComparer.Ordinal);
    private readonly Dictionary<int, int> _numbers = [];
    private readonly StringBuilder _text = new();
    private int _at;
    private int _copied;
    private int _start;
    private int _depth;
    private int _atomic;
    private bool _hasCode;

    private SqlScanner(string sql, bool named, bool numbered)
    {
        _sql = sql;
        _named = named;
        _takesNumbers = numbered;
    }

    /// <param name="sql">One or more statements.</param>
    /// <param name="named">True if <c>@name</c> and <c>:name</c> are parameters. False if only <c>$1</c> is; @ and : are then operators and slices.</param>
    /// <param name="numbered">True if <c>@1</c> and <c>:1</c> are names, too. False if @ before a number is an operator (the absolute value).</param>
    /// <exception cref="ArgumentException">The text contains a zero character, half of a surrogate pair, or both named and positional parameters.</exception>
    public static ScannedSql Scan(string sql, bool named, bool numbered = false)
    {
        if (sql.Contains('\0'))
            throw new ArgumentException(
                "The command's text contains a NUL character (U+0000), which PostgreSQL does not allow: remove the character.", nameof(sql));
        var scanner = new SqlScanner(sql, named, numbered);
        scanner.Run();
        return new([.. scanner._statements], [.. scanner._names]);
    }

    private void Run()
    {
        while (_at < _sql.Length)
        {
            // The text up to the next interesting character is code, or white space that need not be kept.
            var skip = _sql.AsSpan(_at).IndexOfAny(Interesting);
            var plain = skip < 0 ? _sql.AsSpan(_at) : _sql.AsSpan(_at, skip);
            _hasCode |= !plain.IsWhiteSpace();
            _at += plain.Length;
            if (skip >= 0)
                ScanToken();
        }

        Cut(_sql.Length);
    }

    private void ScanToken()
    {
        var current = _sql[_at];
        var next = _at + 1 < _sql.Length ? _sql[_at + 1] : '\0';
        switch (current)
        {
            case '-' when next == '-': SkipLine(); return;
            case '/' when next == '*': SkipComment(); return;
            case ';' when _depth == 0 && _atomic == 0: Cut(_at); SkipSpace(); return;
        }

        _hasCode = true;
        switch (current)
        {
            case '\'': SkipQuoted('\'', backslashes: false); break;
            case '"': SkipQuoted('"', backslashes: false); break;
            case '$' when IsPlaceStart(): Dollar(next); break;
            case '@' or ':' when _named && (IsNameStart(next) || (_takesNumbers && char.IsAsciiDigit(next))) && IsPlaceStart(): Named(); break;
            case ':' when next == ':': _at += 2; break;
            case '(': _depth++; _at++; break;
            case ')': _depth--; _at++; break;
            default:
                if (IsNameStart(current) && !IsInWord())
                    Word();
                else
                    _at++;
                break;
        }
    }

    // ---------------------------------------------------------------- parameters

    private void Named()
    {
        var start = _at++;
        while (_at < _sql.Length && IsNamePart(_sql[_at]))
            _at++;
        var name = _sql.AsSpan(start + 1, _at - start - 1);
        if (!_places.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out var place))
        {
            place = _names.Count;
            _names.Add(name.ToString());
            _places.Add(_names[place], place);
        }

        Place(start, place);
    }

    private void Dollar(char next)
    {
        if (char.IsAsciiDigit(next))
        {
            if (_named)
                throw new ArgumentException("The command's text has named parameters and also positional ones ($1): use one kind.");
            var start = _at++;
            var number = 0;
            for (; _at < _sql.Length && char.IsAsciiDigit(_sql[_at]); _at++)
                number = Math.Min(number * 10 + (_sql[_at] - '0'), ushort.MaxValue + 1);
            // $0 is not a parameter; the server reports it.
            if (number > 0)
                Place(start, number - 1);
            return;
        }

        // $$ or $tag$: the body ends at the next occurrence of the same delimiter.
        var end = _at + 1;
        while (end < _sql.Length && _sql[end] != '$' && IsNamePart(_sql[end]))
            end++;
        if (end == _sql.Length || _sql[end] != '$')
        {
            _at++;
            return;
        }

        var delimiter = _sql.AsSpan(_at, end + 1 - _at);
        var close = _sql.AsSpan(end + 1).IndexOf(delimiter);
        _at = close < 0 ? _sql.Length : end + 1 + close + delimiter.Length;
    }

    // Writes the text before the parameter, then the parameter's number in this statement.
    private void Place(int start, int place)
    {
        _text.Append(_sql, _copied, start - _copied);
        _copied = _at;
        if (!_numbers.TryGetValue(place, out var number))
            _numbers.Add(place, number = _numbers.Count + 1);
        _text.Append('$').Append(number);
    }

    // ---------------------------------------------------------------- text that is not code

    private void SkipQuoted(char quote, bool backslashes)
    {
        _at++;
        while (_at < _sql.Length)
        {
            var found = backslashes ? _sql.AsSpan(_at).IndexOfAny(quote, '\\') : _sql.AsSpan(_at).IndexOf(quote);
            if (found < 0)
            {
                _at = _sql.Length;
                return;
            }

            _at += found;
            if (_sql[_at] == '\\')
                _at = Math.Min(_at + 2, _sql.Length);
            else if (_at + 1 < _sql.Length && _sql[_at + 1] == quote)
                _at += 2;
            else
            {
                _at++;
                return;
            }
        }
    }

    // A statement begins after the white space that precedes it. The server counts the position of an error from there.
    private void SkipSpace()
    {
        _at++;
        while (_at < _sql.Length && _sql[_at] is ' ' or '\t' or '\n' or '\r' or '\f')
            _at++;
        _start = _copied = _at;
    }

    private void SkipLine()
    {
        var end = _sql.AsSpan(_at).IndexOfAny('\n', '\r');
        _at = end < 0 ? _sql.Length : _at + end;
    }

    private void SkipComment()
    {
        var depth = 0;
        while (_at < _sql.Length)
        {
            var here = _sql.AsSpan(_at);
            if (here.StartsWith("/*"))
                depth++;
            else if (here.StartsWith("*/"))
                depth--;
            else
            {
                var next = here[1..].IndexOfAny('/', '*');
                _at = next < 0 ? _sql.Length : _at + 1 + next;
                continue;
            }

            _at += 2;
            if (depth == 0)
                return;
        }
    }

    // ---------------------------------------------------------------- words

    // E'…' has backslashes. BEGIN ATOMIC … END is the body of a function, which contains semicolons of its own and may contain CASE … END.
    private void Word()
    {
        var start = _at;
        while (_at < _sql.Length && IsNamePart(_sql[_at]))
            _at++;
        var word = _sql.AsSpan(start, _at - start);
        if (word.Length == 1 && word[0] is 'e' or 'E' && _at < _sql.Length && _sql[_at] == '\'')
            SkipQuoted('\'', backslashes: true);
        else if (word.Equals("begin", StringComparison.OrdinalIgnoreCase) && IsFollowedByAtomic())
            _atomic++;
        else if (_atomic > 0 && word.Equals("case", StringComparison.OrdinalIgnoreCase))
            _atomic++;
        else if (_atomic > 0 && word.Equals("end", StringComparison.OrdinalIgnoreCase))
            _atomic--;
    }

    private readonly bool IsFollowedByAtomic()
    {
        var rest = _sql.AsSpan(_at).TrimStart();
        return rest.StartsWith("atomic", StringComparison.OrdinalIgnoreCase) && (rest.Length == 6 || !IsNamePart(rest[6]));
    }

    // A parameter does not begin inside a word or an operator: a$1 is a name, a::int a cast, a @> b and @@ are operators, 1:n a slice.
    private readonly bool IsPlaceStart()
    {
        if (_at == 0)
            return true;
        var before = _sql[_at - 1];
        return _sql[_at] switch
        {
            ':' => !IsNamePart(before) && before is not (':' or ')' or ']' or '"'),
            '@' => !IsNamePart(before) && before != '@',
            _ => !IsNamePart(before),
        };
    }

    private readonly bool IsInWord() => _at > 0 && IsNamePart(_sql[_at - 1]);

    private static bool IsNameStart(char character) => char.IsLetter(character) || character == '_';

    private static bool IsNamePart(char character) => char.IsLetterOrDigit(character) || character is '_' or '$';

    // ---------------------------------------------------------------- statements

    private void Cut(int end)
    {
        _text.Append(_sql, _copied, end - _copied);
        _copied = end;
        _depth = 0;

        // Between two semicolons, and after the last one, there may be only comments. An empty text still counts as one statement.
        if (_hasCode || (end == _sql.Length && _statements.Count == 0))
            _statements.Add(OwnParameters(end) ?? new(StrictUtf8.GetBytes(_text.ToString()), [.. _numbers.Keys]));
        _text.Clear();
        _numbers.Clear();
        _hasCode = false;
    }

    // The $1 of a PREPARE or of a function's body is not a parameter of the command, so it stays unchanged.
    private readonly ScannedStatement? OwnParameters(int end) =>
        !_named && _numbers.Count > 0 && StrictUtf8.GetBytes(_sql[_start..end]) is var sql && FirstWord.HasOwnParameters(sql) ? new(sql, []) : null;
}

/// <summary>The result of scanning a command's text.</summary>
/// <param name="Statements">One or more statements.</param>
/// <param name="Names">The names of the parameters, without @ or :, each once, in the order of first appearance. A parameter's index is its index here.</param>
internal sealed record ScannedSql(ScannedStatement[] Statements, string[] Names);

/// <summary>One statement of a command.</summary>
/// <param name="Sql">The statement as it is sent to the server: UTF-8, with <c>$1</c>, <c>$2</c>, … for its parameters.</param>
/// <param name="Places">The command's parameter for each of them: an index into the names, or the number after the dollar sign minus one.</param>
internal sealed record ScannedStatement(byte[] Sql, int[] Places);
