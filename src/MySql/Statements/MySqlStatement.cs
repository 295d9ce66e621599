using Slipstream.Core.Statements;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Statements;

/// <summary>One SQL text as a data source knows it, scanned under the quoting rules that sessions have: nearly always one set of rules.</summary>
internal sealed class MySqlStatement(string sql) : Statement(sql)
{
    private Scanned? _scanned;
    private Traces _traces;
    private BatchForm? _form;

    /// <summary>The columns of its last result in the text protocol: compared as bytes, parsed only when different.</summary>
    public ResultMetadata? TextMetadata { get; set; }

    /// <summary>True when the text is understood so far that whatever it changes in the session, the server's tracker tells.</summary>
    public bool LeavesNoTrace(bool isMariaDb) => _traces.LeavesNone(Sql, isMariaDb);

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
