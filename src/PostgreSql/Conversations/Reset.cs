using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Restores the state of a new session with DISCARD ALL. That drops the prepared statements; if they can be kept, its other parts run one by one. They cannot
/// be kept if they were prepared under other settings, or if the user has also prepared statements. Behind a pooler, its other parts always run one by one, and
/// the settings of the login are set again.
/// It is a simple query with its own ReadyForQuery: DISCARD ALL must not share a transaction with what follows. Source: PostgreSQL 18, DISCARD.
/// </summary>
internal sealed class Reset(ISessionHost session, ServerState state, PreparedStatements prepared) : SimpleExchange
{
    public override string Description => "the reset of the session";

    private static ReadOnlySpan<byte> All => "DISCARD ALL"u8;

    private static ReadOnlySpan<byte> AllButPrepared =>
        "SET SESSION AUTHORIZATION DEFAULT;RESET ALL;CLOSE ALL;UNLISTEN *;SELECT pg_advisory_unlock_all();DISCARD SEQUENCES;DISCARD TEMP"u8;

    private static ReadOnlySpan<byte> UntilUnlocking =>
        "SET SESSION AUTHORIZATION DEFAULT;RESET ALL;CLOSE ALL;UNLISTEN *;SELECT pg_advisory_unlock_all()"u8;

    private static ReadOnlySpan<byte> AfterUnlocking => ";DISCARD SEQUENCES;DISCARD TEMP"u8;

    // The number of statements in AllButPrepared, and the index of the one that returns a row.
    private const int StatementsButPrepared = 7;
    private const int Unlocking = 4;

    /// <summary>Whether the reset is owed or has been sent, and the server has not answered yet.</summary>
    public bool IsPending { get; private set; }

    // Otherwise, the server goes on with the command that follows in the same send.
    public override bool PreventsCommand => _endsSession;

    private bool _endsSession;
    private byte[]? _restoring;
    private bool _restores;
    private int _statements;
    private int _completed;

    /// <summary>
    /// Decides what is dropped. That happens before the following command is written, which must not execute a dropped statement. The reset itself may be
    /// written later.
    /// </summary>
    public void Choose()
    {
        IsPending = true;
        state.RestorePath();
        _restores = state.IsBehindPooler;
        _statements = _restores || (prepared.Count > 0 && !state.MustDiscardAll) ? StatementsButPrepared : 1;
        if (_restores)
            state.BeginRestoring();
        else if (_statements == 1)
            state.BeginDiscardingAll();
    }

    public override void Encode(Wire wire)
    {
        Error = null;
        _completed = 0;
        // The calls that restore the settings belong to the statement that returns a row.
        if (_restores)
            Query.Write(wire.Out, _restoring ??= [.. UntilUnlocking, .. state.LoginSettings, .. AfterUnlocking]);
        else
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
                    var error = Messages.ReadError(body);
                    _endsSession = error.EndsSession;
                    Error = error.ToServerError();
                    IsPending = false;
                    return Step.Completed;
                case BackendMessage.ReadyForQuery when _completed == _statements:
                    state.TransactionStatus = Messages.ReadStatus(body);
                    state.EndReset();
                    IsPending = false;
                    return Step.Completed;
                default:
                    Messages.TakeAsynchronous(session, state, type, body, "the answer to a reset");
                    break;
            }
        }

        return Step.Receive;
    }
}
