namespace Slipstream.Core.Data;

/// <summary>
/// The asynchronous commands of one connection that were started without awaiting the previous one, in the order of their start. Created only for data sources
/// that allow it.
/// </summary>
internal sealed class CommandQueue
{
    private readonly Lock _gate = new();
    private CommandTurn? _last;

    /// <summary>Whether a command runs, has an open reader, or waits for its turn.</summary>
    public bool IsBusy
    {
        get
        {
            lock (_gate)
                return _last is { HasPassed: false };
        }
    }

    /// <summary>Takes the next turn, after all earlier ones.</summary>
    public CommandTurn Take()
    {
        lock (_gate)
            return _last = new(_last is { HasPassed: false } ? _last : null);
    }
}

/// <summary>One command's turn.</summary>
/// <param name="previous">The previous turn; null without one.</param>
internal sealed class CommandTurn(CommandTurn? previous)
{
    private readonly TaskCompletionSource _passed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>An object that the reader with the turn stores here, because it has only one field for both.</summary>
    public object? Extra { get; set; }

    /// <summary>Called before the next turn begins; null for no call.</summary>
    public Action? Ended { get; set; }

    public bool HasPassed => _passed.Task.IsCompleted;

    /// <summary>Completes when the earlier commands have ended.</summary>
    public Task Started { get; } = previous?._passed.Task ?? Task.CompletedTask;

    /// <summary>Lets the next turn begin, but not before this turn has come.</summary>
    public void Pass()
    {
        Ended?.Invoke();
        if (Started.IsCompleted)
            _passed.TrySetResult();
        else
            Started.ContinueWith(static (_, passed) => ((TaskCompletionSource)passed!).TrySetResult(), _passed, TaskScheduler.Default);
    }
}
