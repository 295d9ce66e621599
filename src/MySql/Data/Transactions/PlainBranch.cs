using System.Transactions;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>An ambient transaction's only branch, without XA: an ordinary transaction.</summary>
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
        // START TRANSACTION alone has nothing in front of it that could be refused.
        _isGuarded = isolationLevel != IsolationLevel.Unspecified && session.CommitsBySelf;
    }

    public override string HowToResolve => "Look for its changes: the server keeps no record of transactions that have ended.";

    public override SimpleExchange Begin() =>
        Commands.Statements(_session.State, "START TRANSACTION", BranchTexts.Begin(_isGuarded, _isolationLevel, "START TRANSACTION"));

    public override SimpleExchange Commit() => Commands.Statements(_session.State, "COMMIT", BranchTexts.End(_isGuarded, "COMMIT"));

    public override SimpleExchange Rollback() => Commands.Statements(_session.State, "ROLLBACK", BranchTexts.End(_isGuarded, "ROLLBACK"));

    // A ROLLBACK that follows a refused COMMIT has something to undo or has not: either way the answer is yes.
    public override SimpleExchange RollbackRefused() => Rollback();

    public override SimpleExchange Prepare() => throw CannotBePrepared();

    public override SimpleExchange CommitPrepared(Session on) => throw CannotBePrepared();

    public override SimpleExchange RollbackPrepared(Session on) => throw CannotBePrepared();

    // A COMMIT that is refused has rolled back: write conflicts in a cluster, a full disk.
    public override BranchRefusal MeaningOf(ServerError refusal) => BranchRefusal.Undecided;

    private static InvalidOperationException CannotBePrepared() => new("A transaction without XA cannot be prepared.");
}
