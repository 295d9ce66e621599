using System.Data.Common;

namespace Slipstream.Recorder.Scenarios;

/// <summary>Blocking and asynchronous calls of ADO.NET behind one set of methods, so that a scenario is written once.</summary>
public sealed class Verbs(bool asynchronously)
{
    /// <summary>Gets whether the asynchronous methods are called.</summary>
    public bool IsAsynchronous => asynchronously;

    public async ValueTask Open(DbConnection connection)
    {
        if (asynchronously)
            await connection.OpenAsync();
        else
            connection.Open();
    }

    public async ValueTask Close(DbConnection connection)
    {
        if (asynchronously)
            await connection.CloseAsync();
        else
            connection.Close();
    }

    public async ValueTask<DbDataReader> Reader(DbCommand command) => asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();

    public async ValueTask<bool> Read(DbDataReader reader) => asynchronously ? await reader.ReadAsync() : reader.Read();

    public async ValueTask<bool> NextResult(DbDataReader reader) => asynchronously ? await reader.NextResultAsync() : reader.NextResult();

    public async ValueTask CloseReader(DbDataReader reader)
    {
        if (asynchronously)
            await reader.CloseAsync();
        else
            reader.Close();
    }

    public async ValueTask<object?> Scalar(DbCommand command) => asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();

    public async ValueTask<int> NonQuery(DbCommand command) => asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();

    public async ValueTask Prepare(DbCommand command)
    {
        if (asynchronously)
            await command.PrepareAsync();
        else
            command.Prepare();
    }

    public async ValueTask<DbTransaction> Begin(DbConnection connection) =>
        asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction();

    public async ValueTask Commit(DbTransaction transaction)
    {
        if (asynchronously)
            await transaction.CommitAsync();
        else
            transaction.Commit();
    }

    public async ValueTask Rollback(DbTransaction transaction)
    {
        if (asynchronously)
            await transaction.RollbackAsync();
        else
            transaction.Rollback();
    }
}
