using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

/// <summary>
/// Every method of ADO.NET in one of its two forms, synchronous or asynchronous, which a run of the contract tests. Each test is written once.
/// </summary>
public sealed class Mode(bool asynchronous)
{
    public static Mode Sync { get; } = new(false);

    public static Mode Async { get; } = new(true);

    public bool IsAsync => asynchronous;

    public async Task Open(DbConnection connection)
    {
        if (asynchronous)
            await connection.OpenAsync();
        else
            connection.Open();
    }

    public async Task<DbConnection> Open(DbDataSource source) => asynchronous ? await source.OpenConnectionAsync() : source.OpenConnection();

    public async Task Close(DbConnection connection)
    {
        if (asynchronous)
            await connection.CloseAsync();
        else
            connection.Close();
    }

    public async Task Dispose(DbConnection connection)
    {
        if (asynchronous)
            await connection.DisposeAsync();
        else
            connection.Dispose();
    }

    public async Task ChangeDatabase(DbConnection connection, string database)
    {
        if (asynchronous)
            await connection.ChangeDatabaseAsync(database);
        else
            connection.ChangeDatabase(database);
    }

    public async Task<DataTable> Schema(DbConnection connection) => asynchronous ? await connection.GetSchemaAsync() : connection.GetSchema();

    public async Task<DataTable> Schema(DbConnection connection, string name) =>
        asynchronous ? await connection.GetSchemaAsync(name) : connection.GetSchema(name);

    public async Task<DataTable> Schema(DbConnection connection, string name, string?[] restrictions) =>
        asynchronous ? await connection.GetSchemaAsync(name, restrictions) : connection.GetSchema(name, restrictions);

    public async Task<object?> Scalar(DbCommand command, CancellationToken token = default) =>
        asynchronous ? await command.ExecuteScalarAsync(token) : command.ExecuteScalar();

    public async Task<int> NonQuery(DbCommand command, CancellationToken token = default) =>
        asynchronous ? await command.ExecuteNonQueryAsync(token) : command.ExecuteNonQuery();

    public async Task<DbDataReader> Reader(DbCommand command, CommandBehavior behavior = CommandBehavior.Default, CancellationToken token = default) =>
        asynchronous ? await command.ExecuteReaderAsync(behavior, token) : command.ExecuteReader(behavior);

    public async Task<object?> Scalar(DbBatch batch) => asynchronous ? await batch.ExecuteScalarAsync() : batch.ExecuteScalar();

    public async Task<int> NonQuery(DbBatch batch, CancellationToken token = default) =>
        asynchronous ? await batch.ExecuteNonQueryAsync(token) : batch.ExecuteNonQuery();

    public async Task<DbDataReader> Reader(DbBatch batch, CommandBehavior behavior = CommandBehavior.Default) =>
        asynchronous ? await batch.ExecuteReaderAsync(behavior) : batch.ExecuteReader(behavior);

    public async Task Prepare(DbBatch batch)
    {
        if (asynchronous)
            await batch.PrepareAsync();
        else
            batch.Prepare();
    }

    public async Task Prepare(DbCommand command)
    {
        if (asynchronous)
            await command.PrepareAsync();
        else
            command.Prepare();
    }

    public async Task<bool> Read(DbDataReader reader, CancellationToken token = default) => asynchronous ? await reader.ReadAsync(token) : reader.Read();

    public async Task<IReadOnlyList<DbColumn>> ColumnSchema(DbDataReader reader) =>
        asynchronous ? await reader.GetColumnSchemaAsync() : reader.GetColumnSchema();

    public async Task<bool> NextResult(DbDataReader reader) => asynchronous ? await reader.NextResultAsync() : reader.NextResult();

    public async Task<bool> IsDBNull(DbDataReader reader, int ordinal) => asynchronous ? await reader.IsDBNullAsync(ordinal) : reader.IsDBNull(ordinal);

    public async Task<T> Get<T>(DbDataReader reader, int ordinal) =>
        asynchronous ? await reader.GetFieldValueAsync<T>(ordinal) : reader.GetFieldValue<T>(ordinal);

    public async Task Close(DbDataReader reader)
    {
        if (asynchronous)
            await reader.CloseAsync();
        else
            reader.Close();
    }

    public async Task Dispose(DbDataReader reader)
    {
        if (asynchronous)
            await reader.DisposeAsync();
        else
            reader.Dispose();
    }

    public async Task<int> ReadStream(Stream stream, byte[] target) => asynchronous ? await stream.ReadAsync(target) : stream.Read(target);

    public async Task<DbTransaction> Begin(DbConnection connection, IsolationLevel level = IsolationLevel.Unspecified) =>
        asynchronous ? await connection.BeginTransactionAsync(level) : connection.BeginTransaction(level);

    public async Task Commit(DbTransaction transaction)
    {
        if (asynchronous)
            await transaction.CommitAsync();
        else
            transaction.Commit();
    }

    public async Task Rollback(DbTransaction transaction)
    {
        if (asynchronous)
            await transaction.RollbackAsync();
        else
            transaction.Rollback();
    }

    public async Task Dispose(DbTransaction transaction)
    {
        if (asynchronous)
            await transaction.DisposeAsync();
        else
            transaction.Dispose();
    }

    public async Task Save(DbTransaction transaction, string name)
    {
        if (asynchronous)
            await transaction.SaveAsync(name);
        else
            transaction.Save(name);
    }

    public async Task Rollback(DbTransaction transaction, string name)
    {
        if (asynchronous)
            await transaction.RollbackAsync(name);
        else
            transaction.Rollback(name);
    }

    public async Task Release(DbTransaction transaction, string name)
    {
        if (asynchronous)
            await transaction.ReleaseAsync(name);
        else
            transaction.Release(name);
    }
}
