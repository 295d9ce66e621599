using Slipstream.Core.Data;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql;

/// <content>Work in a transaction that is repeated.</content>
public partial class PgDataSource
{
    /// <summary>
    /// Executes work in a transaction on a connection of its own, and commits. If the transaction was certainly rolled back, or did not begin, the work is
    /// executed again in a new transaction: after a deadlock, a serialization failure, a lost connection or a failover, but not if the outcome of the commit is
    /// unknown.
    /// </summary>
    /// <typeparam name="T">The type of the result.</typeparam>
    /// <param name="work">The work. It may run several times: what it does outside of the transaction is not undone.</param>
    /// <param name="policy">The number of attempts, the pauses, and the isolation level; null for the defaults.</param>
    /// <returns>The result of the attempt that was committed.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="work"/> is null.</exception>
    /// <exception cref="PgException">The last attempt failed, or the failure must not or cannot be mended by repeating the work. If
    /// <see cref="PgException.RetrySafety"/> is <see cref="RetrySafety.Unknown"/>, the work may have been committed.</exception>
    /// <exception cref="Exception">The work threw it. The transaction is rolled back.</exception>
    public T ExecuteInTransaction<T>(Func<PgConnection, PgTransaction, T> work, TransactionRetryPolicy? policy = null) =>
        TransactionRun<PgConnection, PgTransaction>.Execute(this, work, policy);

    /// <inheritdoc cref="ExecuteInTransaction{T}"/>
    public void ExecuteInTransaction(Action<PgConnection, PgTransaction> work, TransactionRetryPolicy? policy = null)
    {
        ArgumentNullException.ThrowIfNull(work);
        TransactionRun<PgConnection, PgTransaction>.Execute(this, (connection, transaction) =>
        {
            work(connection, transaction);
            return true;
        }, policy);
    }

    /// <inheritdoc cref="ExecuteInTransaction{T}"/>
    /// <param name="work">The work. It may run several times: what it does outside of the transaction is not undone.</param>
    /// <param name="policy">The number of attempts, the pauses, and the isolation level; null for the defaults.</param>
    /// <param name="cancellationToken">Cancels the work and the pauses, but not the commit.</param>
    /// <returns>A task with the result of the attempt that was committed.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task<T> ExecuteInTransactionAsync<T>(
        Func<PgConnection, PgTransaction, CancellationToken, Task<T>> work, TransactionRetryPolicy? policy = null,
        CancellationToken cancellationToken = default) =>
        TransactionRun<PgConnection, PgTransaction>.ExecuteAsync(this, work, policy, cancellationToken);

    /// <inheritdoc cref="ExecuteInTransactionAsync{T}"/>
    /// <returns>A task that completes when the work has been committed.</returns>
    public Task ExecuteInTransactionAsync(
        Func<PgConnection, PgTransaction, CancellationToken, Task> work, TransactionRetryPolicy? policy = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(work);
        return TransactionRun<PgConnection, PgTransaction>.ExecuteAsync(this, async (connection, transaction, token) =>
        {
            await work(connection, transaction, token).ConfigureAwait(false);
            return true;
        }, policy, cancellationToken);
    }

    /// <inheritdoc/>
    internal override (RetrySafety Safety, ErrorKind Kind, bool IsTransient)? OutcomeOf(Exception exception) =>
        exception is PgException failure ? (failure.RetrySafety, failure.Kind, failure.IsTransient) : null;

    /// <inheritdoc/>
    internal override bool WasCommitted(Exception exception) => exception is PgException { CommitOutcome: PgCommitOutcome.Committed };
}
