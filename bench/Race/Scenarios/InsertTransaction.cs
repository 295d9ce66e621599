using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>
/// The transaction around a block of inserts. It begins before the block and is committed after it; then the table is emptied. None of this is timed.
/// </summary>
internal sealed class InsertTransaction(DbConnection connection, string table = "test")
{
    /// <summary>The open transaction; null between blocks.</summary>
    public DbTransaction? Current { get; private set; }

    public async Task<DbTransaction> BeginAsync(Mode mode) =>
        Current = mode is Mode.Sync ? connection.BeginTransaction() : await connection.BeginTransactionAsync();

    public async Task EndAsync(Mode mode)
    {
        using var truncate = connection.CreateCommand();
        truncate.CommandText = "truncate table " + table;
        if (mode is Mode.Sync)
        {
            Current!.Commit();
            truncate.ExecuteNonQuery();
        }
        else
        {
            await Current!.CommitAsync();
            await truncate.ExecuteNonQueryAsync();
        }

        Current.Dispose();
        Current = null;
    }
}
