using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>
/// The unfinished work of a connection that is being closed, and its end before the session is returned: a reader, a transaction.
/// </summary>
internal static class UnfinishedWork
{
    // The server refuses ROLLBACK in a distributed transaction, for instance. Closing the connection then breaks the session.
    private const string CannotRollBack = "its open transaction could not be rolled back";

    /// <summary>Whether there is unfinished work. This includes a transaction that SQL statements began: an idle session must not keep its locks.</summary>
    public static bool IsOn(ProviderConnection connection) =>
        connection.ActiveReader is not null || connection.OpenExchange is not null || connection.CurrentTransaction is not null
        || connection.SessionOrNull is { IsInTransaction: true, IsBroken: false } && !connection.IsEnlisted;

    /// <summary>Closes the reader or another open exchange, and rolls the transaction back.</summary>
    public static void End(ProviderConnection connection)
    {
        try
        {
            connection.ActiveReader?.Close();
            connection.OpenExchange?.Abandon();
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

    /// <summary>Closes the reader or another open exchange, and rolls the transaction back.</summary>
    public static async ValueTask EndAsync(ProviderConnection connection)
    {
        try
        {
            if (connection.ActiveReader is { } reader)
                await reader.CloseAsync().ConfigureAwait(false);
            if (connection.OpenExchange is { } open)
                await open.AbandonAsync().ConfigureAwait(false);
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
