using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>The connect conversation: greeting, TLS, login.</summary>
internal abstract class ConnectScript : Script
{
    /// <summary>The server's error, if it refused.</summary>
    public ServerError? Error { get; protected set; }

    /// <summary>The current phase, for the message of a time-out.</summary>
    public string Phase { get; protected set; } = "waiting for the server's greeting";
}
