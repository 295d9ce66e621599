using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Waits for one message that the server sends without a request: a notification, a notice or a changed setting. It sends nothing, so it can end at any time: a
/// part of a message that has arrived stays in the buffer. Source: PostgreSQL 18, 54.2.7 "Asynchronous Operations".
/// </summary>
/// <param name="session">Gets the message.</param>
/// <param name="state">Gets a changed setting.</param>
/// <param name="arrival">Limits the wait; null: no limit.</param>
internal sealed class MessageWait(ISessionHost session, ServerState state, Arrival? arrival) : RequestedExchange
{
    /// <summary>Whether a message has come. If not, the wait has reached its limit.</summary>
    public bool HasMessage { get; private set; }

    public override ExternalSource ExternalSource => arrival ?? base.ExternalSource;

    public override void Encode(Wire wire)
    {
        // The server sends the message without a request.
    }

    public override Step Advance(Wire wire)
    {
        if (!Messages.TryTake(wire, out var type, out var start, out var end))
            return arrival is null ? Step.Receive : arrival.HasEnded ? Step.Completed : Step.WaitExternal;
        var body = wire.In.AsSpan(start, end - start);
        if (type == BackendMessage.ErrorResponse && Messages.ReadError(body) is { EndsSession: true } error)
        {
            Error = error.ToServerError();
            session.Break(error.MessageText);
            return Step.Completed;
        }

        Messages.TakeAsynchronous(session, state, type, body, "a notification");
        HasMessage = true;
        return Step.Completed;
    }
}
