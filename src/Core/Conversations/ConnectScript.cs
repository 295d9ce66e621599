using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>The connect conversation: greeting, TLS, login.</summary>
internal abstract class ConnectScript : Script
{
    /// <summary>The server's refusal, if there was one.</summary>
    public ServerError? Error { get; protected set; }

    /// <summary>What is being done now, for a message that says in which phase the time ran out.</summary>
    public string Phase { get; protected set; } = "waiting for the server's greeting";
}
