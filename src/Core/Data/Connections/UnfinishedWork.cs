using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>
/// What a connection that is closed has not come to an end with, and what is done about it before its session goes back: a reader, a transaction.
/// </summary>
internal static class UnfinishedWork
{
    // A distributed transaction refuses it, for instance: closing gives the session up, and is done.
    private const string CannotRollBack = "its open transaction could not be rolled back";

    /// <summary>Whether there is any. A transaction begun by SQL counts too: its locks must not stay behind with an idle session.</summary>
    public static bool IsOn(ProviderConnection connection) =>
        connection.ActiveReader is not null || connection.CurrentTransaction is not null
        || connection.SessionOrNull is { IsInTransaction: true, IsBroken: false } && !connection.IsEnlisted;

    /// <summary>Closes the reader and rolls back.</summary>
    public static void End(ProviderConnection connection)
    {
        try
        {
            connection.ActiveReader?.Close();
        }
        finally
        {
            RollBack(connection);
        }
    }

    private static void RollBack(ProviderConnection connection)
    {
        try
        {
            connection.CurrentTransaction?.Dispose();
            if (HasTransactionOfSql(connection))
                connection.Run(connection.Session.CreateSimple("ROLLBACK"), KnownSummaries.Rollback);
        }
        catch (Exception exception) when (CannotBeRolledBack(connection, exception))
        {
            connection.SessionOrNull?.Break(CannotRollBack);
        }
    }

    /// <summary>Closes the reader and rolls back.</summary>
    public static async ValueTask EndAsync(ProviderConnection connection)
    {
        try
        {
            if (connection.ActiveReader is { } reader)
                await reader.CloseAsync().ConfigureAwait(false);
        }
        finally
        {
            await RollBackAsync(connection).ConfigureAwait(false);
        }
    }

    private static async ValueTask RollBackAsync(ProviderConnection connection)
    {
        try
        {
            if (connection.CurrentTransaction is { } transaction)
                await transaction.DisposeAsync().ConfigureAwait(false);
            if (HasTransactionOfSql(connection))
                await connection.RunAsync(connection.Session.CreateSimple("ROLLBACK"), KnownSummaries.Rollback, default).ConfigureAwait(false);
        }
        catch (Exception exception) when (CannotBeRolledBack(connection, exception))
        {
            connection.SessionOrNull?.Break(CannotRollBack);
        }
    }

    private static bool HasTransactionOfSql(ProviderConnection connection) =>
        !connection.IsEnlisted && connection.SessionOrNull is { IsInTransaction: true, IsBroken: false, Operation.IsRunning: false };

    private static bool CannotBeRolledBack(ProviderConnection connection, Exception exception) =>
        exception is DbException || connection.SessionOrNull is null or { IsBroken: true };
}
