using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Restores the state of a new session with DISCARD ALL. That drops the prepared statements; if they can be kept, its other parts run one by one. They cannot
/// be kept if they were prepared under other settings, or if the user has also prepared statements.
/// It is a simple query with its own ReadyForQuery: DISCARD ALL must not share a transaction with what follows. Source: PostgreSQL 18, DISCARD.
/// </summary>
internal sealed class Reset(ISessionHost session, ServerState state, PreparedStatements prepared) : SimpleExchange
{
    public override string Description => "the reset of the session";

    private static ReadOnlySpan<byte> All => "DISCARD ALL"u8;

    private static ReadOnlySpan<byte> AllButPrepared =>
        "SET SESSION AUTHORIZATION DEFAULT;RESET ALL;CLOSE ALL;UNLISTEN *;SELECT pg_advisory_unlock_all();DISCARD SEQUENCES;DISCARD TEMP"u8;

    // The number of statements in AllButPrepared, and the index of the one that returns a row.
    private const int StatementsButPrepared = 7;
    private const int Unlocking = 4;

    private int _statements;
    private int _completed;

    /// <summary>
    /// Decides what is dropped. That happens before the following command is written, which must not execute a dropped statement. The reset itself may be
    /// written later.
    /// </summary>
    public void Choose()
    {
        state.RestorePath();
        _statements = prepared.Count > 0 && !state.MustDiscardAll ? StatementsButPrepared : 1;
        if (_statements == 1)
            state.BeginDiscardingAll();
    }

    public override void Encode(Wire wire)
    {
        Error = null;
        _completed = 0;
        Query.Write(wire.Out, _statements > 1 ? AllButPrepared : All);
    }

    public override Step Advance(Wire wire)
    {
        while (Messages.TryTake(wire, out var type, out var start, out var end))
        {
            var body = wire.In.AsSpan(start, end - start);
            switch (type)
            {
                case BackendMessage.CommandComplete when _completed < _statements:
                    _completed++;
                    break;
                case BackendMessage.RowDescription or BackendMessage.DataRow when _completed == Unlocking:
                    break;
                case BackendMessage.ErrorResponse:
                    Error = Messages.ReadError(body).ToServerError();
                    return Step.Completed;
                case BackendMessage.ReadyForQuery when _completed == _statements:
                    state.TransactionStatus = Messages.ReadStatus(body);
                    state.EndDiscardingAll();
                    return Step.Completed;
                default:
                    Messages.TakeAsynchronous(session, state, type, body, "the answer to a reset");
                    break;
            }
        }

        return Step.Receive;
    }
}
