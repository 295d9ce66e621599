namespace Slipstream.Core.Diagnostics;

/// <summary>Which commands' texts spans carry as <c>db.query.text</c>.</summary>
public enum QueryTexts
{
    /// <summary>None.</summary>
    None,

    /// <summary>Those of commands with parameters: what is secret or personal is in the parameters, as OpenTelemetry's conventions suppose.</summary>
    Parameterized,

    /// <summary>All, with the literals in them.</summary>
    All,
}

/// <summary>What spans carry beyond what the conventions demand. Parameters' values are never among it.</summary>
internal sealed record Tracing
{
    /// <summary>Default: <see cref="Slipstream.Core.Diagnostics.QueryTexts.Parameterized"/>.</summary>
    public QueryTexts QueryTexts { get; init; } = QueryTexts.Parameterized;

    /// <summary>An event <c>read-result-set-header</c> when the first answer to a command that opens a reader has arrived. Default: true.</summary>
    public bool ResultSetHeaderEvent { get; init; } = true;
}
