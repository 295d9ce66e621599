using System.Transactions;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>The only branch of an ambient transaction without XA: an ordinary transaction.</summary>
internal sealed class PlainBranch : BranchStatements
{
    private readonly MySqlSession _session;
    private readonly IsolationLevel _isolationLevel;
    private readonly bool _isGuarded;

    public PlainBranch(MySqlSession session, string transaction, int number, IsolationLevel isolationLevel)
        : base($"{transaction}:{number}", canBePrepared: false)
    {
        _session = session;
        _isolationLevel = isolationLevel;
        // START TRANSACTION alone is not preceded by a statement that could be refused.
        _isGuarded = isolationLevel != IsolationLevel.Unspecified && session.IsAutocommit;
    }

    public override string HowToResolve => "Check whether its changes exist: the server keeps no record of transactions that have ended.";

    public override SimpleExchange Begin() =>
        Commands.Statements(_session.State, "START TRANSACTION", BranchTexts.Begin(_isGuarded, _isolationLevel, "START TRANSACTION"));

    public override SimpleExchange Commit() => Commands.Statements(_session.State, "COMMIT", BranchTexts.End(_isGuarded, "COMMIT"));

    public override SimpleExchange Rollback() => Commands.Statements(_session.State, "ROLLBACK", BranchTexts.End(_isGuarded, "ROLLBACK"));

    // Whether or not a ROLLBACK after a refused COMMIT has something to undo, it succeeds.
    public override SimpleExchange RollbackRefused() => Rollback();

    public override SimpleExchange Prepare() => throw CannotBePrepared();

    public override SimpleExchange CommitPrepared(Session on) => throw CannotBePrepared();

    public override SimpleExchange RollbackPrepared(Session on) => throw CannotBePrepared();

    // A refused COMMIT has rolled back: write conflicts in a cluster, a full disk.
    public override BranchRefusal MeaningOf(ServerError refusal) => BranchRefusal.Undecided;

    private static InvalidOperationException CannotBePrepared() => new("A transaction without XA cannot be prepared.");
}
