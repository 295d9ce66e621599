using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>The request of one of the driver's own exchanges, which neither sees nor replaces what an earlier lease or question left.</summary>
internal readonly struct ExchangeRequest(RequestedExchange exchange) : IRequest
{
    public bool DependsOnReset(Session session) => false;

    public bool CoversQuestion(Session session) => false;

    public void Encode(Session session)
    {
        exchange.Encode(session.Wire);
        session.Queue.Begin(exchange);
    }
}
