using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// A statement of the provider itself that succeeds or fails without a result: BEGIN, COMMIT, SAVEPOINT. Alone it is a simple query. As the prefix of a command
/// it shares that command's Sync, so that the server skips the command if the prefix fails.
/// </summary>
internal sealed class Simple(ISessionHost session, ServerState state, string sql, bool mayPipeline) : SimpleExchange
{
    private bool _failed;
    private bool _endsSession;
    private bool _isDone;

    // Without pipelining even a prefix is sent alone.
    private bool SharesSync => IsPrefix && mayPipeline;

    public override string Description => sql;

    /// <summary>Gets whether the statement may commit something.</summary>
    public bool MayCommit => sql.StartsWith("COMMIT", StringComparison.Ordinal);

    public override bool IsAnsweredSeparately => !SharesSync;

    public override bool PreventsCommand => SharesSync || _endsSession;

    public override void Encode(Wire wire)
    {
        var text = Encoding.UTF8.GetBytes(sql);
        if (!SharesSync)
        {
            Query.Write(wire.Out, text);                             // C: Query
            return;
        }

        Parse.Write(wire.Out, [], text, []);                         // C: Parse, Bind, Execute
        Bind.End(wire.Out, Bind.Begin(wire.Out, [], 0), Bind.Text);
        Execute.Write(wire.Out);
    }

    public override Step Advance(Wire wire)
    {
        while (Messages.TryTake(wire, out var type, out var start, out var end))
        {
            var body = wire.In.AsSpan(start, end - start);
            switch (type)
            {
                case BackendMessage.ParseComplete or BackendMessage.BindComplete when SharesSync && !_failed:
                    break;
                case BackendMessage.CommandComplete when !_failed:
                    CheckTag(body);
                    if (body.SequenceEqual("ROLLBACK\0"u8) || body.SequenceEqual("PREPARE TRANSACTION\0"u8))
                        state.RolledBack();
                    if (SharesSync)
                        return Step.Completed;
                    _isDone = !_failed;
                    break;
                case BackendMessage.ErrorResponse:
                    var error = Messages.ReadError(body);
                    _endsSession = error.EndsSession;
                    if (_endsSession)
                        session.Break(error.MessageText);
                    state.Refused();
                    // The session ends after the statement has run (a COMMIT has committed): the server did not refuse it.
                    if (_isDone && error.EndsSession)
                        return Step.Completed;
                    Error = session.Judge(error.ToServerError(), isWhole: false, isOnly: false);
                    _failed = true;
                    if (SharesSync || error.EndsSession)
                        return Step.Completed;
                    break;
                case BackendMessage.ReadyForQuery when !SharesSync:
                    state.TransactionStatus = Messages.ReadStatus(body);
                    return Step.Completed;
                default:
                    Messages.TakeAsynchronous(session, state, type, body, $"the answer to {sql}");
                    break;
            }
        }

        return Step.Receive;
    }

    // The server answers the COMMIT (or PREPARE TRANSACTION) of a failed transaction with "ROLLBACK" and without an error. The caller must learn of it.
    private void CheckTag(ReadOnlySpan<byte> body)
    {
        if ((sql == "COMMIT" || sql.StartsWith("PREPARE TRANSACTION", StringComparison.Ordinal)) && body.SequenceEqual("ROLLBACK\0"u8))
        {
            Error = new ServerError(0, "25P02", "The transaction was rolled back instead of committed, because a statement in it had failed.")
            {
                Safety = RetrySafety.RolledBack,
            };
            _failed = true;
        }
    }
}
