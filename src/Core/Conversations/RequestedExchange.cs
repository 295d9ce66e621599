using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>A conversation that the client opens with a request, whose bytes may travel after others in the same send.</summary>
internal abstract class RequestedExchange : Conversation
{
    /// <summary>The server's refusal, if there was one.</summary>
    public ServerError? Error { get; protected set; }

    /// <summary>Appends the first request. Called once, before the bytes of what follows.</summary>
    public abstract void Encode(Wire wire);
}
