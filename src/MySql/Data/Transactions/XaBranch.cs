using System.Transactions;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// A branch of an XA transaction. Its states: ACTIVE → IDLE (XA END) → PREPARED (XA PREPARE) → committed; or directly from IDLE, in one phase. Source: MySQL 9
/// reference manual, "XA Transactions"; MariaDB, "XA Transactions".
/// </summary>
internal sealed class XaBranch : BranchStatements
{
    // "slip": XA RECOVER shows it, and so shows which branches are this driver's.
    private const int FormatId = 0x736C6970;

    private readonly MySqlSession _session;
    private readonly string _xid;
    private readonly IsolationLevel _isolationLevel;
    private readonly bool _isGuarded;

    public XaBranch(MySqlSession session, string transaction, int number, IsolationLevel isolationLevel)
        : base($"'{transaction}','{number}',{FormatId}", canBePrepared: true)
    {
        _session = session;
        _xid = Name;
        _isolationLevel = isolationLevel;
        _isGuarded = session.IsAutocommit;
    }

    public override string HowToResolve => $"If XA RECOVER lists it (format {FormatId}), it is still prepared: end it with XA COMMIT {_xid} or XA ROLLBACK "
        + $"{_xid}. If it is not listed, it has ended.";

    public override SimpleExchange Begin() =>
        Commands.Statements(_session.State, "XA START", BranchTexts.Begin(_isGuarded, _isolationLevel, $"XA START {_xid}"));

    public override SimpleExchange Commit() => Own("XA COMMIT", $"XA END {_xid};XA COMMIT {_xid} ONE PHASE");

    public override SimpleExchange Prepare() => Commands.Statements(_session.State, "XA PREPARE", $"XA END {_xid};XA PREPARE {_xid}");

    public override SimpleExchange CommitPrepared(Session on) => Prepared(on, "XA COMMIT");

    public override SimpleExchange Rollback() => Own("XA ROLLBACK", $"XA END {_xid};XA ROLLBACK {_xid}");

    // A branch that the server has marked for rollback (for example after a deadlock) refuses XA END and thereby leaves ACTIVE.
    public override SimpleExchange RollbackRefused() => RollbackPrepared(_session);

    public override SimpleExchange RollbackPrepared(Session on) => Prepared(on, "XA ROLLBACK");

    public override BranchRefusal MeaningOf(ServerError refusal) => MeaningOf(refusal.Number);

    /// <summary>Returns the meaning of an error of an XA statement. Source: the X/Open specification's return codes; MySQL error reference, ER_XA….</summary>
    internal static BranchRefusal MeaningOf(int number) => (MySqlErrorCode)number switch
    {
        MySqlErrorCode.XARBRollback or MySqlErrorCode.XARBTimeout or MySqlErrorCode.XARBDeadlock => BranchRefusal.RolledBack,
        MySqlErrorCode.XAERNotA => BranchRefusal.Unknown,
        MySqlErrorCode.XAERRemoveError => BranchRefusal.InDoubt,
        // Wrong state, wrong arguments, work outside the transaction, an existing id: none of these errors has ended anything.
        MySqlErrorCode.XAERRemoveFail or MySqlErrorCode.XAERInvalid or MySqlErrorCode.XAEROutside or MySqlErrorCode.XAERDuplicateID => BranchRefusal.Undecided,
        _ => BranchRefusal.Undecided,
    };

    private SimpleCommand Own(string what, string end) => Commands.Statements(_session.State, what, BranchTexts.End(_isGuarded, end));

    private SimpleCommand Prepared(Session on, string what) =>
        ReferenceEquals(on, _session) ? Own(what, $"{what} {_xid}") : Commands.Statements(((MySqlSession)on).State, what, $"{what} {_xid}");
}
