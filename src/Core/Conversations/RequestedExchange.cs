using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>A conversation that begins with a request of the client. The request may be sent together with earlier ones.</summary>
internal abstract class RequestedExchange : Conversation
{
    /// <summary>The server's error, if it refused.</summary>
    public ServerError? Error { get; protected set; }

    /// <summary>Appends the first request. Called once, before the bytes of later requests are written.</summary>
    public abstract void Encode(Wire wire);
}
