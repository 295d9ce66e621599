using System.Data;
using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>
/// The base class of the providers' data adapters. They fill a <see cref="DataSet"/> or <see cref="DataTable"/> from the server, and write its changes to the
/// server, several rows at once if <see cref="UpdateBatchSize"/> permits it.
/// </summary>
public abstract class ProviderDataAdapter : DbDataAdapter
{
    private ProviderBatch? _batch;
    private DbException? _refusal;
    private DbConnection? _own;
    private int? _updateBatchSize;

    /// <summary>Creates an adapter without commands.</summary>
    private protected ProviderDataAdapter()
    {
    }

    /// <summary>Creates an adapter with its own connection, which it disposes.</summary>
    private protected ProviderDataAdapter(DbConnection own) => _own = own;

    /// <summary>
    /// Gets or sets the number of rows that one round trip changes. Default: 1, each row on its own; 0 sends all rows together. If it is not 1, the commands
    /// must not read rows back: set their UpdatedRowSource to None or OutputParameters.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public override int UpdateBatchSize
    {
        get => _updateBatchSize ?? DefaultUpdateBatchSize;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _updateBatchSize = value;
        }
    }

    /// <summary>The number of rows that one round trip changes, if <see cref="UpdateBatchSize"/> was not set.</summary>
    private protected virtual int DefaultUpdateBatchSize => 1;

    /// <summary>The adapter's own connection; null if it has none.</summary>
    private protected DbConnection? Own => _own;

    /// <summary>Creates a batch without commands.</summary>
    private protected abstract ProviderBatch CreateBatch();

    /// <summary>
    /// Creates the command of a batch that executes the same text with the current values. The adapter reuses the parameters for the next row.
    /// </summary>
    private protected abstract ProviderBatchCommand CreateBatched(ProviderCommand command);

    /// <summary>
    /// Executes the rows that an <c>Update</c> sends together. If the server refuses a row, the exception's BatchCommand is that row's command, and the rows
    /// after it were not executed.
    /// </summary>
    protected override int ExecuteBatch()
    {
        _refusal = null;
        try
        {
            return _batch!.ExecuteNonQuery();
        }
        catch (DbException exception)
        {
            _refusal = exception;
            throw;
        }
    }

    /// <inheritdoc/>
    protected override void InitializeBatching() => _batch = CreateBatch();

    /// <inheritdoc/>
    protected override int AddToBatch(IDbCommand command)
    {
        var one = (ProviderCommand)command;
        _batch!.Connection = one.Connection;
        _batch.Transaction = one.Transaction;
        _batch.Timeout = one.CommandTimeout;
        _batch.BatchCommands.Add(CreateBatched(one));
        return _batch.BatchCommands.Count - 1;
    }

    /// <inheritdoc/>
    protected override IDataParameter GetBatchedParameter(int commandIdentifier, int parameterIndex) =>
        _batch!.BatchCommands[commandIdentifier].Parameters[parameterIndex];

    /// <inheritdoc/>
    protected override bool GetBatchedRecordsAffected(int commandIdentifier, out int recordsAffected, out Exception? error)
    {
        var command = (ProviderBatchCommand)_batch!.BatchCommands[commandIdentifier];
        recordsAffected = command.RecordsAffected;
        error = _refusal is not null && ReferenceEquals(_refusal.BatchCommand, command) ? _refusal : command.Refusal;
        return true;
    }

    /// <inheritdoc/>
    protected override void ClearBatch() => _batch!.BatchCommands.Clear();

    /// <inheritdoc/>
    protected override void TerminateBatching()
    {
        _batch?.Dispose();
        _batch = null;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            TerminateBatching();
            _own?.Dispose();
            _own = null;
        }

        base.Dispose(disposing);
    }
}
