using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// Sends one query to a new session whose pipelining is known. Returns <see cref="Step.Metadata"/> when it is answered, and then <see cref="Step.Completed"/>.
/// </summary>
internal sealed class ExpiryProbe(SimpleExchange question) : Conversation
{
    private bool _asked;
    private bool _answered;

    public override Step Advance(Wire wire)
    {
        if (_answered)
            return Step.Completed;
        if (!_asked)
        {
            question.Encode(wire);
            _asked = true;
            return Step.Send;
        }

        if (question.Advance(wire) is var step && step != Step.Completed)
            return step;
        _answered = true;
        return question.Error is { } error ? throw new ProtocolException($"OK in answer to {question.Description}", $"error {error.Number}") : Step.Metadata;
    }
}
