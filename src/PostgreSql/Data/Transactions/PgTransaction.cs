using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// A transaction on one connection. Its BEGIN travels with the first command. If the BEGIN fails, the command is not executed.
/// </summary>
public sealed class PgTransaction : ProviderTransaction
{
    internal PgTransaction(PgConnection connection, IsolationLevel isolationLevel)
        : base(connection, isolationLevel == IsolationLevel.Unspecified ? IsolationLevel.ReadCommitted : isolationLevel)
    {
        PrependedBegin = isolationLevel switch
        {
            IsolationLevel.Unspecified or IsolationLevel.ReadCommitted => "BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED",
            IsolationLevel.ReadUncommitted => "BEGIN TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
            IsolationLevel.RepeatableRead or IsolationLevel.Snapshot => "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ",
            IsolationLevel.Serializable => "BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE",
            _ =>
                throw new NotSupportedException(
                    $"IsolationLevel.{isolationLevel} is not an isolation level of PostgreSQL: use ReadUncommitted, ReadCommitted, RepeatableRead, "
                        + "Serializable or Snapshot."),
        };
    }

    /// <summary>Gets the connection; null after the transaction has ended.</summary>
    public new PgConnection? Connection => (PgConnection?)DbConnection;

    /// <inheritdoc/>
    protected override DbConnection? DbConnection => base.DbConnection;

    /// <summary>
    /// Commits the transaction. Sends nothing if no command has used the transaction. If the connection is lost meanwhile, the option Commit Status Timeout
    /// determines whether the driver asks the server for the outcome.
    /// </summary>
    /// <inheritdoc/>
    public override void Commit()
    {
        if (!AsksForOutcome)
        {
            base.Commit();
            return;
        }

        var question = CommitQuestion.Prepare(Connection!, this);
        try
        {
            base.Commit();
        }
        catch (PgException lost) when (question.Concerns(lost))
        {
            throw new PgException(lost, question.Ask(lost));
        }
    }

    /// <summary>
    /// Commits the transaction asynchronously. Sends nothing if no command has used the transaction. If the connection is lost meanwhile, the option Commit
    /// Status Timeout determines whether the driver asks the server for the outcome.
    /// </summary>
    /// <inheritdoc/>
    public override Task CommitAsync(CancellationToken cancellationToken = default) =>
        AsksForOutcome ? CommitAndAskAsync(cancellationToken) : base.CommitAsync(cancellationToken);

    private async Task CommitAndAskAsync(CancellationToken cancellationToken)
    {
        var question = await CommitQuestion.PrepareAsync(Connection!, this, cancellationToken).ConfigureAwait(false);
        try
        {
            await base.CommitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (PgException lost) when (question.Concerns(lost))
        {
            throw new PgException(lost, await question.AskAsync(lost, cancellationToken).ConfigureAwait(false));
        }
    }

    // The server rolls a failed transaction back, and it has nothing to commit if no command was sent.
    private bool AsksForOutcome =>
        Connection is { SessionOrNull: PgSession { PendingBegin: null, State.TransactionStatus: TransactionStatus.InTransaction } } connection
        && connection.PgSource.Settings.CommitStatusTimeout > 0;

    /// <inheritdoc/>
    private protected override string PrependedBegin { get; }

    /// <inheritdoc/>
    private protected override IReadOnlyList<string> Begins => [];

    /// <inheritdoc/>
    private protected override bool EndsWithServerTransaction => true;

    /// <inheritdoc/>
    private protected override string Quote(string name) => $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
