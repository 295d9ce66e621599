using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>
/// Several commands that travel together, in one round trip as long as their texts and values are together shorter than half a megabyte. Outside of a transaction they
/// are one: the server undoes all of them when it refuses one, and does not run those behind it. (<see cref="BatchErrors"/> changes both.)
/// </summary>
/// <remarks>The same text several times in a row is parsed once.</remarks>
public sealed class PgBatch : ProviderBatch
{
    private readonly PgBatchExecution _execution;

    public PgBatch()
        : this(connection: null)
    {
    }

    public PgBatch(PgConnection? connection = null, PgTransaction? transaction = null) => _execution = new(BatchCommands) { Connection = connection, Transaction = transaction };

    /// <summary>A batch whose connection is open only while it runs.</summary>
    internal PgBatch(PgDataSource source)
        : this(source.CreateConnection()) => OpensItsConnection = true;

    public new PgBatchCommandCollection BatchCommands { get; } = new();

    public new PgConnection? Connection
    {
        get => (PgConnection?)DbConnection;
        set => DbConnection = value;
    }

    public new PgTransaction? Transaction
    {
        get => (PgTransaction?)DbTransaction;
        set => DbTransaction = value;
    }

    /// <summary>What happens when the server refuses a command. Default: the connection string's Batch Errors. (Not in Npgsql, but see <see cref="EnableErrorBarriers"/>.)</summary>
    public PgBatchErrors BatchErrors
    {
        get => _execution.BatchErrors ?? Connection?.PgSource.Settings.BatchErrors ?? PgBatchErrors.Stop;
        set => _execution.BatchErrors = value;
    }

    /// <summary>Each command stands or falls by itself: another word for <see cref="PgBatchErrors.Continue"/>.</summary>
    public bool EnableErrorBarriers
    {
        get => BatchErrors == PgBatchErrors.Continue;
        set => BatchErrors = value ? PgBatchErrors.Continue : PgBatchErrors.Stop;
    }

    protected override ProviderBatchExecution Execution => _execution;

    protected override DbBatchCommandCollection DbBatchCommands => BatchCommands;

    public new PgDataReader ExecuteReader(CommandBehavior behavior = CommandBehavior.Default) => (PgDataReader)ExecuteDbDataReader(behavior);

    public new Task<PgDataReader> ExecuteReaderAsync(CancellationToken cancellationToken = default) => ExecuteReaderAsync(CommandBehavior.Default, cancellationToken);

    public new Task<PgDataReader> ExecuteReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken = default)
    {
        return OpensItsConnection ? Opening() : _execution.ExecuteReaderOf(behavior, cancellationToken);

        async Task<PgDataReader> Opening() => (PgDataReader)await ExecuteDbDataReaderAsync(behavior, cancellationToken).ConfigureAwait(false);
    }

    protected override DbBatchCommand CreateDbBatchCommand() => new PgBatchCommand();
}
