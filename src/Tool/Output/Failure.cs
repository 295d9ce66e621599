namespace Slipstream.Tool.Output;

/// <summary>Why a command could not run, as both forms of output show it.</summary>
/// <param name="Message">The message of the exception.</param>
/// <param name="Cause">The message of the exception within it; null if it adds nothing.</param>
/// <param name="Docs">The page about the message, or about its cause.</param>
internal sealed record Failure(string Message, string? Cause, string? Docs)
{
    // The end of the driver's inner exceptions that have nothing to add.
    private const string Reference = "see the message of the outer exception.";

    public static Failure Of(Exception exception) => new(exception.Message, CauseOf(exception), exception.HelpLink);

    private static string? CauseOf(Exception exception)
    {
        for (var inner = exception.InnerException; inner is not null; inner = inner.InnerException)
        {
            if (!exception.Message.Contains(inner.Message, StringComparison.Ordinal) && !inner.Message.EndsWith(Reference, StringComparison.Ordinal))
                return inner.Message;
        }

        return null;
    }

    /// <summary>Prints it as lines of text.</summary>
    /// <param name="terminal">The terminal, whose error output gets them.</param>
    /// <param name="what">What did not happen.</param>
    public void Print(Terminal terminal, string what)
    {
        terminal.Error($"slipstream: {what}: {Message}");
        if (Cause is not null)
            terminal.Error("  Cause: " + Cause);
        if (Docs is not null)
            terminal.Error("  What to do: " + Docs);
    }
}
