using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>Runs a simple conversation alone, outside a session's queue: sends the request, then reads the answer.</summary>
internal sealed class StandaloneExchange(Session session, SimpleExchange exchange) : Conversation
{
    private bool _said;

    /// <inheritdoc/>
    public override Step Advance(Wire wire)
    {
        if (_said)
            return exchange.Advance(wire);
        _said = true;
        session.RefuseLeftovers();
        exchange.Encode(wire);
        return Step.Send;
    }
}
