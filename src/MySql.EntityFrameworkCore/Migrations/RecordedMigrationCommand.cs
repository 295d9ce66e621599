using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>A command of a migration that is executed unless it is done, and that records its beginning.</summary>
internal sealed class RecordedMigrationCommand(MigrationCommand inner, MigrationRun run, int index)
    : MigrationCommand(null!, null, inner.CommandLogger, inner.TransactionSuppressed)
{
    public override string CommandText => inner.CommandText;

    public override IRelationalCommandDiagnosticsLogger CommandLogger => inner.CommandLogger;

    public override int ExecuteNonQuery(IRelationalConnection connection, IReadOnlyDictionary<string, object?>? parameterValues = null)
    {
        run.Load();
        if (run.IsDone(index))
            return 0;
        run.Begin(index);
        try
        {
            if (!run.IsLast(index))
                return inner.ExecuteNonQuery(connection, parameterValues);
            run.BeginLast();
            var rows = inner.ExecuteNonQuery(connection, parameterValues);
            run.Progress.Commit();
            return rows;
        }
        catch (MySqlException error) when (!run.IsLast(index) && run.WasExecuted(index, error))
        {
            return 0;
        }
        catch (MySqlException error) when (IsRefused(error))
        {
            run.Refuse(index);
            throw;
        }
    }

    public override async Task<int> ExecuteNonQueryAsync(
        IRelationalConnection connection, IReadOnlyDictionary<string, object?>? parameterValues = null, CancellationToken cancellationToken = default)
    {
        await run.LoadAsync(cancellationToken).ConfigureAwait(false);
        if (run.IsDone(index))
            return 0;
        await run.BeginAsync(index, cancellationToken).ConfigureAwait(false);
        try
        {
            if (!run.IsLast(index))
                return await inner.ExecuteNonQueryAsync(connection, parameterValues, cancellationToken).ConfigureAwait(false);
            await run.BeginLastAsync(cancellationToken).ConfigureAwait(false);
            var rows = await inner.ExecuteNonQueryAsync(connection, parameterValues, cancellationToken).ConfigureAwait(false);
            await run.Progress.CommitAsync(cancellationToken).ConfigureAwait(false);
            return rows;
        }
        catch (MySqlException error) when (!run.IsLast(index) && run.WasExecuted(index, error))
        {
            return 0;
        }
        catch (MySqlException error) when (IsRefused(error))
        {
            await run.RefuseAsync(index, cancellationToken).ConfigureAwait(false);
            throw;
        }
    }

    private static bool IsRefused(MySqlException error) =>
        error is { RetrySafety: not RetrySafety.Unknown, SqlState: not null } && error.Kind != ErrorKind.ConnectionLost;
}
