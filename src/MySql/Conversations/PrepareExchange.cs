using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>COM_STMT_PREPARE alone, for a Prepare that waits for the answer. The session keeps the statement for the executions.</summary>
/// <param name="session">The session that prepares.</param>
/// <param name="statement">What is prepared.</param>
/// <param name="sql">Its text.</param>
internal sealed class PrepareExchange(SessionContext session, MySqlStatement statement, ScannedSql sql) : SimpleExchange
{
    private Preparation? _preparation;

    public override string Description => "PREPARE";

    public override void Encode(Wire wire)
    {
        var asksTypes = session.State.SettlesTypes && sql.Parameters.Length > 0 && statement.Settled is null;
        _preparation = new(session, sql, session.State.Codecs, asksTypes);                          // C: COM_STMT_PREPARE
    }

    public override Step Advance(Wire wire)
    {
        var step = _preparation!.Advance(wire);                                                     // S: COM_STMT_PREPARE_OK or ERR
        if (step != Step.Completed)
            return step;
        Error = _preparation.Error;
        if (Error is not null)
        {
            session.State.Refused(Error);
            return step;
        }

        var prepared = _preparation.Take();
        prepared.IsByUser = true;
        session.Prepared.Remember(statement, prepared);
        if (_preparation.Settled is { } settled)
            statement.Settled = settled;
        statement.StaysText |= _preparation.Warns;
        return step;
    }
}
