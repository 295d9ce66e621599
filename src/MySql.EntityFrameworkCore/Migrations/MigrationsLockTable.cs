using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>A lock that is a row in a table: for clusters, where a lock by name holds on one node only.</summary>
internal sealed class MigrationsLockTable(
    IHistoryRepository historyRepository, MigrationProgress progress, IRelationalCommand create, IRelationalCommand acquire, IRelationalCommand release,
    RelationalCommandParameterObject parameters) : MigrationsDatabaseLock(historyRepository, progress)
{
    public const string Name = "__EFMigrationsLock";

    public const string CreateSql = $"CREATE TABLE IF NOT EXISTS `{Name}` (`Id` INT NOT NULL PRIMARY KEY, `AcquiredAt` DATETIME(6) NOT NULL)";
    public const string AcquireSql = $"INSERT IGNORE INTO `{Name}` VALUES (1, UTC_TIMESTAMP(6))";
    public const string ReleaseSql = $"DELETE FROM `{Name}`";

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan Longest = TimeSpan.FromHours(72);

    private TimeSpan _waited;

    public bool TryAcquire()
    {
        if (_waited == TimeSpan.Zero)
            create.ExecuteNonQuery(parameters);
        try
        {
            return acquire.ExecuteNonQuery(parameters) > 0;
        }
        catch (MySqlException exception) when (IsTaken(exception))
        {
            return false;
        }
    }

    public async Task<bool> TryAcquireAsync(CancellationToken cancellationToken)
    {
        if (_waited == TimeSpan.Zero)
            await create.ExecuteNonQueryAsync(parameters, cancellationToken).ConfigureAwait(false);
        try
        {
            return await acquire.ExecuteNonQueryAsync(parameters, cancellationToken).ConfigureAwait(false) > 0;
        }
        catch (MySqlException exception) when (IsTaken(exception))
        {
            return false;
        }
    }

    /// <summary>Returns how long to wait before the next try.</summary>
    /// <exception cref="InvalidOperationException">The row has been there for three days.</exception>
    public TimeSpan Wait()
    {
        _waited += Pause;
        return _waited < Longest
            ? Pause
            : throw new InvalidOperationException(
                $"The row in '{Name}', the lock for migrations, has been there for three days. If no program applies migrations, one ended while it held the "
                    + "lock: delete the row.");
    }

    protected override void Release() => release.ExecuteNonQuery(parameters);

    protected override Task ReleaseAsync() => release.ExecuteNonQueryAsync(parameters);

    // Another node of the cluster was faster: its row arrives as a conflict.
    private static bool IsTaken(MySqlException exception) => exception.ErrorCode is MySqlErrorCode.LockDeadlock or MySqlErrorCode.LockWaitTimeout;
}
