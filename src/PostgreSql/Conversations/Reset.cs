using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Brings a session back to the state of a new one. DISCARD ALL, whose parts are done one by one when there are prepared statements, which it would drop,
/// and which may be kept: not when they were prepared under other settings, nor when the user has prepared some of his own.
/// A simple query with a ReadyForQuery of its own: DISCARD ALL must not share a transaction with what follows. Source: PostgreSQL 18, DISCARD.
/// </summary>
internal sealed class Reset(ISessionHost session, ServerState state, PreparedStatements prepared) : SimpleExchange
{
    public override string What => "the reset of the session";

    private static ReadOnlySpan<byte> All => "DISCARD ALL"u8;

    private static ReadOnlySpan<byte> AllButPrepared =>
        "SET SESSION AUTHORIZATION DEFAULT;RESET ALL;CLOSE ALL;UNLISTEN *;SELECT pg_advisory_unlock_all();DISCARD SEQUENCES;DISCARD TEMP"u8;

    // What AllButPrepared has of statements, and which of them returns a row.
    private const int StatementsButPrepared = 7;
    private const int Unlocking = 4;

    private int _statements;
    private int _completed;

    /// <summary>
    /// Decides what is dropped. Before the command behind it is written, which must not execute what will be gone; its own bytes may be written later.
    /// </summary>
    public void Choose()
    {
        state.PathGoesBack();
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
