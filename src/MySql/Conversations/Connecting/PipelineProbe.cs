using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Sends two commands at once; the first one is needed anyway. MySQL and MariaDB answer both in order. ProxySQL answers "packets out of order" or closes the
/// connection, and Aurora MySQL 2 never answers the second one. It is better to find this here than during the user's commands.
/// </summary>
internal sealed class PipelineProbe(SimpleExchange first, SimpleExchange second) : Conversation
{
    private enum Awaiting
    {
        Nothing,
        First,
        Second,
    }

    private Awaiting _awaiting;

    public override Step Advance(Wire wire)
    {
        switch (_awaiting)
        {
            case Awaiting.Nothing:
                first.Encode(wire);
                second.Encode(wire);
                _awaiting = Awaiting.First;
                return Step.Send;
            case Awaiting.First:
                return Take(first, wire, Awaiting.Second, Step.Metadata);
            default:
                return Take(second, wire, Awaiting.Second, Step.Completed);
        }
    }

    private Step Take(SimpleExchange exchange, Wire wire, Awaiting next, Step outcome)
    {
        var step = exchange.Advance(wire);
        if (step != Step.Completed)
            return step;
        if (exchange.Error is { } error)
            throw new ProtocolException($"OK in answer to {exchange.Description}", $"error {error.Number}");
        _awaiting = next;
        return outcome;
    }
}
