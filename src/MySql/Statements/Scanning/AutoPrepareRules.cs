using System.Collections.Frozen;

namespace Slipstream.MySql.Statements;

/// <summary>
/// Decides whether the driver may change a text from the text protocol to the binary protocol: only if no caller can see a difference. So a parameter must be
/// in a place where its type cannot affect the result: compared with a column, assigned to one, or a count in LIMIT. In <c>SELECT ?</c> and <c>? + 1</c>,
/// parameters have other types than literals, so these remain text. The rules do not know the grammar: unknown texts also remain text.
/// </summary>
internal ref struct AutoPrepareRules
{
    private enum Token : byte
    {
        Start,
        Word,
        Name,
        Literal,
        Parameter,
        Comparison,
        Open,
        Close,
        Comma,
        Mark,
        End,
        Refused,
    }

    private enum Clause : byte
    {
        /// <summary>Parameters are not allowed here: lists of results, arguments of functions, ORDER BY.</summary>
        Closed,
        Condition,
        Assignments,

        /// <summary>After VALUES, between its rows.</summary>
        Rows,

        /// <summary>In a row of VALUES, or after IN.</summary>
        List,
        Limit,
    }

    // A longer text is generated and rarely occurs twice.
    private const int LongestText = 16 * 1024;

    private const int Deepest = 32;

    // INTO (below) writes to variables and files. The other words return information about the statement before, which might then be a PREPARE.
    private static readonly FrozenSet<string> Refusing = FrozenSet.Create(StringComparer.OrdinalIgnoreCase,
        "PROCEDURE", "SQL_CALC_FOUND_ROWS", "FOUND_ROWS", "ROW_COUNT", "LAST_INSERT_ID");

    private static readonly FrozenDictionary<string, Clause> Clauses = new Dictionary<string, Clause>
    {
        ["SELECT"] = Clause.Closed,
        ["RETURNING"] = Clause.Closed,
        ["FROM"] = Clause.Closed,
        ["GROUP"] = Clause.Closed,
        ["ORDER"] = Clause.Closed,
        ["WINDOW"] = Clause.Closed,
        ["UNION"] = Clause.Closed,
        ["EXCEPT"] = Clause.Closed,
        ["INTERSECT"] = Clause.Closed,
        ["FOR"] = Clause.Closed,
        ["WHERE"] = Clause.Condition,
        ["HAVING"] = Clause.Condition,
        ["ON"] = Clause.Condition,
        ["SET"] = Clause.Assignments,
        ["UPDATE"] = Clause.Assignments,
        ["VALUES"] = Clause.Rows,
        ["VALUE"] = Clause.Rows,
        ["LIMIT"] = Clause.Limit,
        ["OFFSET"] = Clause.Limit,
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    // An operand begins after these words, and a condition ends before them.
    private static readonly FrozenSet<string> Starters =
        FrozenSet.Create(StringComparer.OrdinalIgnoreCase, "WHERE", "HAVING", "ON", "AND", "OR", "NOT", "SET", "UPDATE");

    private static readonly FrozenSet<string> Enders = FrozenSet.Create(StringComparer.OrdinalIgnoreCase,
        "AND", "OR", "WHERE", "HAVING", "GROUP", "ORDER", "LIMIT", "OFFSET", "FOR", "LOCK", "UNION", "EXCEPT", "INTERSECT", "RETURNING", "WINDOW",
        "ON", "JOIN", "INNER", "LEFT", "RIGHT", "CROSS", "NATURAL", "STRAIGHT_JOIN");

    private readonly string _sql;
    private readonly ReadOnlySpan<ParameterPlace> _places;
    private readonly bool _backslashEscapes;
    private readonly bool _isQuery;
    private int _at;
    private int _from;
    private int _place;
    private List<int>? _counts;

    private AutoPrepareRules(string sql, ScannedSql scanned, QuotingRules rules)
    {
        _sql = sql;
        _places = scanned.Parameters;
        _backslashEscapes = (rules & QuotingRules.NoBackslashEscapes) == 0;
        _isQuery = scanned.Kind is StatementKind.Select or StatementKind.With;
    }

    /// <summary>Returns true if a prepared execution of the text shows no difference to an execution as text.</summary>
    /// <param name="sql">The text.</param>
    /// <param name="scanned">The scanned text.</param>
    /// <param name="rules">The quoting rules.</param>
    /// <param name="counts">The parameters that count rows in LIMIT: <see cref="ScannedSql.Counts"/>.</param>
    public static bool Allow(string sql, ScannedSql scanned, QuotingRules rules, out int[] counts)
    {
        counts = [];
        if (!IsRunnable(sql, scanned))
            return false;
        var run = new AutoPrepareRules(sql, scanned, rules);
        if (!run.Run())
            return false;
        counts = run._counts?.ToArray() ?? [];
        return true;
    }

    private static bool IsRunnable(string sql, ScannedSql scanned) =>
        scanned.Kind is StatementKind.Select or StatementKind.With or StatementKind.Insert or StatementKind.Replace or StatementKind.Update
            or StatementKind.Delete
        && !scanned.HasSeveralStatements && sql.Length <= LongestText && scanned.Parameters.Length <= ushort.MaxValue;

    private bool Run()
    {
        Span<Clause> clauses = stackalloc Clause[Deepest];
        var depth = 0;
        clauses[0] = Clause.Closed;
        var (before, last) = (Token.Start, Token.Start);
        var (beforeStarts, lastStarts) = (false, false);
        var (operandIsName, isBetween, isIn) = (false, false, false);
        var accepts = false;
        var mustEnd = false;
        var isFirst = true;
        while (true)
        {
            var token = Next();
            var word = token == Token.Word ? _sql.AsSpan(_from, _at - _from) : default;
            if (mustEnd && !Ends(token, word, clauses[depth]))
                return false;
            mustEnd = false;
            var starts = false;
            var wasAccepting = accepts;
            accepts = false;
            switch (token)
            {
                case Token.Refused:
                    return false;
                case Token.End:
                    return true;
                case Token.Parameter:
                    if (!wasAccepting
                        && !(clauses[depth] == Clause.List && last is Token.Open or Token.Comma)
                        && !(clauses[depth] == Clause.Limit && last == Token.Comma))
                        return false;
                    if (clauses[depth] == Clause.Limit)
                        (_counts ??= []).Add(_place - 1);
                    mustEnd = true;
                    break;
                case Token.Comparison:
                    accepts = clauses[depth] is Clause.Condition or Clause.Assignments && last == Token.Name && before is not Token.Mark && beforeStarts;
                    break;
                case Token.Open:
                    if (++depth == Deepest)
                        return false;
                    clauses[depth] = isIn && operandIsName || clauses[depth - 1] == Clause.Rows ? Clause.List
                        : clauses[depth - 1] == Clause.Condition && (lastStarts || last == Token.Open) ? Clause.Condition
                        : Clause.Closed;
                    starts = clauses[depth] == Clause.Condition;
                    isBetween = isIn = false;
                    break;
                case Token.Close:
                    if (--depth < 0)
                        return false;
                    isBetween = isIn = false;
                    break;
                case Token.Comma:
                    starts = clauses[depth] == Clause.Assignments;
                    break;
                case Token.Word:
                    if (Has(Refusing, word) || (_isQuery && Is(word, "INTO")))
                        return false;
                    isIn = false;
                    if (Is(word, "NOT") && last == Token.Name)
                    {
                        operandIsName = beforeStarts;
                        // "a NOT IN (…)": the operand before NOT is remembered, and NOT itself begins nothing.
                        (before, last) = (last, Token.Mark);
                        (beforeStarts, lastStarts) = (lastStarts, false);
                        continue;
                    }

                    if (Is(word, "LIKE") || Is(word, "BETWEEN") || Is(word, "IN"))
                    {
                        operandIsName = last == Token.Mark ? operandIsName : last == Token.Name && beforeStarts;
                        isIn = Is(word, "IN");
                        isBetween = Is(word, "BETWEEN");
                        accepts = !isIn && operandIsName && clauses[depth] == Clause.Condition;
                        break;
                    }

                    if (isBetween && Is(word, "AND"))
                    {
                        isBetween = false;
                        accepts = operandIsName && last == Token.Parameter;
                        break;
                    }

                    isBetween = false;
                    if (Clauses.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(word, out var clause)
                        // "ON DUPLICATE KEY UPDATE a = VALUES(a)" and "FOR UPDATE" do not begin these clauses.
                        && !(clause == Clause.Rows && clauses[depth] == Clause.Assignments) && !(Is(word, "UPDATE") && _isQuery))
                    {
                        clauses[depth] = clause;
                        accepts = clause == Clause.Limit;
                    }

                    starts = Has(Starters, word);
                    // A name without quotes, unless the word is a keyword here.
                    if (!starts && clause == Clause.Closed && !Has(Enders, word) && !Clauses.GetAlternateLookup<ReadOnlySpan<char>>().ContainsKey(word))
                        token = Token.Name;
                    if (isFirst && Is(word, "UPDATE"))
                        clauses[0] = Clause.Closed;
                    break;
            }

            isFirst = false;
            (before, last) = (last, token);
            (beforeStarts, lastStarts) = (lastStarts, starts);
        }
    }

    // The tokens that may follow a parameter, so that the parameter is an operand of its own.
    private static bool Ends(Token token, ReadOnlySpan<char> word, Clause clause) => token switch
    {
        Token.End or Token.Close => true,
        Token.Comma => clause is Clause.List or Clause.Assignments or Clause.Limit,
        Token.Word => clause is not Clause.List && Has(Enders, word),
        _ => false,
    };

    private static bool Has(FrozenSet<string> words, ReadOnlySpan<char> word) => words.GetAlternateLookup<ReadOnlySpan<char>>().Contains(word);

    private static bool Is(ReadOnlySpan<char> word, string what) => word.Equals(what, StringComparison.OrdinalIgnoreCase);

    private Token Next()
    {
        while (_at < _sql.Length)
        {
            var c = _sql[_at];
            if (c <= ' ')
            {
                _at++;
                continue;
            }

            _from = _at;
            if (_place < _places.Length && _places[_place].At == _at)
            {
                if (_places[_place].IsInComment)
                    return Token.Refused;
                _at += _places[_place++].Length;
                return Token.Parameter;
            }

            var next = _at + 1 < _sql.Length ? _sql[_at + 1] : '\0';
            switch (c)
            {
                case '\'':
                    return Quoted(c, Token.Literal);
                case '"':
                    return Quoted(c, Token.Literal);
                case '`':
                    return Quoted(c, Token.Name);
                case '#' or '-' when c == '#' || next == '-':
                    var end = _sql.IndexOf('\n', _at);
                    // "5--3" is a comment on some servers only: not understood.
                    if (c == '-' && _at + 2 < _sql.Length && _sql[_at + 2] > ' ')
                        return Token.Refused;
                    _at = end < 0 ? _sql.Length : end + 1;
                    continue;
                case '/' when next == '*':
                    // Code for some servers, "/*! … */" and "/*M! … */", is refused.
                    var close = _sql.IndexOf("*/", _at + 2, StringComparison.Ordinal);
                    if (close < 0 || _sql.AsSpan(_at + 2).StartsWith("!") || _sql.AsSpan(_at + 2).StartsWith("M!"))
                        return Token.Refused;
                    _at = close + 2;
                    continue;
                case '(':
                    _at++;
                    return Token.Open;
                case ')':
                    _at++;
                    return Token.Close;
                case ',':
                    _at++;
                    return Token.Comma;
                case '=' or '<' or '>' or '!':
                    while (_at < _sql.Length && _sql[_at] is '=' or '<' or '>' or '!')
                        _at++;
                    return _sql.AsSpan(_from, _at - _from) is "=" or "<" or ">" or "<=" or ">=" or "<>" or "!=" or "<=>" ? Token.Comparison : Token.Mark;
                // Variables and assignments to them.
                case '@' or ':':
                    return Token.Refused;
                case ';':
                    // Only white space follows: there is only one statement.
                    _at++;
                    continue;
            }

            if (!SqlScanner.IsNameCharacter(c))
            {
                _at++;
                return Token.Mark;
            }

            return NameOrWord();
        }

        return Token.End;
    }

    private Token NameOrWord()
    {
        var isDigit = char.IsAsciiDigit(_sql[_at]);
        while (_at < _sql.Length && SqlScanner.IsNameCharacter(_sql[_at]))
            _at++;
        var word = _sql.AsSpan(_from, _at - _from);
        // schema.`table`
        if (word[^1] == '.' && _at < _sql.Length && _sql[_at] == '`')
            return Quoted('`', Token.Name);
        return word.Contains('.') && !isDigit ? Token.Name : isDigit ? Token.Literal : Token.Word;
    }

    private Token Quoted(char quote, Token token)
    {
        for (_at++; _at < _sql.Length; _at++)
        {
            if (_sql[_at] == '\\' && quote == '"')
                return Token.Refused;
            if (_sql[_at] == '\\' && quote == '\'' && _backslashEscapes)
                _at++;
            else if (_sql[_at] == quote)
            {
                if (_at + 1 < _sql.Length && _sql[_at + 1] == quote)
                {
                    _at++;
                    continue;
                }

                _at++;
                // `schema`.`table`, `table`.column
                if (token == Token.Name && _at < _sql.Length && _sql[_at] == '.')
                {
                    _at++;
                    return _at < _sql.Length && _sql[_at] == '`' ? Quoted('`', token)
                        : _at < _sql.Length && SqlScanner.IsNameCharacter(_sql[_at]) ? Rest()
                        : Token.Refused;
                }

                return token;
            }
        }

        return Token.Refused;
    }

    private Token Rest()
    {
        NameOrWord();
        return Token.Name;
    }
}
