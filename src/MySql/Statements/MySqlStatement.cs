using Slipstream.Core.Statements;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Statements;

/// <summary>One SQL text as a data source knows it, scanned under the quoting rules that sessions have: nearly always one set of rules.</summary>
internal sealed class MySqlStatement(string sql) : Statement(sql)
{
    private Scanned? _scanned;
    private SessionEffects _traces;
    private BatchForm? _form;

    /// <summary>See <see cref="ScannedSql.KeepsPrepared"/>; of the last scan.</summary>
    public bool KeepsPrepared => _scanned is { Sql.KeepsPrepared: true };

    /// <summary>True when it may change procedures, among other things; of the last scan.</summary>
    public bool IsDefinition => _scanned is { Sql.Kind: StatementKind.Definition };

    /// <summary>The columns of its last result in the text protocol: compared as bytes, parsed only when different.</summary>
    public ResultMetadata? TextMetadata { get; set; }

    /// <summary>True when the text is understood so far that whatever it changes in the session, the server's tracker tells.</summary>
    public bool IsStateless(bool isMariaDb) => _traces.LeavesNone(Sql, isMariaDb);

    /// <summary>
    /// True when a text that leaves no trace replaces the warnings of the statement before it. MariaDB keeps them behind a statement that uses no table.
    /// </summary>
    public bool ReplacesWarnings(bool isMariaDb) => !isMariaDb || _traces.UsesTable(Sql);

    /// <summary>True when it may be an INSERT that answers with rows, whose end does not tell of the key it has made (MariaDB's RETURNING).</summary>
    public bool MayReturnKey { get; } = sql.Contains("RETURNING", StringComparison.OrdinalIgnoreCase);

    /// <summary>True when the text may set a role, which a reset does not undo (seen on MySQL 9.7 and MariaDB 10.11).</summary>
    public bool MaySetRole => _traces.MaySetRole(Sql);

    /// <summary>True when the text may run a procedure, a function or a prepared statement that sets one.</summary>
    public bool MayRunStored => _traces.MayRunStored(Sql);

    /// <summary>True when the text may change what the server tells of its session: from then on nothing is known that it has not told.</summary>
    public bool MayHideChanges => !KeepsPrepared && _traces.MayHideChanges(Sql);

    /// <summary>
    /// True when the text may leave what START TRANSACTION ends, and no flag of the server's tells of: table locks, a SET TRANSACTION for the next one, a
    /// transaction that is begun where no text shows it. Of the last scan.
    /// </summary>
    public bool MayHold(bool isMariaDb) => _scanned is not { Sql.HasSeveralStatements: false } || _traces.MayHold(Sql, _scanned.Sql.Kind, isMariaDb);

    /// <summary>True when the text may set the client's character set, which the server tells; where it does not, the set may be any.</summary>
    public bool MaySetCharacterSet => !KeepsPrepared && !IsSingleDefinition && _traces.MaySetCharacterSet(Sql);

    /// <summary>True when the text changes settings under which statements are prepared.</summary>
    public bool ChangesSettings => !KeepsPrepared && !IsSingleDefinition && _traces.ChangesSettings(Sql);

    // CREATE TABLE … CHARACTER SET is none of the client.
    private bool IsSingleDefinition => _scanned is { Sql: { Kind: StatementKind.Definition, HasSeveralStatements: false } };

    /// <summary>True when it is never prepared unless somebody asks: what it is, or what was seen of its results, would look otherwise.</summary>
    public bool StaysText { get; set; }

    /// <summary>
    /// True when a statement that a command has prepared by hand may be executed for others with the same text, too: an execution as text has shown that its
    /// results look the same.
    /// </summary>
    public bool AnswersAlike => !StaysText && (Uses > 0 || IsHinted);

    /// <summary>True when a server did not execute it with many rows of values at once (MariaDB's COM_STMT_BULK_EXECUTE).</summary>
    public bool RefusesBulk { get; set; }

    /// <summary>True when its last result was large: the server saves much by not writing it as text.</summary>
    public bool WasLarge { get; set; }

    /// <summary>True when the data source was told that it will be executed often.</summary>
    public bool IsHinted { get; set; }

    /// <summary>The types of its parameters as a server has settled them; null while nobody has prepared it, or where a server leaves them open.</summary>
    public SettledTypes? Settled { get; set; }

    /// <summary>Whether it is worth preparing at its next use, however few there were.</summary>
    public bool PaysEarly => IsHinted || (Uses > 0 && (WasLarge || TextMetadata is { IsDearAsText: true }));

    /// <summary>Takes note of a result in the text protocol.</summary>
    /// <param name="warnings">What is warned of at PREPARE is not warned of at the execution.</param>
    /// <param name="isLarge">More than 64 KiB came.</param>
    public void TakeTextResult(int warnings, bool isLarge)
    {
        CountUse();
        if (WasLarge != isLarge)
            WasLarge = isLarge;
        if (!StaysText && (warnings > 0 || TextMetadata is { DiffersAsText: true }))
            StaysText = true;
    }

    /// <summary>What scanning under <paramref name="rules"/> finds.</summary>
    public ScannedSql Scan(QuotingRules rules)
    {
        var scanned = _scanned;
        if (scanned is null || scanned.Rules != rules)
            _scanned = scanned = new(rules, SqlScanner.Scan(Sql, rules));
        return scanned.Sql;
    }

    /// <summary>What a batch may do with it under <paramref name="rules"/>.</summary>
    public BatchForm FormFor(QuotingRules rules)
    {
        var form = _form;
        if (form is null || form.Rules != rules)
            _form = form = BatchForm.Of(Sql, Scan(rules), rules);
        return form;
    }

    private sealed record Scanned(QuotingRules Rules, ScannedSql Sql);
}
