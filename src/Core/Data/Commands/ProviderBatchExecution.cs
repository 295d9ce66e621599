using System.Data;
using System.Data.Common;
using System.Diagnostics;
using Slipstream.Core.Diagnostics;

namespace Slipstream.Core.Data;

/// <summary>
/// The one command that a batch looks like to connection, session and reader. A provider encodes all commands of the batch in
/// <see cref="ProviderCommand.Encode(Sessions.Session, Conversations.Goal, CommandBehavior, Conversations.ScalarTarget)"/>.
/// </summary>
public abstract class ProviderBatchExecution : ProviderCommand
{
    /// <summary>True for a batch of a data source: its connection is open while it runs, and no longer.</summary>
    internal bool OpensConnection
    {
        get => OpensItsConnection;
        set => OpensItsConnection = value;
    }

    /// <summary>How many commands there are.</summary>
    protected abstract int Count { get; }

    /// <summary>The command at <paramref name="index"/>.</summary>
    protected abstract ProviderBatchCommand CommandAt(int index);

    /// <inheritdoc/>
    protected override void ThrowIfNothingToRun()
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
            throw new InvalidOperationException($"The connection must be open to prepare a batch; its state is {connection.State}.");
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

    internal override void Describe(Activity span, Tracing tracing)
    {
        // One command in a batch is no batch to the conventions.
        if (Count > 1)
            span.SetTag("db.operation.batch.size", Count);
        var text = CommandAt(0).CommandText;
        var isShown = tracing.QueryTexts != QueryTexts.None;
        for (var i = 0; i < Count && isShown; i++)
            isShown = CommandAt(i).CommandText == text && (tracing.QueryTexts == QueryTexts.All || CommandAt(i).Parameters.Count > 0);
        if (isShown)
            span.SetTag("db.query.text", text);
    }

    /// <inheritdoc/>
    protected sealed override DbParameterCollection DbParameterCollection => throw OfTheCommands();

    /// <inheritdoc/>
    protected sealed override DbParameter CreateDbParameter() => throw OfTheCommands();

    private static NotSupportedException OfTheCommands() => new("Parameters belong to the commands of a batch, not to the batch.");
}
