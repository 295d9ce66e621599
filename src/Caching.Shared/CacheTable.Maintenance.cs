using System.Data.Common;

namespace Slipstream.Caching;

// Creating the table, and deleting what has expired.
internal abstract partial class CacheTable
{
    /// <summary>Creates the table if it does not exist. Another program may do the same at the same time.</summary>
    public void CreateTable()
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                using var connection = Open();
                using var command = Command(connection, Texts.CreateTable);
                command.ExecuteNonQuery();
                return;
            }
            catch (DbException exception) when (attempt < MaxAttempts && IsCreatedByAnother(exception))
            {
                // The next attempt finds the table.
            }
        }
    }

    public async Task CreateTableAsync(CancellationToken token)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var connection = await OpenAsync(token).ConfigureAwait(false);
                await using (connection.ConfigureAwait(false))
                {
                    using var command = Command(connection, Texts.CreateTable);
                    await command.ExecuteNonQueryAsync(token).ConfigureAwait(false);
                    return;
                }
            }
            catch (DbException exception) when (attempt < MaxAttempts && IsCreatedByAnother(exception))
            {
                // The next attempt finds the table.
            }
        }
    }

    /// <summary>Deletes all entries that have expired.</summary>
    /// <returns>The number of entries.</returns>
    public int DeleteExpired()
    {
        var total = 0;
        using var connection = Open();
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var found = DeleteSome(connection, out var deleted);
                total += deleted;
                if (found < DeletedTogether)
                    return total;
                attempt = 0;
            }
            catch (DbException exception) when (attempt < MaxAttempts && IsCollision(exception))
            {
                Thread.Sleep(PauseAfter(attempt));
            }
        }
    }

    public async Task<int> DeleteExpiredAsync(CancellationToken token)
    {
        var total = 0;
        var connection = await OpenAsync(token).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            for (var attempt = 1; ; attempt++)
            {
                try
                {
                    var (found, deleted) = await DeleteSomeAsync(connection, token).ConfigureAwait(false);
                    total += deleted;
                    if (found < DeletedTogether)
                        return total;
                    attempt = 0;
                }
                catch (DbException exception) when (attempt < MaxAttempts && IsCollision(exception))
                {
                    await Task.Delay(PauseAfter(attempt), token).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>Deletes up to <see cref="DeletedTogether"/> expired entries, without waiting for other operations more than necessary.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="deleted">The number of deleted entries.</param>
    /// <returns>The number of entries that were found.</returns>
    protected abstract int DeleteSome(DbConnection connection, out int deleted);

    /// <inheritdoc cref="DeleteSome"/>
    protected abstract Task<(int Found, int Deleted)> DeleteSomeAsync(DbConnection connection, CancellationToken token);

    private void CreateMissingTable()
    {
        CreateTable();
        if (_logger is not null)
            CacheLog.TableCreated(_logger);
    }

    private async Task CreateMissingTableAsync(CancellationToken token)
    {
        await CreateTableAsync(token).ConfigureAwait(false);
        if (_logger is not null)
            CacheLog.TableCreated(_logger);
    }

    // Two sessions of PostgreSQL that create one table at the same time: the second meets the first one's row in a catalogue, or its table or type.
    // MariaDB: the table exists.
    private static bool IsCreatedByAnother(DbException exception) => exception.SqlState is "23505" or "42P07" or "42710" or "42S01";
}
