using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>Loads the types of the database again, after a program has created some.</summary>
internal sealed class ReloadTypes(ISessionHost session, ServerState state) : SimpleExchange
{
    private readonly TypeLoading _loading = new(state.TypeSource.Options, state.Settings.GetValueOrDefault("server_version", ""));

    public override string Description => "the loading of types";

    public override void Encode(Wire wire) => _loading.Write(wire.Out);

    public override Step Advance(Wire wire)
    {
        while (Messages.TryTake(wire, out var type, out var start, out var end))
        {
            var body = wire.In.AsSpan(start, end - start);
            if (type == BackendMessage.ReadyForQuery && (_loading.HasEnded || Error is not null))
            {
                state.TransactionStatus = Messages.ReadStatus(body);
                if (Error is null)
                    state.TypeSource.Loaded(_loading.Types);
                return Step.Completed;
            }

            if (type == BackendMessage.ErrorResponse)
            {
                var error = Messages.ReadError(body);
                Error = error.ToServerError();
                if (error.EndsSession)
                {
                    session.Break(error.MessageText);
                    return Step.Completed;
                }
            }
            else if (!_loading.TryTake(type, body))
                Messages.TakeAsynchronous(session, state, type, body, "the types of the database");
        }

        return Step.Receive;
    }
}
