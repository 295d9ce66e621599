using System.Text;
using Slipstream.Core.Statements;

namespace Slipstream.MySql.Statements;

/// <summary>
/// The result of one pass over an SQL text: its parameters, its kind, and its UTF-8 form cut at the parameters, so that values can be inserted by
/// concatenation. Immutable; all sessions with the same quoting rules share it.
/// </summary>
internal sealed class ScannedSql
{
    private static readonly string[] ReadingWords = ["SQL_MODE", "NAMES", "CHARACTER", "CHARSET", "CALL", "EXECUTE"];

    private readonly string _sql;
    private readonly byte[] _text;
    private readonly int[] _ends;
    private readonly QuotingRules _rules;
    private byte[]? _prepared;
    private byte _mayPrepare;
    private byte _mayChangeReading;
    private int[] _counts = [];
    private QuerySummary? _summary;

    internal ScannedSql(string sql, ParameterPlace[] parameters, StatementKind kind, bool hasSeveralStatements, QuotingRules rules = QuotingRules.None)
    {
        _sql = sql;
        _rules = rules;
        Parameters = parameters;
        Kind = kind;
        HasSeveralStatements = hasSeveralStatements;
        foreach (var place in parameters)
            MayUseVariables |= place.MayBeVariable;
        (_text, _ends) = Encode(sql, parameters);
    }

    /// <summary>Gets the parameters from left to right. A name that is used twice occurs twice.</summary>
    public ParameterPlace[] Parameters { get; }

    /// <summary>Gets the kind of the first statement.</summary>
    public StatementKind Kind { get; }

    /// <summary>
    /// Gets whether something other than white space and comments follows a semicolon. The body of a stored program counts too, because only the server's
    /// grammar can find its end.
    /// </summary>
    public bool HasSeveralStatements { get; }

    /// <summary>Gets whether one of the parameters may be a user variable (<c>@name</c>).</summary>
    public bool MayUseVariables { get; }

    /// <summary>Gets whether the prepared form has no visible difference to the text: see <see cref="AutoPrepareRules"/>. Computed at the first use.</summary>
    public bool MayPrepareItself
    {
        get
        {
            // Two threads may compute this at the same time. Both get the same result, and neither publishes it before it is complete.
            if (Volatile.Read(ref _mayPrepare) == 0)
            {
                var may = AutoPrepareRules.Allow(_sql, this, _rules, out var counts);
                _counts = counts;
                Volatile.Write(ref _mayPrepare, may ? (byte)1 : (byte)2);
            }

            return _mayPrepare == 1;
        }
    }

    /// <summary>
    /// Gets the parameters that count rows in LIMIT and OFFSET, if the text may prepare itself. Servers refuse a text that has anything but a whole number
    /// there. In a prepared statement, they accept NULL as zero rows, and MariaDB a negative number as all rows.
    /// </summary>
    public ReadOnlySpan<int> Counts => _counts;

    /// <summary>Gets a summary of the text without its literals. Computed at the first use.</summary>
    public QuerySummary Summary => _summary ??= QuerySummary.Of(_sql, SqlDialect.BacktickNames | SqlDialect.HashComments | SqlDialect.BlankAfterDashes
        | ((_rules & QuotingRules.AnsiQuotes) != 0 ? SqlDialect.DoubleQuotedNames : SqlDialect.None));

    /// <summary>
    /// Gets whether an execution keeps the default database, sql_mode and the collation, so that statements prepared under them remain valid.
    /// </summary>
    public bool KeepsPrepared => !HasSeveralStatements && Kind is StatementKind.Select or StatementKind.With or StatementKind.Insert or StatementKind.Replace
        or StatementKind.Update or StatementKind.Delete or StatementKind.Show or StatementKind.Transaction;

    /// <summary>
    /// Gets whether an execution may change how the server reads the literals after it: sql_mode, or the client's character set. Procedures may set the latter
    /// for their caller. The check looks for words anywhere in the text, so it may be true without need, but never false in error. Computed at the first use.
    /// </summary>
    public bool MayChangeReading
    {
        get
        {
            if (_mayChangeReading == 0)
                _mayChangeReading = !KeepsPrepared && ReadingWords.Any(word => _sql.Contains(word, StringComparison.OrdinalIgnoreCase)) ? (byte)1 : (byte)2;
            return _mayChangeReading == 1;
        }
    }

    /// <summary>Gets whether a string of the text ends at another place under sql_mode NO_BACKSLASH_ESCAPES.</summary>
    public bool DependsOnMode => TextReading.DependsOnMode(_sql);

    /// <summary>Gets whether the text has another meaning for a server that reads it as GBK or a similar character set.</summary>
    public bool DependsOnCharacters => TextReading.DependsOnCharacters(_sql);

    /// <summary>Gets whether one of its statements may move the ends of the strings after it.</summary>
    public bool ChangesOwnPlaces => HasSeveralStatements && MayChangeReading && TextReading.ChangesOwnPlaces(_sql);

    /// <summary>
    /// Returns the UTF-8 text before parameter <paramref name="index"/>. If the index is the number of parameters, returns the text after the last one.
    /// </summary>
    public ReadOnlySpan<byte> Piece(int index)
    {
        var from = index == 0 ? 0 : _ends[index - 1];
        return _text.AsSpan(from, _ends[index] - from);
    }

    /// <summary>Gets the UTF-8 text to prepare, with <c>?</c> for each parameter. Without parameters it is also the text of a query.</summary>
    public byte[] Prepared => _prepared ??= Parameters.Length == 0 ? _text : BuildPrepared();

    /// <summary>Returns the same text with only some of the parameters. The others are user variables and remain as written.</summary>
    /// <param name="isParameter">Called for each place that may be a variable.</param>
    public ScannedSql Without(Func<string, bool> isParameter)
    {
        var kept = Array.FindAll(Parameters, place => !place.MayBeVariable || isParameter(place.Name!));
        return kept.Length == Parameters.Length ? this : new(_sql, kept, Kind, HasSeveralStatements, _rules);
    }

    private static (byte[] Text, int[] Ends) Encode(string sql, ParameterPlace[] parameters)
    {
        var ends = new int[parameters.Length + 1];
        if (parameters.Length == 0)
        {
            var whole = Encoding.UTF8.GetBytes(sql);
            ends[0] = whole.Length;
            return (whole, ends);
        }

        var target = new byte[Encoding.UTF8.GetMaxByteCount(sql.Length) + 3 * parameters.Length];
        var written = 0;
        var from = 0;
        for (var i = 0; i <= parameters.Length; i++)
        {
            var to = i == parameters.Length ? sql.Length : parameters[i].At;

            // "SELECT@a" and "@a'alias'" are legal: the value of the parameter must not merge with its neighbours. After a minus sign, a negative number would
            // begin a comment, or end a text that is not a comment: "--@a" is minus minus a.
            if (i > 0 && IsAfterMinus(sql, parameters[i - 1]))
                target[written++] = (byte)')';
            if (i > 0 && from < to && WouldMerge(sql[from]))
                target[written++] = (byte)' ';
            written += Encoding.UTF8.GetBytes(sql.AsSpan(from, to - from), target.AsSpan(written));
            if (i < parameters.Length && IsAfterMinus(sql, parameters[i]))
                target[written++] = (byte)'(';
            else if (i < parameters.Length && from < to && WouldMerge(sql[to - 1]))
                target[written++] = (byte)' ';
            ends[i] = written;
            if (i < parameters.Length)
                from = to + parameters[i].Length;
        }

        return (target.AsSpan(0, written).ToArray(), ends);
    }

    private static bool IsAfterMinus(string sql, ParameterPlace place) => place.At > 0 && sql[place.At - 1] == '-';

    private static bool WouldMerge(char neighbour) => neighbour is '\'' or '"' || SqlScanner.IsNameCharacter(neighbour);

    private byte[] BuildPrepared()
    {
        var target = new byte[_text.Length + Parameters.Length];
        var at = 0;
        for (var i = 0; i < _ends.Length; i++)
        {
            var piece = Piece(i);
            piece.CopyTo(target.AsSpan(at));
            at += piece.Length;
            if (i < Parameters.Length)
                target[at++] = (byte)'?';
        }

        return target;
    }
}

/// <summary>One parameter in an SQL text.</summary>
/// <param name="At">The offset of its first character, the marker.</param>
/// <param name="Length">The number of characters, including the marker.</param>
/// <param name="Name">The name without marker and quotes; null for a plain <c>?</c>.</param>
/// <param name="MayBeVariable">True for <c>@name</c> if user variables are allowed: it is a variable unless a parameter has the name.</param>
/// <param name="IsInComment">True inside <c>/*! … */</c>. A server may skip it as a comment and ignore strings in it: a value there must not contain comment
/// marks.</param>
internal readonly record struct ParameterPlace(int At, int Length, string? Name, bool MayBeVariable, bool IsInComment);

/// <summary>The kind of a statement, determined by its first word.</summary>
internal enum StatementKind : byte
{
    /// <summary>Only white space and comments.</summary>
    Empty,

    /// <summary>SELECT, VALUES, TABLE.</summary>
    Select,
    /// <summary>INSERT.</summary>
    Insert,
    /// <summary>REPLACE.</summary>
    Replace,
    /// <summary>UPDATE.</summary>
    Update,
    /// <summary>DELETE.</summary>
    Delete,

    /// <summary>WITH: a SELECT, UPDATE or DELETE with common table expressions.</summary>
    With,
    /// <summary>CALL.</summary>
    Call,
    /// <summary>SET.</summary>
    Set,
    /// <summary>USE.</summary>
    Use,

    /// <summary>SHOW, DESCRIBE, DESC, EXPLAIN, HELP.</summary>
    Show,

    /// <summary>BEGIN, START, COMMIT, ROLLBACK, SAVEPOINT, RELEASE, XA.</summary>
    Transaction,

    /// <summary>PREPARE, EXECUTE, DEALLOCATE.</summary>
    Prepare,

    /// <summary>CREATE, ALTER, DROP, TRUNCATE, RENAME and other statements that change the schema or the server.</summary>
    Definition,

    /// <summary>LOAD.</summary>
    Load,

    /// <summary>DO.</summary>
    Do,

    /// <summary>LOCK, UNLOCK, FLUSH.</summary>
    Lock,

    /// <summary>DELIMITER: a command of the mysql client that servers do not support.</summary>
    Delimiter,
    /// <summary>Any other statement.</summary>
    Other,
}
