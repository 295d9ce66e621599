using Microsoft.EntityFrameworkCore.Migrations;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>The lock that one migrator holds, and the progress of its migrations.</summary>
internal abstract class MigrationsDatabaseLock(IHistoryRepository historyRepository, MigrationProgress progress) : IMigrationsDatabaseLock
{
    public IHistoryRepository HistoryRepository => historyRepository;

    public MigrationProgress Progress => progress;

    public void Dispose()
    {
        try
        {
            progress.Close();
        }
        finally
        {
            Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            await progress.CloseAsync().ConfigureAwait(false);
        }
        finally
        {
            await ReleaseAsync().ConfigureAwait(false);
        }
    }

    protected abstract void Release();

    protected abstract Task ReleaseAsync();
}
