namespace Slipstream.Tool;

/// <summary>The command cannot do its work. The message is shown to the user as it is.</summary>
/// <param name="message">What is wrong.</param>
/// <param name="advice">What to do; null if the message says it.</param>
internal sealed class ToolException(string message, string? advice = null) : Exception(message)
{
    /// <summary>Gets what the user can do.</summary>
    public string? Advice { get; } = advice;
}
