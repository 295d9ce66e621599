namespace Slipstream.Core.Diagnostics;

/// <summary>Specifies for which commands spans contain the text as <c>db.query.text</c>.</summary>
public enum QueryTexts
{
    /// <summary>For no command.</summary>
    None,

    /// <summary>
    /// For commands with parameters. As in OpenTelemetry's conventions, secret and personal data are expected in the parameters, not in the text.
    /// </summary>
    Parameterized,

    /// <summary>For all commands, including the literals in their texts.</summary>
    All,
}

/// <summary>Contents of spans beyond what the conventions require. Values of parameters are never included.</summary>
internal sealed record Tracing
{
    /// <summary>The commands whose text is recorded. Default: <see cref="Slipstream.Core.Diagnostics.QueryTexts.Parameterized"/>.</summary>
    public QueryTexts QueryTexts { get; init; } = QueryTexts.Parameterized;

    /// <summary>
    /// Whether spans have an event <c>read-result-set-header</c> for the arrival of the first answer to a command that opens a reader. Default: true.
    /// </summary>
    public bool ResultSetHeaderEvent { get; init; } = true;

    /// <summary>Whether opening a physical connection has a span. Default: true.</summary>
    public bool Connects { get; init; } = true;

    /// <summary>Callbacks of the application; null without any.</summary>
    public SpanCallbacks? Callbacks { get; init; }
}
