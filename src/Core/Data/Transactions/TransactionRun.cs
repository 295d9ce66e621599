using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>Runs work in a transaction of its own, and repeats it if nothing of it was done.</summary>
/// <typeparam name="TConnection">The provider's connection.</typeparam>
/// <typeparam name="TTransaction">The provider's transaction.</typeparam>
internal static class TransactionRun<TConnection, TTransaction>
    where TConnection : ProviderConnection
    where TTransaction : ProviderTransaction
{
    /// <summary>Runs the work, and commits.</summary>
    public static T Execute<T>(ProviderDataSource source, Func<TConnection, TTransaction, T> work, TransactionRetryPolicy? policy)
    {
        ArgumentNullException.ThrowIfNull(work);
        policy ??= TransactionRetryPolicy.Default;
        var attempts = new TransactionAttempts(source, policy);
        while (true)
        {
            try
            {
                attempts.Begin();
                using var connection = (TConnection)source.CreateConnection();
                connection.Open();
                using var transaction = (TTransaction)connection.BeginTransaction(policy.IsolationLevel);
                attempts.Has(transaction);
                var result = Work(work, connection, transaction, attempts);
                Commit(source, transaction);
                return result;
            }
            catch (Exception exception) when (attempts.MayRepeat(exception))
            {
                // After the pause.
            }

            policy.Pause(attempts.Delay);
        }
    }

    /// <summary>Runs the work, and commits.</summary>
    public static async Task<T> ExecuteAsync<T>(
        ProviderDataSource source, Func<TConnection, TTransaction, CancellationToken, Task<T>> work, TransactionRetryPolicy? policy,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(work);
        policy ??= TransactionRetryPolicy.Default;
        var attempts = new TransactionAttempts(source, policy);
        while (true)
        {
            try
            {
                attempts.Begin();
                var connection = (TConnection)source.CreateConnection();
                await using var closing = connection.ConfigureAwait(false);
                await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
                var transaction = (TTransaction)await connection.BeginTransactionAsync(policy.IsolationLevel, cancellationToken).ConfigureAwait(false);
                await using var ending = transaction.ConfigureAwait(false);
                attempts.Has(transaction);
                var result = await WorkAsync(work, connection, transaction, attempts, cancellationToken).ConfigureAwait(false);
                await CommitAsync(source, transaction).ConfigureAwait(false);
                return result;
            }
            catch (Exception exception) when (attempts.MayRepeat(exception))
            {
                // After the pause.
            }

            await policy.PauseAsync(attempts.Delay, cancellationToken).ConfigureAwait(false);
        }
    }

    // An exception of the work decides, and not that of the rollback after it.
    private static T Work<T>(
        Func<TConnection, TTransaction, T> work, TConnection connection, TTransaction transaction, TransactionAttempts attempts)
    {
        try
        {
            var result = work(connection, transaction);
            attempts.WorkEnds(connection);
            return result;
        }
        catch
        {
            attempts.WorkEnds(connection);
            try
            {
                transaction.Dispose();
            }
            catch (DbException)
            {
                connection.SessionOrNull?.Break(NotRolledBack);
            }

            throw;
        }
    }

    private static async Task<T> WorkAsync<T>(
        Func<TConnection, TTransaction, CancellationToken, Task<T>> work, TConnection connection, TTransaction transaction, TransactionAttempts attempts,
        CancellationToken cancellationToken)
    {
        try
        {
            var result = await work(connection, transaction, cancellationToken).ConfigureAwait(false);
            attempts.WorkEnds(connection);
            return result;
        }
        catch
        {
            attempts.WorkEnds(connection);
            try
            {
                await transaction.DisposeAsync().ConfigureAwait(false);
            }
            catch (DbException)
            {
                connection.SessionOrNull?.Break(NotRolledBack);
            }

            throw;
        }
    }

    // The driver may have asked the server for the outcome of a lost commit.
    private static void Commit(ProviderDataSource source, TTransaction transaction)
    {
        try
        {
            transaction.Commit();
        }
        catch (DbException exception) when (source.WasCommitted(exception))
        {
            // Only the answer was lost.
        }
    }

    // A cancelled commit may or may not have taken effect.
    private static async Task CommitAsync(ProviderDataSource source, TTransaction transaction)
    {
        try
        {
            await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (DbException exception) when (source.WasCommitted(exception))
        {
            // Only the answer was lost.
        }
    }

    private const string NotRolledBack = "its transaction could not be rolled back";
}
