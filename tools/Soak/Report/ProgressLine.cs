using Spectre.Console;

namespace Slipstream.Soak.Report;

/// <summary>
/// Shows what the run does: on a terminal as a line that changes, for the program that started this one as lines with a prefix, otherwise not at all.
/// </summary>
internal sealed class ProgressLine : IDisposable
{
    /// <summary>The prefix of the lines that are not part of the result.</summary>
    public const string Mark = "~ ";

    private readonly Action<string> _say;
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _shown;

    private ProgressLine(Action<string>? say, string name)
    {
        if (say is not null)
        {
            (_say, _shown) = (say, Task.CompletedTask);
            return;
        }

        var begun = new TaskCompletionSource<StatusContext>(TaskCreationOptions.RunContinuationsAsynchronously);
        _shown = AnsiConsole.Status().StartAsync(name, async context =>
        {
            begun.SetResult(context);
            await _end.Task;
        });
        var status = begun.Task.GetAwaiter().GetResult();
        _say = text => status.Status(Markup.Escape($"{name}: {text}"));
    }

    public static ProgressLine Create(string name, bool isChild)
    {
        if (isChild)
            return new ProgressLine(text => Console.Out.WriteLine(Mark + text), name);
        return Console.IsOutputRedirected ? new ProgressLine(static _ => { }, name) : new ProgressLine(null, name);
    }

    public void Report(string text) => _say(text);

    public void Dispose()
    {
        _end.TrySetResult();
        _shown.GetAwaiter().GetResult();
    }
}
