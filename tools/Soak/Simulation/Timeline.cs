namespace Slipstream.Soak.Simulation;

/// <summary>Simulated time, in milliseconds, and the events that are scheduled in it.</summary>
internal sealed class Timeline
{
    private readonly PriorityQueue<Action, (long At, long Number)> _queue = new();
    private long _number;

    /// <summary>Gets the current time.</summary>
    public long Now { get; private set; }

    /// <summary>Gets when the next event is due; <see cref="long.MaxValue"/> if there is none.</summary>
    public long NextAt => _queue.TryPeek(out _, out var key) ? key.At : long.MaxValue;

    /// <summary>Schedules an event.</summary>
    public void After(long milliseconds, Action happen) => _queue.Enqueue(happen, (Now + milliseconds, _number++));

    /// <summary>Advances the time.</summary>
    public void AdvanceTo(long time) => Now = Math.Max(Now, time);

    /// <summary>Runs the next event, at its time.</summary>
    public void RunNext()
    {
        _queue.TryDequeue(out var happen, out var key);
        AdvanceTo(key.At);
        happen!();
    }
}
