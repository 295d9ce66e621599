using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>
/// Sends many rows into a table. Written as an iterator that reads from top to bottom. A producer supplies rows until <see cref="IsFull"/>. If either side
/// fails, the exchange continues to an end at which the session is in step with the server.
/// </summary>
internal abstract class BulkExchange : RequestedExchange
{
    private IEnumerator<Step>? _steps;
    private ExternalSource? _rows;

    /// <summary>Number of values of a row of the source; −1 if the source writes exactly the values that are needed.</summary>
    public int SourceFields { get; init; } = -1;

    /// <summary>Indexes of the source's values that form a sent row, from left to right. Known when the first row is requested.</summary>
    public int[] SourceOrdinals { get; protected set; } = [];

    /// <summary>Number of rows that the source has supplied.</summary>
    public long RowsTaken { get; private set; }

    /// <summary>Whether the source has no more rows.</summary>
    public bool IsAtEnd { get; set; }

    /// <summary>Exception thrown by the source or by a value that cannot be written. <see cref="FailedRow"/> is the row's number.</summary>
    public Exception? SourceFailure { get; private set; }

    /// <summary>Number of the row that failed, from 1; 0 if unknown.</summary>
    public long FailedRow { get; protected set; }

    /// <summary>Number of inserted rows that the server reported.</summary>
    public long RowsInserted { get; protected set; }

    /// <summary>Whether the rows in the buffer must be sent before more can be taken.</summary>
    public abstract bool IsFull { get; }

    /// <summary>Whether the source or the server has failed: no more rows are needed.</summary>
    public bool HasFailed => SourceFailure is not null || Error is not null;

    /// <summary>The connection's buffers.</summary>
    protected Wire Wire { get; private set; } = null!;

    /// <inheritdoc/>
    public override ExternalSource ExternalSource => _rows ?? base.ExternalSource;

    /// <summary>Sets the source of the rows.</summary>
    public void TakeRowsFrom(ExternalSource rows) => _rows = rows;

    /// <summary>Completes the row whose values were written.</summary>
    /// <exception cref="InvalidOperationException">The row has too few values.</exception>
    public void EndRow()
    {
        CompleteRow();
        RowsTaken++;
    }

    /// <summary>Records a failure of the source or of a value, and drops the unfinished row.</summary>
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
        if (_steps.MoveNext())
            return _steps.Current;
        // The session outlives the source of the rows.
        _rows = null;
        return Step.Completed;
    }

    /// <summary>The exchange after its first request. <see cref="Step.Receive"/> means that bytes are missing.</summary>
    protected abstract IEnumerable<Step> Run();

    /// <summary>Called when all values of a row were written.</summary>
    protected abstract void CompleteRow();

    /// <summary>Drops the unfinished row.</summary>
    protected abstract void DropRow();
}
