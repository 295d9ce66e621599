namespace Slipstream.Core.Errors;

/// <summary>
/// The server refused a login, or what travelled in front of a command. Carries the refusal up to the public shell, which makes the provider's exception of it.
/// </summary>
internal sealed class ServerRefusedException(ServerError error) : Exception(error.Message)
{
    /// <summary>What the server said.</summary>
    public ServerError Error { get; } = error;
}
