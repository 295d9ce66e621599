using System.Transactions;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// A branch of an ambient transaction. If it is the only branch, it is an ordinary transaction; otherwise it is a prepared one. Source: PostgreSQL 18,
/// "Two-Phase Transactions".
/// </summary>
internal sealed class PgBranch(PgSession session, string transaction, int number, IsolationLevel isolationLevel)
    : BranchStatements($"slipstream:{transaction}:{number}", canBePrepared: true)
{
    private readonly string _begin = isolationLevel switch
    {
        IsolationLevel.Unspecified => "BEGIN",
        IsolationLevel.ReadCommitted => "BEGIN ISOLATION LEVEL READ COMMITTED",
        IsolationLevel.ReadUncommitted => "BEGIN ISOLATION LEVEL READ UNCOMMITTED",
        IsolationLevel.RepeatableRead or IsolationLevel.Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ",
        IsolationLevel.Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
        _ =>
            throw new NotSupportedException(
                $"The transaction's IsolationLevel.{isolationLevel} is not an isolation level of PostgreSQL: use ReadUncommitted, ReadCommitted, "
                    + "RepeatableRead, Serializable or Snapshot."),
    };

    public override bool IsNamedUnprepared => false;

    public override string HowToResolve => $"If pg_prepared_xacts lists it, it is still prepared: end it with COMMIT PREPARED '{Name}' or ROLLBACK PREPARED "
        + $"'{Name}'. If it is not listed, check whether its changes exist: the server keeps no other record.";

    public override SimpleExchange Begin() => session.CreateSimple(_begin);

    public override SimpleExchange Commit() => session.CreateSimple("COMMIT");

    public override SimpleExchange Prepare() => session.CreateSimple($"PREPARE TRANSACTION '{Name}'");

    public override SimpleExchange CommitPrepared(Session on) => on.CreateSimple($"COMMIT PREPARED '{Name}'");

    public override SimpleExchange Rollback() => session.CreateSimple("ROLLBACK");

    public override SimpleExchange RollbackPrepared(Session on) => on.CreateSimple($"ROLLBACK PREPARED '{Name}'");

    // A COMMIT or PREPARE TRANSACTION that the server rejects has ended the transaction.
    public override BranchRefusal MeaningOf(ServerError refusal) => BranchRefusal.RolledBack;
}
