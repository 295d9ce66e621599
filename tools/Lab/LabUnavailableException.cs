namespace Slipstream.Lab;

/// <summary>A lab server is unavailable on this machine. <see cref="Reason"/> is the reason, <see cref="Command"/> the remedy.</summary>
public sealed class LabUnavailableException : Exception
{
    public LabUnavailableException(string reason, string command, Exception? inner = null)
        : base($"{reason} What to do: {command}", inner)
    {
        Reason = reason;
        Command = command;
    }

    /// <summary>Gets the reason as one sentence.</summary>
    public string Reason { get; }

    /// <summary>Gets the command or setting that helps.</summary>
    public string Command { get; }
}
