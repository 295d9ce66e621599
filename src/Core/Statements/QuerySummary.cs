namespace Slipstream.Core.Statements;

/// <summary>
/// Operations of a text and their targets, in order and without literals, as in <c>INSERT shipping_details SELECT orders</c>. Names spans and groups metrics.
/// Source: OpenTelemetry semantic conventions for database spans, "Generating a summary of the query".
/// </summary>
/// <param name="operation">The operation; null if there are several, or if it is unknown.</param>
/// <param name="text">Operations and targets as written in the text.</param>
internal sealed class QuerySummary(string? operation, string text)
{
    /// <summary>Maximum length of a summary in characters, as the conventions recommend.</summary>
    public const int Longest = 255;

    private const string BatchWord = "BATCH";

    /// <summary>Summary of a text that is not understood.</summary>
    public static readonly QuerySummary None = new(null, "");

    /// <summary>Summary of a batch whose commands differ.</summary>
    public static readonly QuerySummary Batch = new(BatchWord, BatchWord);

    private QuerySummary? _inBatch;
    private QuerySummary? _operationInBatch;

    /// <summary>The operation; null if there are several, or if it is unknown.</summary>
    public string? Operation { get; } = operation;

    /// <summary>Operations and targets as written in the text; empty if unknown.</summary>
    public string Text { get; } = text;

    /// <summary>Summary of a batch in which every command has this summary.</summary>
    public QuerySummary InBatch => _inBatch ??= new(
        Operation is null ? BatchWord : $"{BatchWord} {Operation}",
        Text.Length is > 0 and <= Longest - 6 ? $"{BatchWord} {Text}" : BatchWord) { MayHoldPassword = MayHoldPassword };

    /// <summary>Summary of a batch in which every command has this operation, with different targets.</summary>
    public QuerySummary OperationInBatch => _operationInBatch ??= Operation is null ? Batch : new($"{BatchWord} {Operation}", $"{BatchWord} {Operation}");

    /// <summary>Whether the text may set a password, or is not understood well enough to exclude it. Then it is shown nowhere.</summary>
    public bool MayHoldPassword { get; init; }

    /// <summary>The first attributes of spans, cached here by the code that creates them.</summary>
    internal object? Attributes { get; set; }

    /// <summary>Summarizes a text. No part of a string, a number or a comment becomes part of the summary.</summary>
    public static QuerySummary Of(string sql, SqlDialect dialect)
    {
        ArgumentNullException.ThrowIfNull(sql);
        Span<char> summary = stackalloc char[Longest];
        Span<SummaryScanner.Level> levels = stackalloc SummaryScanner.Level[SummaryScanner.Deepest];
        var scanner = new SummaryScanner(sql, dialect, summary, levels);
        return scanner.Run();
    }

    /// <summary>Summarizes an operation on one target that the caller named.</summary>
    public static QuerySummary Of(string operation, string? target)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new(operation, target is null || operation.Length + target.Length >= Longest ? operation : $"{operation} {target}");
    }
}
