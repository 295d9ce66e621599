using System.Data.Common;

namespace Slipstream.Soak.Work;

/// <summary>
/// Blocking and asynchronous calls of ADO.NET behind one set of methods, so that an operation is written once. A blocking call is complete when it returns.
/// </summary>
internal sealed class Verbs(bool isAsync)
{
    public bool IsAsync => isAsync;

    public async ValueTask<DbConnection> Open(DbDataSource source, CancellationToken ct) =>
        isAsync ? await source.OpenConnectionAsync(ct) : source.OpenConnection();

    public async ValueTask Close(IAsyncDisposable and)
    {
        if (isAsync)
            await and.DisposeAsync();
        else
            ((IDisposable)and).Dispose();
    }

    public async ValueTask<DbTransaction> Begin(DbConnection connection, CancellationToken ct) =>
        isAsync ? await connection.BeginTransactionAsync(ct) : connection.BeginTransaction();

    public async ValueTask Commit(DbTransaction transaction, CancellationToken ct)
    {
        if (isAsync)
            await transaction.CommitAsync(ct);
        else
            transaction.Commit();
    }

    public async ValueTask Rollback(DbTransaction transaction)
    {
        if (isAsync)
            await transaction.RollbackAsync();
        else
            transaction.Rollback();
    }

    public async ValueTask Prepare(DbCommand command)
    {
        if (isAsync)
            await command.PrepareAsync();
        else
            command.Prepare();
    }

    public async ValueTask<DbDataReader> Reader(DbCommand command, CancellationToken ct) =>
        isAsync ? await command.ExecuteReaderAsync(ct) : command.ExecuteReader();

    public async ValueTask<DbDataReader> Reader(DbBatch batch, CancellationToken ct) => isAsync ? await batch.ExecuteReaderAsync(ct) : batch.ExecuteReader();

    public async ValueTask<object?> Scalar(DbCommand command, CancellationToken ct) => isAsync ? await command.ExecuteScalarAsync(ct) : command.ExecuteScalar();

    public async ValueTask<int> NonQuery(DbCommand command, CancellationToken ct) =>
        isAsync ? await command.ExecuteNonQueryAsync(ct) : command.ExecuteNonQuery();

    public async ValueTask<bool> Read(DbDataReader reader, CancellationToken ct) => isAsync ? await reader.ReadAsync(ct) : reader.Read();

    public async ValueTask<bool> NextResult(DbDataReader reader, CancellationToken ct) => isAsync ? await reader.NextResultAsync(ct) : reader.NextResult();

    public async ValueTask Pause(TimeSpan time)
    {
        if (isAsync)
            await Task.Delay(time);
        else
            Thread.Sleep(time);
    }

    public async ValueTask WaitFor(Task task)
    {
        if (isAsync)
            await task;
        else
            task.Wait();
    }
}
