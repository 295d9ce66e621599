using System.Data;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Internal;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.ValueGeneration;

#pragma warning disable EF1001 // the executor has no public base class

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>
/// Executes the commands of migrations, and those that create the tables of a new database. They may create or restart a sequence, which returns again what
/// is left of the program's blocks. A migration that failed before continues where it ended.
/// </summary>
internal sealed class MySqlMigrationCommandExecutor(IExecutionStrategy executionStrategy, SequenceBlocks blocks) : MigrationCommandExecutor(executionStrategy)
{
    public override int ExecuteNonQuery(
        IReadOnlyList<MigrationCommand> migrationCommands, IRelationalConnection connection, MigrationExecutionState executionState, bool commitTransaction,
        IsolationLevel? isolationLevel = null)
    {
        try
        {
            return base.ExecuteNonQuery(Recorded(migrationCommands, executionState), connection, executionState, commitTransaction, isolationLevel);
        }
        finally
        {
            blocks.Forget(connection.DbConnection);
        }
    }

    public override async Task<int> ExecuteNonQueryAsync(
        IReadOnlyList<MigrationCommand> migrationCommands, IRelationalConnection connection, MigrationExecutionState executionState, bool commitTransaction,
        IsolationLevel? isolationLevel = null, CancellationToken cancellationToken = default)
    {
        try
        {
            return await base.ExecuteNonQueryAsync(
                Recorded(migrationCommands, executionState), connection, executionState, commitTransaction, isolationLevel, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            blocks.Forget(connection.DbConnection);
        }
    }

    // In a transaction of the caller, nobody holds the lock. A migration of one command only enters the history.
    private static IReadOnlyList<MigrationCommand> Recorded(IReadOnlyList<MigrationCommand> commands, MigrationExecutionState state) =>
        state is { CurrentMigrationId: { } id, DatabaseLock: MigrationsDatabaseLock held } && commands.Count > 1
            ? MigrationRun.Record(held.Progress, id, commands)
            : commands;
}
