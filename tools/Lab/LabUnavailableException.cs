namespace Slipstream.Lab;

/// <summary>A lab server cannot be had here. <see cref="Reason"/> says why, <see cref="Command"/> what to type.</summary>
public sealed class LabUnavailableException : Exception
{
    public LabUnavailableException(string reason, string command, Exception? inner = null)
        : base($"{reason} What to do: {command}", inner)
    {
        Reason = reason;
        Command = command;
    }

    /// <summary>Why, as one sentence.</summary>
    public string Reason { get; }

    /// <summary>The command or setting that helps.</summary>
    public string Command { get; }
}
