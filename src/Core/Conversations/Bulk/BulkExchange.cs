using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>
/// Many rows on their way into a table. Written as an iterator that reads top to bottom; rows come from a producer, which fills until
/// <see cref="IsFull"/>. Whatever fails, on either side, the exchange goes on to an end in which the session is in step with the server.
/// </summary>
internal abstract class BulkExchange : RequestedExchange
{
    private IEnumerator<Step>? _steps;
    private ExternalSource? _rows;

    /// <summary>Values of a row of the source; −1 when the source writes the values it wants.</summary>
    public int SourceFields { get; init; } = -1;

    /// <summary>Which of the source's values stand in a row that is sent, from left to right; known when the first row is asked for.</summary>
    public int[] SourceOrdinals { get; protected set; } = [];

    /// <summary>Rows that the source has supplied.</summary>
    public long RowsTaken { get; private set; }

    /// <summary>The source has no more rows.</summary>
    public bool IsAtEnd { get; set; }

    /// <summary>What the source, or a value that cannot be written, threw; <see cref="FailedRow"/> says at which row, 0 for none.</summary>
    public Exception? SourceFailure { get; private set; }

    /// <summary>The row that failed, counted from 1; 0 when that is not known.</summary>
    public long FailedRow { get; protected set; }

    /// <summary>Rows that the server says it has inserted.</summary>
    public long RowsInserted { get; protected set; }

    /// <summary>True when no more rows can be taken before those at hand have left.</summary>
    public abstract bool IsFull { get; }

    /// <summary>True when something has failed: no more rows are wanted.</summary>
    public bool HasFailed => SourceFailure is not null || Error is not null;

    /// <summary>The connection's buffers.</summary>
    protected Wire Wire { get; private set; } = null!;

    /// <inheritdoc/>
    public override ExternalSource ExternalSource => _rows ?? base.ExternalSource;

    /// <summary>Where the rows come from.</summary>
    public void TakeRowsFrom(ExternalSource rows) => _rows = rows;

    /// <summary>The row whose values were written is complete.</summary>
    /// <exception cref="InvalidOperationException">It has fewer values than are wanted.</exception>
    public void EndRow()
    {
        CompleteRow();
        RowsTaken++;
    }

    /// <summary>The source, or a value, failed. What was written of its row is forgotten.</summary>
    public void Fail(Exception failure, bool isInRow)
    {
        SourceFailure = failure;
        FailedRow = isInRow ? RowsTaken + 1 : 0;
        DropRow();
    }

    /// <inheritdoc/>
    public sealed override Step Advance(Wire wire)
    {
        Wire = wire;
        _steps ??= Run().GetEnumerator();
        return _steps.MoveNext() ? _steps.Current : Step.Completed;
    }

    /// <summary>The exchange behind its first request: <see cref="Step.Receive"/> means that bytes are missing.</summary>
    protected abstract IEnumerable<Step> Run();

    /// <summary>The row that was written is whole.</summary>
    protected abstract void CompleteRow();

    /// <summary>The row that was begun is not sent.</summary>
    protected abstract void DropRow();
}
