using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>
/// One exchange of the protocol document. It never waits: it appends what must be sent, looks at what has arrived,
/// and says what it needs. A pump does the waiting.
/// </summary>
internal abstract class Conversation
{
    /// <summary>Goes as far as the bytes at hand allow.</summary>
    /// <exception cref="Errors.ProtocolException">The peer sent what the protocol does not allow here.</exception>
    public abstract Step Advance(Wire wire);

    /// <summary>For a conversation that returns <see cref="Step.WaitExternal"/>: what it waits for.</summary>
    public virtual ExternalSource ExternalSource => throw new InvalidOperationException($"{GetType().Name} waits for nobody.");
}
