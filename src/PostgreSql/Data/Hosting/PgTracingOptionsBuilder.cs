using System.Diagnostics;
using Slipstream.Core.Diagnostics;

namespace Slipstream.PostgreSql;

/// <summary>
/// Options for the spans of a data source. The callbacks must be thread-safe and fast. The driver ignores their exceptions. They are called only while a
/// listener for the source <c>Slipstream.PostgreSql</c> exists.
/// </summary>
public sealed class PgTracingOptionsBuilder
{
    private readonly Callbacks _callbacks = new();
    private Tracing _tracing = new();
    private bool _hasCallbacks;

    internal PgTracingOptionsBuilder()
    {
    }

    /// <summary>Sets a filter for commands.</summary>
    /// <param name="commandFilter">Returns whether a command gets a span; null, the default, for a span for each command.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureCommandFilter(Func<PgCommand, bool>? commandFilter)
    {
        _callbacks.CommandFilter = commandFilter;
        return WithCallbacks();
    }

    /// <summary>Sets a filter for batches.</summary>
    /// <param name="batchFilter">Returns whether a batch gets a span; null, the default, for a span for each batch.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureBatchFilter(Func<PgBatch, bool>? batchFilter)
    {
        _callbacks.BatchFilter = batchFilter;
        return WithCallbacks();
    }

    /// <summary>Sets a filter for copy operations.</summary>
    /// <param name="copyOperationFilter">Receives the COPY command, or the table of a <see cref="PgBulkCopy"/>, and returns whether the operation gets a span;
    /// null, the default, for a span for each operation.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureCopyOperationFilter(Func<string, bool>? copyOperationFilter)
    {
        _callbacks.CopyFilter = copyOperationFilter;
        return WithCallbacks();
    }

    /// <summary>Sets a callback that adds to the span of a command, after the span has begun and before the command is sent.</summary>
    /// <param name="commandEnrichmentCallback">The callback; null, the default, for none.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureCommandEnrichmentCallback(Action<Activity, PgCommand>? commandEnrichmentCallback)
    {
        _callbacks.EnrichCommand = commandEnrichmentCallback;
        return WithCallbacks();
    }

    /// <summary>Sets a callback that adds to the span of a batch, after the span has begun and before the batch is sent.</summary>
    /// <param name="batchEnrichmentCallback">The callback; null, the default, for none.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureBatchEnrichmentCallback(Action<Activity, PgBatch>? batchEnrichmentCallback)
    {
        _callbacks.EnrichBatch = batchEnrichmentCallback;
        return WithCallbacks();
    }

    /// <summary>Sets a callback that adds to the span of a copy operation, after the span has begun.</summary>
    /// <param name="copyOperationEnrichmentCallback">Receives the span, and the COPY command or the table of a <see cref="PgBulkCopy"/>; null, the default,
    /// for none.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureCopyOperationEnrichmentCallback(Action<Activity, string>? copyOperationEnrichmentCallback)
    {
        _callbacks.EnrichCopy = copyOperationEnrichmentCallback;
        return WithCallbacks();
    }

    /// <summary>Sets a callback that names the span of a command.</summary>
    /// <param name="commandSpanNameProvider">Returns the name; null for the default name, which is the command's summary. Null, the default, for no callback.
    /// </param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureCommandSpanNameProvider(Func<PgCommand, string?>? commandSpanNameProvider)
    {
        _callbacks.NameCommand = commandSpanNameProvider;
        return WithCallbacks();
    }

    /// <summary>Sets a callback that names the span of a batch.</summary>
    /// <param name="batchSpanNameProvider">Returns the name; null for the default name. Null, the default, for no callback.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureBatchSpanNameProvider(Func<PgBatch, string?>? batchSpanNameProvider)
    {
        _callbacks.NameBatch = batchSpanNameProvider;
        return WithCallbacks();
    }

    /// <summary>Sets a callback that names the span of a copy operation.</summary>
    /// <param name="copyOperationSpanNameProvider">Receives the COPY command, or the table of a <see cref="PgBulkCopy"/>, and returns the name; null for the
    /// default name. Null, the default, for no callback.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder ConfigureCopyOperationSpanNameProvider(Func<string, string?>? copyOperationSpanNameProvider)
    {
        _callbacks.NameCopy = copyOperationSpanNameProvider;
        return WithCallbacks();
    }

    /// <summary>Sets whether the span of a command that opens a reader has an event <c>read-result-set-header</c> when the first answer has arrived.</summary>
    /// <param name="enable">True, the default, to add the event.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder EnableFirstResponseEvent(bool enable = true)
    {
        _tracing = _tracing with { ResultSetHeaderEvent = enable };
        return this;
    }

    /// <summary>Sets whether opening a physical connection has a span.</summary>
    /// <param name="enable">True, the default, for a span.</param>
    /// <returns>This builder.</returns>
    public PgTracingOptionsBuilder EnablePhysicalOpenTracing(bool enable = true)
    {
        _tracing = _tracing with { Connects = enable };
        return this;
    }

    /// <summary>Sets which commands have their text in <c>db.query.text</c>. Default: commands with parameters. (Not in Npgsql.)</summary>
    /// <param name="texts">Which commands' texts spans contain.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a member of the enumeration.</exception>
    public PgTracingOptionsBuilder WithQueryTexts(QueryTexts texts)
    {
        if (!Enum.IsDefined(texts))
            throw new ArgumentOutOfRangeException(nameof(texts), texts, "Texts must be None, Parameterized or All.");
        _tracing = _tracing with { QueryTexts = texts };
        return this;
    }

    internal Tracing Build() => _tracing with { Callbacks = _hasCallbacks ? _callbacks.Copy() : null };

    private PgTracingOptionsBuilder WithCallbacks()
    {
        _hasCallbacks = true;
        return this;
    }

    private sealed class Callbacks : SpanCallbacks
    {
        public Func<PgCommand, bool>? CommandFilter { get; set; }

        public Func<PgBatch, bool>? BatchFilter { get; set; }

        public Func<string, bool>? CopyFilter { get; set; }

        public Action<Activity, PgCommand>? EnrichCommand { get; set; }

        public Action<Activity, PgBatch>? EnrichBatch { get; set; }

        public Action<Activity, string>? EnrichCopy { get; set; }

        public Func<PgCommand, string?>? NameCommand { get; set; }

        public Func<PgBatch, string?>? NameBatch { get; set; }

        public Func<string, string?>? NameCopy { get; set; }

        // Later calls of the builder must not change a data source that exists.
        public Callbacks Copy() => (Callbacks)MemberwiseClone();

        protected override bool Filter(object subject) => subject switch
        {
            PgCommand command => CommandFilter?.Invoke(command) ?? true,
            PgBatchExecution execution => BatchFilter?.Invoke(execution.Batch) ?? true,
            string copy => CopyFilter?.Invoke(copy) ?? true,
            _ => true,
        };

        protected override string? ProvideName(object subject) => subject switch
        {
            PgCommand command => NameCommand?.Invoke(command),
            PgBatchExecution execution => NameBatch?.Invoke(execution.Batch),
            string copy => NameCopy?.Invoke(copy),
            _ => null,
        };

        protected override void Add(Activity span, object subject)
        {
            switch (subject)
            {
                case PgCommand command:
                    EnrichCommand?.Invoke(span, command);
                    break;
                case PgBatchExecution execution:
                    EnrichBatch?.Invoke(span, execution.Batch);
                    break;
                case string copy:
                    EnrichCopy?.Invoke(span, copy);
                    break;
                default:
                    break;
            }
        }
    }
}
