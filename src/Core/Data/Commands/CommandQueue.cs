namespace Slipstream.Core.Data;

/// <summary>
/// The asynchronous commands of one connection that were started without awaiting the one before, in the order in which they were started.
/// Made only for data sources that allow it.
/// </summary>
internal sealed class CommandQueue
{
    private readonly Lock _gate = new();
    private CommandTurn? _last;

    /// <summary>True while a command runs, has its reader open, or waits for its turn.</summary>
    public bool IsBusy
    {
        get
        {
            lock (_gate)
                return _last is { HasPassed: false };
        }
    }

    /// <summary>The next turn behind those that were taken before.</summary>
    public CommandTurn Take()
    {
        lock (_gate)
            return _last = new(_last is { HasPassed: false } ? _last : null);
    }
}

/// <summary>One command's turn.</summary>
/// <param name="previous">The one before; null when nobody is.</param>
internal sealed class CommandTurn(CommandTurn? previous)
{
    private readonly TaskCompletionSource _passed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What the reader that holds the turn keeps aside: it has one field for both.</summary>
    public object? Aside { get; set; }

    /// <summary>What happens before the next one goes on; null for nothing.</summary>
    public Action? Ended { get; set; }

    public bool HasPassed => _passed.Task.IsCompleted;

    /// <summary>Completes when the commands before have ended.</summary>
    public Task Come { get; } = previous?._passed.Task ?? Task.CompletedTask;

    /// <summary>Lets the next one go on; before its own turn has come, when it comes.</summary>
    public void Pass()
    {
        Ended?.Invoke();
        if (Come.IsCompleted)
            _passed.TrySetResult();
        else
            Come.ContinueWith(static (_, passed) => ((TaskCompletionSource)passed!).TrySetResult(), _passed, TaskScheduler.Default);
    }
}
