using Slipstream.Core.Statements;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Statements;

/// <summary>One SQL text of a data source. It is scanned under the quoting rules of the sessions, which nearly always are the same.</summary>
internal sealed class MySqlStatement(string sql) : Statement(sql)
{
    private Scanned? _scanned;
    private SessionEffects _traces;
    private BatchForm? _form;

    /// <summary>Gets the value of <see cref="ScannedSql.KeepsPrepared"/> in the last scan.</summary>
    public bool KeepsPrepared => _scanned is { Sql.KeepsPrepared: true };

    /// <summary>Gets whether the text may change the schema, for example procedures. The value is that of the last scan.</summary>
    public bool IsDefinition => _scanned is { Sql.Kind: StatementKind.Definition };

    /// <summary>Gets or sets the columns of the last result in the text protocol. They are compared as bytes and parsed only if they differ.</summary>
    public ResultMetadata? TextMetadata { get; set; }

    /// <summary>
    /// Returns true if the text is understood well enough to know that the server's session tracker reports every change it makes to the session.
    /// </summary>
    public bool IsStateless(bool isMariaDb) => _traces.LeavesNone(Sql, isMariaDb);

    /// <summary>
    /// Returns true if a stateless text replaces the warnings of the statement before it. MariaDB keeps the warnings after a statement that uses no table.
    /// </summary>
    public bool ReplacesWarnings(bool isMariaDb) => !isMariaDb || _traces.UsesTable(Sql);

    /// <summary>
    /// Gets whether the text may be an INSERT that returns rows (MariaDB's RETURNING). The end of such a result does not report the generated key.
    /// </summary>
    public bool MayReturnKey { get; } = sql.Contains("RETURNING", StringComparison.OrdinalIgnoreCase);

    /// <summary>Gets whether the text may set a role. A reset does not undo that (seen on MySQL 9.7 and MariaDB 10.11).</summary>
    public bool MaySetRole => _traces.MaySetRole(Sql);

    /// <summary>Gets whether the text may run a procedure, a function or a prepared statement that sets a role.</summary>
    public bool MayRunStored => _traces.MayRunStored(Sql);

    /// <summary>Gets whether the text may change what the server reports about its session. After it, only values that the server reports are known.</summary>
    public bool MayHideChanges => !KeepsPrepared && _traces.MayHideChanges(Sql);

    /// <summary>
    /// Returns true if the text may leave state that START TRANSACTION ends and that no server flag reports: table locks, a SET TRANSACTION for the next
    /// transaction, or a transaction begun without any sign in the text. The value is that of the last scan.
    /// </summary>
    public bool MayHold(bool isMariaDb) => _scanned is not { Sql.HasSeveralStatements: false } || _traces.MayHold(Sql, _scanned.Sql.Kind, isMariaDb);

    /// <summary>Gets whether the text has one statement only. The value is that of the last scan.</summary>
    public bool IsOneStatement => _scanned is { Sql.HasSeveralStatements: false };

    /// <summary>
    /// Gets whether the text, if it is not stateless, may commit an open transaction: by an implicit commit, in a procedure, or by itself. Statements that
    /// change or read data do not, nor do those about savepoints. The server refuses a commit in functions and triggers. The value is that of the last scan.
    /// </summary>
    public bool MayCommit => _scanned is not { Sql: { HasSeveralStatements: false } scanned } || _traces.RunsComments(Sql) || scanned.Kind switch
    {
        StatementKind.Select or StatementKind.With or StatementKind.Insert or StatementKind.Replace or StatementKind.Update or StatementKind.Delete
            or StatementKind.Show => false,
        StatementKind.Transaction => !TextReading.IsOfSavepoint(Sql),
        _ => true,
    };

    /// <summary>
    /// Returns true if the text is one statement that changes nothing, not even in a function that it calls. The value is that of the last scan.
    /// </summary>
    public bool OnlyQueries(bool isMariaDb) =>
        !MayCommit && (_scanned!.Sql.Kind == StatementKind.Show || (_scanned.Sql.Kind == StatementKind.Select && IsStateless(isMariaDb)));

    /// <summary>Gets whether the text may set the client's character set. If the server does not report the new character set, it is unknown.</summary>
    public bool MaySetCharacterSet => !KeepsPrepared && !IsSingleDefinition && _traces.MaySetCharacterSet(Sql);

    /// <summary>Gets whether the text changes settings that affect the preparation of statements.</summary>
    public bool ChangesSettings => !KeepsPrepared && !IsSingleDefinition && _traces.ChangesSettings(Sql);

    // CREATE TABLE … CHARACTER SET does not change the client's character set.
    private bool IsSingleDefinition => _scanned is { Sql: { Kind: StatementKind.Definition, HasSeveralStatements: false } };

    /// <summary>
    /// Gets or sets whether the text is prepared only on request: the statement, or a result of it, shows that a prepared execution would look different.
    /// </summary>
    public bool StaysText { get; set; }

    /// <summary>
    /// Gets whether a statement that a command prepared explicitly may also be executed for other commands with the same text. This requires an execution as
    /// text that showed equal results.
    /// </summary>
    public bool CanShareStatement => !StaysText && (Uses > 0 || IsHinted);

    /// <summary>Gets or sets whether a server refused to execute the statement with many rows of values at once (MariaDB's COM_STMT_BULK_EXECUTE).</summary>
    public bool RefusesBulk { get; set; }

    /// <summary>Gets or sets whether the last result was large. The server saves much time if it does not have to write a large result as text.</summary>
    public bool WasLarge { get; set; }

    /// <summary>Gets or sets whether the application announced to the data source that the statement will be executed often.</summary>
    public bool IsHinted { get; set; }

    /// <summary>Gets or sets the parameter types that a server chose. Null before the first PREPARE, and if the server leaves the types open.</summary>
    public SettledTypes? Settled { get; set; }

    /// <summary>Gets whether preparing the statement at its next use pays, regardless of the number of uses so far.</summary>
    public bool PreparesEarly => IsHinted || (Uses > 0 && (WasLarge || TextMetadata is { IsExpensiveAsText: true }));

    /// <summary>Records a result in the text protocol.</summary>
    /// <param name="warnings">The number of warnings. The execution of a prepared statement does not repeat warnings that PREPARE gave.</param>
    /// <param name="isLarge">True if the result was larger than 64 KiB.</param>
    public void TakeTextResult(int warnings, bool isLarge)
    {
        CountUse();
        if (WasLarge != isLarge)
            WasLarge = isLarge;
        if (!StaysText && (warnings > 0 || TextMetadata is { DiffersAsText: true }))
            StaysText = true;
    }

    /// <summary>Returns the text scanned under <paramref name="rules"/>.</summary>
    public ScannedSql Scan(QuotingRules rules)
    {
        var scanned = _scanned;
        if (scanned is null || scanned.Rules != rules)
            _scanned = scanned = new(rules, SqlScanner.Scan(Sql, rules));
        return scanned.Sql;
    }

    /// <summary>Returns how a batch may send the text under <paramref name="rules"/>.</summary>
    public BatchForm FormFor(QuotingRules rules)
    {
        var form = _form;
        if (form is null || form.Rules != rules)
            _form = form = BatchForm.Of(Sql, Scan(rules), rules);
        return form;
    }

    private sealed record Scanned(QuotingRules Rules, ScannedSql Sql);
}
