using Slipstream.Core.Diagnostics;

namespace Slipstream.MySql;

/// <summary>Options for the content of a data source's spans. Spans never contain the values of parameters. The name is MySqlConnector's.</summary>
public sealed class MySqlConnectorTracingOptionsBuilder
{
    private Tracing _tracing = new();

    /// <summary>Sets whether the span of a command that opens a reader has an event <c>read-result-set-header</c> when the first answer has arrived.</summary>
    /// <param name="enable">True, the default, to add the event.</param>
    /// <returns>This builder.</returns>
    public MySqlConnectorTracingOptionsBuilder EnableResultSetHeaderEvent(bool enable = true)
    {
        _tracing = _tracing with { ResultSetHeaderEvent = enable };
        return this;
    }

    /// <summary>Sets which commands have their text in <c>db.query.text</c>. Default: commands with parameters. (Not in MySqlConnector.)</summary>
    /// <param name="texts">Which commands' texts spans contain.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of the enumeration.</exception>
    public MySqlConnectorTracingOptionsBuilder WithQueryTexts(QueryTexts texts)
    {
        if (!Enum.IsDefined(texts))
            throw new ArgumentOutOfRangeException(nameof(texts), texts, "Texts must be None, Parameterized or All.");
        _tracing = _tracing with { QueryTexts = texts };
        return this;
    }

    /// <summary>Does nothing; exists for source compatibility. This driver always uses only the stable names.</summary>
    /// <param name="kinds">The conventions, which have no effect.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value has other flags than <see cref="MySqlConnectorSemanticConventionsKinds.Experimental"/> and
    /// <see cref="MySqlConnectorSemanticConventionsKinds.Stable"/>.</exception>
    public MySqlConnectorTracingOptionsBuilder WithSemanticConventionsKinds(MySqlConnectorSemanticConventionsKinds kinds)
    {
        if ((kinds & ~(MySqlConnectorSemanticConventionsKinds.Experimental | MySqlConnectorSemanticConventionsKinds.Stable)) != 0)
            throw new ArgumentOutOfRangeException(nameof(kinds), kinds, "Kinds must be Experimental, Stable or both.");
        return this;
    }

    internal Tracing Build() => _tracing;
}
