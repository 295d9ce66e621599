using System.Text;
using Slipstream.Core.Statements;

namespace Slipstream.MySql.Statements;

/// <summary>
/// What one pass over an SQL text found: where its parameters are, what it is, and its UTF-8 form cut at the parameters, so that
/// filling in values is concatenation. Immutable; shared by all sessions whose quoting rules are the same.
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

    /// <summary>The parameters from left to right; a name used twice stands here twice.</summary>
    public ParameterPlace[] Parameters { get; }

    /// <summary>What the first statement is.</summary>
    public StatementKind Kind { get; }

    /// <summary>
    /// True when something other than blanks and comments follows a semicolon. The body of a stored program counts, too: where it ends
    /// only the server's grammar knows.
    /// </summary>
    public bool HasSeveralStatements { get; }

    /// <summary>True when one of the parameters may be a user variable (<c>@name</c>).</summary>
    public bool MayUseVariables { get; }

    /// <summary>
    /// True when nobody sees a difference between the text and its prepared form: see <see cref="AutoPrepareRules"/>. Found out when first asked for.
    /// </summary>
    public bool MayPrepareItself
    {
        get
        {
            // Two threads may find out at the same time: both find the same, and neither shows it before it is complete.
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
    /// Which parameters of a text that may prepare itself count rows, behind LIMIT and OFFSET. A text with anything but a whole number there is refused;
    /// prepared, the servers take NULL for none, and MariaDB a negative number for all.
    /// </summary>
    public ReadOnlySpan<int> Counts => _counts;

    /// <summary>What the text does, without its literals. Found out when first asked for.</summary>
    public QuerySummary Summary => _summary ??= QuerySummary.Of(_sql, SqlDialect.BacktickNames | SqlDialect.HashComments | SqlDialect.BlankAfterDashes
        | ((_rules & QuotingRules.AnsiQuotes) != 0 ? SqlDialect.DoubleQuotedNames : SqlDialect.None));

    /// <summary>True when an execution leaves the default database, sql_mode and the collation as they are: what is prepared under them stays valid.</summary>
    public bool KeepsPrepared => !HasSeveralStatements && Kind is StatementKind.Select or StatementKind.With or StatementKind.Insert or StatementKind.Replace
        or StatementKind.Update or StatementKind.Delete or StatementKind.Show or StatementKind.Transaction;

    /// <summary>
    /// True when an execution may change how the server reads the literals behind it: sql_mode, or the client's character set.
    /// Procedures may set the latter for their caller. By words that stand anywhere in the text: too often true, never too rarely.
    /// Found out when first asked for.
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

    /// <summary>True when a string of the text ends elsewhere under sql_mode NO_BACKSLASH_ESCAPES.</summary>
    public bool DependsOnMode => TextReading.DependsOnMode(_sql);

    /// <summary>True when the text is another one to a server that takes it for GBK or the like.</summary>
    public bool DependsOnCharacters => TextReading.DependsOnCharacters(_sql);

    /// <summary>True when one of its statements may move the ends of the strings behind it.</summary>
    public bool ChangesOwnPlaces => HasSeveralStatements && MayChangeReading && TextReading.ChangesOwnPlaces(_sql);

    /// <summary>The UTF-8 text in front of parameter <paramref name="index"/>; with the number of parameters as the index, the rest behind the last.</summary>
    public ReadOnlySpan<byte> Piece(int index)
    {
        var from = index == 0 ? 0 : _ends[index - 1];
        return _text.AsSpan(from, _ends[index] - from);
    }

    /// <summary>The UTF-8 text to prepare, with <c>?</c> for each parameter. Without parameters it is also the text to query.</summary>
    public byte[] Prepared => _prepared ??= Parameters.Length == 0 ? _text : BuildPrepared();

    /// <summary>The same text with only some of the parameters: the others are user variables and stay as they are written.</summary>
    /// <param name="isParameter">Asked for each place that may be a variable.</param>
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

            // "SELECT@a" and "@a'alias'" are legal; a value in the place of the parameter must not melt into its neighbours.
            // Behind a minus a negative number would be the beginning of a comment, or end one that is none: "--@a" is minus minus a.
            if (i > 0 && IsBehindMinus(sql, parameters[i - 1]))
                target[written++] = (byte)')';
            if (i > 0 && from < to && WouldMelt(sql[from]))
                target[written++] = (byte)' ';
            written += Encoding.UTF8.GetBytes(sql.AsSpan(from, to - from), target.AsSpan(written));
            if (i < parameters.Length && IsBehindMinus(sql, parameters[i]))
                target[written++] = (byte)'(';
            else if (i < parameters.Length && from < to && WouldMelt(sql[to - 1]))
                target[written++] = (byte)' ';
            ends[i] = written;
            if (i < parameters.Length)
                from = to + parameters[i].Length;
        }

        return (target.AsSpan(0, written).ToArray(), ends);
    }

    private static bool IsBehindMinus(string sql, ParameterPlace place) => place.At > 0 && sql[place.At - 1] == '-';

    private static bool WouldMelt(char neighbour) => neighbour is '\'' or '"' || SqlScanner.IsNameCharacter(neighbour);

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
/// <param name="At">Offset of its first character, the marker.</param>
/// <param name="Length">Characters, marker included.</param>
/// <param name="Name">Its name without marker and quotes; null for a plain <c>?</c>.</param>
/// <param name="MayBeVariable">True for <c>@name</c> where user variables are allowed: a variable unless there is a parameter of the name.</param>
/// <param name="IsInComment">True inside <c>/*! … */</c>, which a server may skip as a comment without looking at strings:
/// a value there must hold no comment mark.</param>
internal readonly record struct ParameterPlace(int At, int Length, string? Name, bool MayBeVariable, bool IsInComment);

/// <summary>What a statement is, by its first word.</summary>
internal enum StatementKind : byte
{
    /// <summary>Nothing but blanks and comments.</summary>
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

    /// <summary>WITH: a SELECT, or an UPDATE or DELETE, with common table expressions.</summary>
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

    /// <summary>CREATE, ALTER, DROP, TRUNCATE, RENAME and what else changes the schema or the server.</summary>
    Definition,

    /// <summary>LOAD.</summary>
    Load,

    /// <summary>DO.</summary>
    Do,

    /// <summary>LOCK, UNLOCK, FLUSH.</summary>
    Lock,

    /// <summary>DELIMITER: a command of the mysql client, which no server knows.</summary>
    Delimiter,
    /// <summary>Whatever else.</summary>
    Other,
}
