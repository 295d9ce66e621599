using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>Runs a simple conversation alone, outside a session's queue: sends the request, then reads the answer.</summary>
internal sealed class StandaloneExchange(Session session, SimpleExchange exchange) : Conversation
{
    private bool _isSent;

    /// <inheritdoc/>
    public override Step Advance(Wire wire)
    {
        if (_isSent)
            return exchange.Advance(wire);
        _isSent = true;
        session.RefuseLeftovers();
        exchange.Encode(wire);
        return Step.Send;
    }
}
