using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>A check that the server still answers: a Sync, answered with ReadyForQuery.</summary>
internal sealed class Ping(ISessionHost session, ServerState state) : SimpleExchange
{
    public override string Description => "ping";

    public override void Encode(Wire wire) => Sync.Write(wire.Out);

    public override Step Advance(Wire wire)
    {
        while (Messages.TryTake(wire, out var type, out var start, out var end))
        {
            var body = wire.In.AsSpan(start, end - start);
            switch (type)
            {
                case BackendMessage.ReadyForQuery:
                    state.TransactionStatus = Messages.ReadStatus(body);
                    return Step.Completed;
                case BackendMessage.ErrorResponse:
                    Error = Messages.ReadError(body).ToServerError();
                    session.Break(Error.Message);
                    return Step.Completed;
                default:
                    Messages.TakeAsynchronous(session, state, type, body, "the answer to Sync");
                    break;
            }
        }

        return Step.Receive;
    }
}

/// <summary>
/// An empty query that absorbs a cancellation which came too late for its command. An error of the empty query itself is ignored.
/// </summary>
internal sealed class AbsorbQuery(ISessionHost session, ServerState state) : Conversation
{
    private bool _sent;

    public override Step Advance(Wire wire)
    {
        if (!_sent)
        {
            _sent = true;
            Query.Write(wire.Out, []);                               // C: Query
            return Step.Send;
        }

        while (Messages.TryTake(wire, out var type, out var start, out var end))
        {
            var body = wire.In.AsSpan(start, end - start);
            switch (type)
            {
                case BackendMessage.EmptyQueryResponse:              // S: EmptyQueryResponse, or ErrorResponse 57014
                    break;
                case BackendMessage.ErrorResponse:
                    if (Messages.ReadError(body) is { EndsSession: true } fatal)
                    {
                        session.Break(fatal.MessageText);
                        return Step.Completed;
                    }

                    break;
                case BackendMessage.ReadyForQuery:                   // S: ReadyForQuery
                    state.TransactionStatus = Messages.ReadStatus(body);
                    return Step.Completed;
                default:
                    Messages.TakeAsynchronous(session, state, type, body, "the answer to an empty query");
                    break;
            }
        }

        return Step.Receive;
    }
}
