namespace Slipstream.Core.Errors;

/// <summary>
/// The server refused a login, or an exchange that was sent before a command. The data layer turns this exception into the provider's.
/// </summary>
internal sealed class ServerRefusedException(ServerError error) : Exception(error.Message)
{
    /// <summary>The server's error.</summary>
    public ServerError Error { get; } = error;
}
