namespace Slipstream.Core.Statements;

/// <summary>
/// Finds the operations of a text and their targets in one pass. It knows only the grammar it needs: where a statement begins, and after which words tables are
/// named. It stops where the end of a string depends on settings of the server (a backslash before its quote), because no part of a string may be taken for a
/// name.
/// </summary>
internal ref struct SummaryScanner
{
    /// <summary>Maximum nesting of parentheses that is followed.</summary>
    public const int Deepest = 32;

    // Usually only the rows of a long INSERT follow after this length.
    private const int LongestText = 8192;

    private const StringComparison AnyCase = StringComparison.OrdinalIgnoreCase;

    private readonly string _sql;
    private readonly Span<char> _summary;
    private readonly Span<Level> _levels;
    private readonly bool _isCut;
    private SummaryLexer _lexer;
    private int _length;
    private int _depth;
    private int _statements;
    private string? _operation;
    private string? _firstOperation;
    private bool _hasBegun;
    private bool _isWith;
    private bool _isMerge;
    private bool _explains;
    private bool _skips;
    private bool _skipsAfterTarget;
    private bool _stopsAfterTarget;
    private bool _mayHoldPassword;
    private bool _wasDistinct;
    private bool _isAfterParenthesis;

    public SummaryScanner(string sql, SqlDialect dialect, Span<char> summary, Span<Level> levels)
    {
        _sql = sql;
        _isCut = sql.Length > LongestText;
        _lexer = new(_isCut ? sql.AsSpan(0, LongestText) : sql, dialect);
        _summary = summary;
        _levels = levels;
    }

    /// <summary>What the scanner expects between two parentheses.</summary>
    public struct Level
    {
        /// <summary>A statement may begin here.</summary>
        public bool Starts;

        /// <summary>The next FROM belongs to the statement, not to EXTRACT(… FROM …).</summary>
        public bool WantsFrom;

        /// <summary>Commas and JOINs separate tables.</summary>
        public bool IsInTables;

        /// <summary>The next name is a target.</summary>
        public bool WantsTarget;
    }

    private ref Level Here => ref _levels[_depth];

    public QuerySummary Run()
    {
        _levels[0] = new() { Starts = true };
        while (_lexer.Next())
        {
            CountStatement();
            switch (_lexer.Token)
            {
                case SqlToken.Word when !_skips:
                    Word(_lexer.Text);
                    break;
                case SqlToken.Name when !_skips:
                    Name();
                    break;
                case SqlToken.Open:
                    if (!Open())
                        return Take();
                    continue;
                case SqlToken.Close:
                    Close();
                    continue;
                case SqlToken.Comma:
                    Here.WantsTarget = Here.IsInTables;
                    break;
                case SqlToken.Semicolon:
                    EndStatement();
                    break;
                default:
                    Here.WantsTarget = Here.Starts = false;
                    break;
            }

            _isAfterParenthesis = false;
        }

        return Take();
    }

    private readonly QuerySummary Take()
    {
        // If the text was not fully understood, the word alone decides.
        var mayHold = (_mayHoldPassword || _length == 0 || _isCut || _lexer.HasStopped) && SummaryWords.NamesPassword(_sql);
        if (_length == 0)
            return mayHold ? new(null, "") { MayHoldPassword = true } : QuerySummary.None;
        return new(_statements > 1 ? null : _operation ?? _firstOperation, new string(_summary[.._length])) { MayHoldPassword = mayHold };
    }

    // ---------------------------------------------------------------- parentheses and statements

    private bool Open()
    {
        if (_depth + 1 == Deepest)
            return false;
        var isTables = Here.WantsTarget;
        Here.WantsTarget = false;
        _levels[++_depth] = new() { Starts = true, IsInTables = isTables, WantsTarget = isTables };
        return true;
    }

    private void Close()
    {
        if (_depth > 0)
            _depth--;
        Here.Starts = Here.WantsTarget = false;
        _isAfterParenthesis = true;
    }

    private void CountStatement()
    {
        if (_hasBegun || _lexer.Token == SqlToken.Semicolon)
            return;
        _hasBegun = true;
        _statements++;
    }

    private void EndStatement()
    {
        _depth = 0;
        _hasBegun = false;
        _levels[0] = new() { Starts = true };
        _isWith = _isMerge = _explains = _skips = _skipsAfterTarget = _wasDistinct = false;
    }

    // ---------------------------------------------------------------- words

    private void Word(ReadOnlySpan<char> word)
    {
        var wasDistinct = _wasDistinct;
        _wasDistinct = Is(word, "DISTINCT");
        // After the list of WITH, and after EXPLAIN, a statement begins inside another one.
        var starts = Here.Starts || _explains || (_isWith && _isAfterParenthesis && _depth == 0);
        Here.Starts = false;
        if (Is(word, "SELECT") || (starts && IsOperation(word)))
            Operation(word);
        else if (Is(word, "FROM"))
            From(wasDistinct);
        else if ((Is(word, "JOIN") || Is(word, "STRAIGHT_JOIN")) && Here.IsInTables)
            Here.WantsTarget = true;
        else if (Is(word, "USING") && _isMerge && _depth == 0)
            Here.WantsTarget = true;
        else if (SummaryWords.EndsTables(word))
            Here.IsInTables = Here.WantsTarget = false;
        else if (Here.WantsTarget && !SummaryWords.StandsBeforeTarget(word))
            Name();
    }

    private bool IsOperation(ReadOnlySpan<char> word)
    {
        if (_depth == 0)
            return SummaryWords.BeginsStatement(word);
        // In parentheses, only statements that can be a common table expression: REPLACE(…) and INSERT(…) are functions there.
        return Is(word, "UPDATE") || Is(word, "DELETE") || Is(word, "MERGE") || (Is(word, "INSERT") && _lexer.IsNext("INTO"));
    }

    private void From(bool wasDistinct)
    {
        // a IS DISTINCT FROM b
        if (!Here.WantsFrom || wasDistinct)
            return;
        Here.WantsFrom = false;
        Here.IsInTables = Here.WantsTarget = true;
    }

    private void Operation(ReadOnlySpan<char> word)
    {
        Here = default;
        if (Is(word, "WITH"))
        {
            _isWith = true;
            return;
        }

        var name = word;
        if (SummaryWords.DefinesObject(word))
            name = Definition(word);
        else
            Expect(word);
        if (!Append(name))
            return;
        var operation = name.ToString();
        _firstOperation ??= operation;
        if (_depth == 0)
            _operation ??= operation;
        _explains = Explains(word);
    }

    // Sets what follows an operation of one word.
    private void Expect(ReadOnlySpan<char> word)
    {
        ref var here = ref Here;
        if (Is(word, "SELECT") || Is(word, "DELETE"))
            here.WantsFrom = true;
        else if (Is(word, "INSERT") || Is(word, "REPLACE") || Is(word, "TABLE"))
            here.WantsTarget = true;
        else if (Is(word, "UPDATE"))
            here.WantsTarget = here.IsInTables = here.WantsFrom = true;
        else if (Is(word, "MERGE"))
            here.WantsTarget = _isMerge = true;
        else if (Is(word, "TRUNCATE"))
            here.WantsTarget = here.IsInTables = true;
        else if (Is(word, "CALL") || Is(word, "COPY") || Is(word, "USE"))
            here.WantsTarget = _skipsAfterTarget = true;
        else
        {
            _skips = !Explains(word);
            _mayHoldPassword |= _skips;
        }
    }

    private static bool Explains(ReadOnlySpan<char> word) => Is(word, "EXPLAIN") || Is(word, "DESCRIBE") || Is(word, "DESC") || Is(word, "ANALYZE");

    // CREATE OR REPLACE TEMPORARY TABLE is CREATE TABLE. Nothing is read after a part that may contain a secret or statements of its own.
    private ReadOnlySpan<char> Definition(ReadOnlySpan<char> word)
    {
        var before = _lexer;
        for (var i = 0; i < 16 && _lexer.Next() && _lexer.Token is not SqlToken.Semicolon; i++)
        {
            if (_lexer.Token != SqlToken.Word || SummaryWords.ObjectOf(_lexer.Text) is not { } kind)
                continue;
            _mayHoldPassword |= kind == ObjectKind.Account;
            Here.WantsTarget = kind != ObjectKind.Account;
            Here.IsInTables = kind == ObjectKind.Table && Is(word, "DROP");
            _skips = kind == ObjectKind.Account;
            _skipsAfterTarget = kind is ObjectKind.Other or ObjectKind.Routine;
            _stopsAfterTarget = kind == ObjectKind.Routine;
            return $"{word} {_lexer.Text}";
        }

        _lexer = before;
        _skips = _mayHoldPassword = true;
        return word;
    }

    private void Name()
    {
        Here.Starts = false;
        if (!Here.WantsTarget)
            return;
        Here.WantsTarget = false;
        // A name that ends at the cut may continue after it.
        if (!_isCut || !_lexer.IsAtEnd)
            Append(_lexer.Text);
        _skips = _skipsAfterTarget;
        if (_stopsAfterTarget)
            _lexer.Stop();
    }

    // ---------------------------------------------------------------- the summary

    private bool Append(ReadOnlySpan<char> part)
    {
        var blank = _length > 0 ? 1 : 0;
        if (_length + blank + part.Length > _summary.Length || part.ContainsAnyInRange('\0', '\x1F'))
        {
            _lexer.Stop();
            return false;
        }

        if (blank > 0)
            _summary[_length++] = ' ';
        part.CopyTo(_summary[_length..]);
        _length += part.Length;
        return true;
    }

    private static bool Is(ReadOnlySpan<char> word, string upper) => word.Equals(upper, AnyCase);
}
