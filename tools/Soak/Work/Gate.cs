namespace Slipstream.Soak.Work;

/// <summary>Stops the workers between two operations for a quiet point.</summary>
internal sealed class Gate
{
    private readonly Lock _lock = new();
    private TaskCompletionSource? _closed;
    private int _parked;

    public int Parked => Volatile.Read(ref _parked);

    public void Close()
    {
        lock (_lock)
            _closed ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    public void Open()
    {
        TaskCompletionSource? closed;
        lock (_lock)
            (closed, _closed) = (_closed, null);
        closed?.SetResult();
    }

    public async ValueTask Pass(Verbs verbs)
    {
        Task? opened;
        lock (_lock)
            opened = _closed?.Task;
        if (opened is null)
            return;
        Interlocked.Increment(ref _parked);
        await verbs.WaitFor(opened);
        Interlocked.Decrement(ref _parked);
    }
}
