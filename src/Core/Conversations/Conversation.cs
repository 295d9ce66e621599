using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>
/// One exchange of the protocol document. It never waits: it appends the bytes to send, reads the bytes that have arrived, and returns the step that it needs
/// next. A pump does the waiting.
/// </summary>
internal abstract class Conversation
{
    /// <summary>Advances as far as the received bytes allow.</summary>
    /// <exception cref="Errors.ProtocolException">The peer sent a message that the protocol does not allow here.</exception>
    public abstract Step Advance(Wire wire);

    /// <summary>The source that a conversation waits for after it returned <see cref="Step.WaitExternal"/>.</summary>
    public virtual ExternalSource ExternalSource => throw new InvalidOperationException($"{GetType().Name} does not wait for an external source.");
}
