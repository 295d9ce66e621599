using System.Data;
using System.Data.Common;
using System.Diagnostics;
using System.Text;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>
/// A batch as one command, for the connection, the session and the reader. A provider encodes all commands of the batch in
/// <see cref="ProviderCommand.Encode(Sessions.Session, Conversations.Goal, CommandBehavior, Conversations.ScalarTarget)"/>.
/// </summary>
internal abstract class ProviderBatchExecution : ProviderCommand
{
    /// <summary>Whether the batch belongs to a data source: its connection is open only while the batch runs.</summary>
    internal bool OpensConnection
    {
        get => OpensItsConnection;
        set => OpensItsConnection = value;
    }

    /// <summary>Number of commands.</summary>
    protected abstract int Count { get; }

    /// <summary>The command at <paramref name="index"/>.</summary>
    protected abstract ProviderBatchCommand CommandAt(int index);

    /// <inheritdoc/>
    private protected override void ThrowIfNothingToRun()
    {
        if (Count == 0)
            throw new InvalidOperationException("The batch has no commands: add them to its BatchCommands.");
        for (var i = 0; i < Count; i++)
            if (CommandAt(i).CommandText.Length == 0)
                throw new InvalidOperationException($"Command {i} of the batch has no text: set its CommandText property.");
    }

    /// <inheritdoc/>
    public override void Prepare()
    {
        if (OwnConnection is not { } connection)
            throw new InvalidOperationException("The batch has no connection: set its Connection property.");
        if (connection.State != ConnectionState.Open)
            throw new InvalidOperationException(
                $"The connection must be open to prepare a batch; its state is {connection.State}: call Open or OpenAsync first.");
        ThrowIfNothingToRun();
        IsPreparedByUser = true;
    }

    /// <inheritdoc/>
    public override Task PrepareAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled(cancellationToken);
        try
        {
            Prepare();
            return Task.CompletedTask;
        }
        catch (InvalidOperationException exception)
        {
            return Task.FromException(exception);
        }
    }

    /// <summary>Summary of the command at <paramref name="index"/>.</summary>
    protected abstract QuerySummary? Summarize(int index, Session session);

    /// <summary>
    /// The summary of a single command, which OpenTelemetry's conventions do not regard as a batch. For several commands, what their summaries have in common.
    /// </summary>
    private protected sealed override QuerySummary? Summarize(Session session)
    {
        var first = SummaryAt(0, session);
        if (Count == 1)
            return first;
        if (first is null)
            return QuerySummary.Batch;
        var (areAlike, haveOneOperation) = (true, first.Operation is not null);
        for (var i = 1; i < Count && (areAlike || haveOneOperation); i++)
        {
            var next = SummaryAt(i, session);
            areAlike &= ReferenceEquals(next, first) || next?.Text == first.Text;
            haveOneOperation &= next?.Operation == first.Operation;
        }

        return areAlike ? first.InBatch : haveOneOperation ? first.OperationInBatch : QuerySummary.Batch;
    }

    private QuerySummary? SummaryAt(int index, Session session)
    {
        var command = CommandAt(index);
        return OpenConnection.Source.SummaryOf(command.CommandType, command.CommandText) ?? Summarize(index, session);
    }

    internal override void Write(StringBuilder log, Session session, bool withValues)
    {
        for (var i = 0; i < Count && log.Length < CommandLogging.LongestText; i++)
        {
            var command = CommandAt(i);
            log.Append(i > 0 ? "; " : "");
            LoggedText.Append(log, SummaryAt(i, session), command.CommandType, command.CommandText, withValues ? command.Parameters : null);
        }
    }

    internal override void Describe(Activity span, Tracing tracing, QuerySummary? summary)
    {
        // The conventions do not regard a single command as a batch.
        if (Count > 1)
            span.SetTag("db.operation.batch.size", Count);
        var text = CommandAt(0).CommandText;
        var isShown = tracing.QueryTexts != QueryTexts.None && summary is not { MayHoldPassword: true };
        for (var i = 0; i < Count && isShown; i++)
            isShown = CommandAt(i).CommandText == text && (tracing.QueryTexts == QueryTexts.All || CommandAt(i).Parameters.Count > 0);
        if (isShown)
            span.SetTag("db.query.text", text);
    }

    /// <inheritdoc/>
    protected sealed override DbParameterCollection DbParameterCollection => throw ParametersNotSupported();

    /// <inheritdoc/>
    protected sealed override DbParameter CreateDbParameter() => throw ParametersNotSupported();

    private static NotSupportedException ParametersNotSupported() => new("Parameters belong to the commands of a batch, not to the batch.");
}
