using Slipstream.Core.Diagnostics;

namespace Slipstream.MySql;

/// <summary>What the spans of a data source carry. Parameters' values are never among it. The name is MySqlConnector's.</summary>
public sealed class MySqlConnectorTracingOptionsBuilder
{
    private Tracing _tracing = new();

    /// <summary>
    /// Whether the span of a command that opens a reader has an event <c>read-result-set-header</c> when the first answer has arrived. Default: true.
    /// </summary>
    public MySqlConnectorTracingOptionsBuilder EnableResultSetHeaderEvent(bool enable = true)
    {
        _tracing = _tracing with { ResultSetHeaderEvent = enable };
        return this;
    }

    /// <summary>Which commands' texts become <c>db.query.text</c>. Default: those of commands with parameters. Not in MySqlConnector.</summary>
    public MySqlConnectorTracingOptionsBuilder WithQueryTexts(QueryTexts texts)
    {
        if (!Enum.IsDefined(texts))
            throw new ArgumentOutOfRangeException(nameof(texts), texts, "Texts must be None, Parameterized or All.");
        _tracing = _tracing with { QueryTexts = texts };
        return this;
    }

    /// <summary>For source compatibility: the stable names are the only ones here, whatever is asked for.</summary>
    public MySqlConnectorTracingOptionsBuilder WithSemanticConventionsKinds(MySqlConnectorSemanticConventionsKinds kinds)
    {
        if ((kinds & ~(MySqlConnectorSemanticConventionsKinds.Experimental | MySqlConnectorSemanticConventionsKinds.Stable)) != 0)
            throw new ArgumentOutOfRangeException(nameof(kinds), kinds, "Kinds must be made of Experimental and Stable.");
        return this;
    }

    internal Tracing Build() => _tracing;
}
