using Slipstream.Core.Conversations;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql.Sessions;

/// <content>Whether a lease needs a reset, by what its state proves.</content>
internal sealed partial class MySqlSession
{
    // MariaDB keeps a role behind a reset, and a procedure or EXECUTE may have set one: no text shows it, the tracker tells only that something has changed.
    private const string DefaultRole = """
        BEGIN NOT ATOMIC
        DECLARE r TEXT DEFAULT NULL;
        DECLARE CONTINUE HANDLER FOR NOT FOUND BEGIN END;
        SELECT ROLE_NAME INTO r FROM information_schema.APPLICABLE_ROLES WHERE IS_DEFAULT = 'YES' LIMIT 1;
        EXECUTE IMMEDIATE CONCAT('SET ROLE ', IFNULL(CONCAT('`', REPLACE(r, '`', '``'), '`'), 'NONE'));
        END
        """;

    private bool _tracks;
    private bool _skipsResets;

    /// <summary>See <see cref="State.ServerState.IsRepeatableRead"/>; false while a reset is owed.</summary>
    public bool IsRepeatableRead => State.IsRepeatableRead && !NeedsReset;

    /// <summary>
    /// True when it is known that START TRANSACTION ends nothing that is there, or that a reset, which is owed, has ended it by then.
    /// </summary>
    public override bool HoldsNothing => NeedsReset || State.HoldsNothing;

    public override bool MayHideTransaction => !NeedsReset && State.MayHideTransaction;

    protected override bool IsProvenClean => _skipsResets && State.IsClean && State.Database == _configuredDatabase;

    /// <summary>
    /// Says whether commands may be glued, and from that whether the tracker is used:
    /// through a proxy that cannot take the one, only who asks for it trusts the other.
    /// </summary>
    public void Track(bool mayPipeline, MySqlResetMode mode)
    {
        MayPipeline = mayPipeline;
        _tracks = State.IsTracked && (mayPipeline || mode == MySqlResetMode.Tracked);
        _skipsResets = _tracks && mode is MySqlResetMode.Tracked or MySqlResetMode.Automatic;
        NeedsSettings = (_tracks && !State.TrackerIsOn) || OwesIdentity;
    }

    // What does not come through here is not known, and nothing is proven of it.
    protected override void Runs(Conversation last)
    {
        if (!ReferenceEquals(last, Results) && last is not (SimpleCommand or BatchExchange))
            State.MarkUnproven();
        while (Prepared.TryTakeToClose(out var id))
            Queue.Glue(new StatementClosing(id), Wire);
    }

    protected override void ResetSkipped() => NeedsSettings |= State.LeavesKey || State.LeavesWarnings;
}
