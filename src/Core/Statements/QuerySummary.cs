namespace Slipstream.Core.Statements;

/// <summary>
/// What a text does and to what, without its literals: the operations and their targets in their order, as in
/// <c>INSERT shipping_details SELECT orders</c>. Names spans and groups measurements.
/// Source: OpenTelemetry semantic conventions for database spans, "Generating a summary of the query".
/// </summary>
/// <param name="operation">The operation; null when there are several, or it is not known.</param>
/// <param name="text">Operations and targets as they are written.</param>
internal sealed class QuerySummary(string? operation, string text)
{
    /// <summary>The most characters of a summary, as the conventions advise.</summary>
    public const int Longest = 255;

    private const string BatchWord = "BATCH";

    /// <summary>Of a text of which nothing is known.</summary>
    public static readonly QuerySummary None = new(null, "");

    /// <summary>Of a batch whose commands differ.</summary>
    public static readonly QuerySummary Batch = new(BatchWord, BatchWord);

    private QuerySummary? _inBatch;
    private QuerySummary? _operationInBatch;

    /// <summary>The operation; null when there are several, or it is not known.</summary>
    public string? Operation { get; } = operation;

    /// <summary>Operations and targets as they are written; empty when nothing is known.</summary>
    public string Text { get; } = text;

    /// <summary>Of a batch that does this again and again.</summary>
    public QuerySummary InBatch => _inBatch ??= new(
        Operation is null ? BatchWord : $"{BatchWord} {Operation}",
        Text.Length is > 0 and <= Longest - 6 ? $"{BatchWord} {Text}" : BatchWord) { MayHoldPassword = MayHoldPassword };

    /// <summary>Of a batch that has this operation on different targets.</summary>
    public QuerySummary OperationInBatch => _operationInBatch ??= Operation is null ? Batch : new($"{BatchWord} {Operation}", $"{BatchWord} {Operation}");

    /// <summary>True when the text may set a password, or when too little of it was understood to tell. Then it is shown nowhere.</summary>
    public bool MayHoldPassword { get; init; }

    /// <summary>The attributes that spans begin with: whoever makes them keeps them here, so that they are made once.</summary>
    internal object? Attributes { get; set; }

    /// <summary>Reads a text. Nothing of a string, a number or a comment becomes part of the summary.</summary>
    public static QuerySummary Of(string sql, SqlDialect dialect)
    {
        ArgumentNullException.ThrowIfNull(sql);
        Span<char> summary = stackalloc char[Longest];
        Span<SummaryScanner.Level> levels = stackalloc SummaryScanner.Level[SummaryScanner.Deepest];
        var scanner = new SummaryScanner(sql, dialect, summary, levels);
        return scanner.Run();
    }

    /// <summary>Of an operation on one target that a caller has named.</summary>
    public static QuerySummary Of(string operation, string? target)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new(operation, target is null || operation.Length + target.Length >= Longest ? operation : $"{operation} {target}");
    }
}
