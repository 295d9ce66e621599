using System.Collections.Concurrent;

namespace Slipstream.Soak.Checks;

/// <summary>Counts operations and their results.</summary>
internal sealed class Tally
{
    private long _operations;
    private long _failed;
    private long _transient;
    private long _retried;
    private long _lost;
    private readonly Lock _lock = new();

    public long Operations => Interlocked.Read(ref _operations);
    public long Failed => Interlocked.Read(ref _failed);

    /// <summary>Gets the number of operations that failed with a transient error and are repeated until they succeed.</summary>
    public long Transient => Interlocked.Read(ref _transient);

    /// <summary>Gets how many of them succeeded when they were repeated.</summary>
    public long Retried => Interlocked.Read(ref _retried);

    /// <summary>Gets the number of operations that failed because their session was lost.</summary>
    public long Lost => Interlocked.Read(ref _lost);

    /// <summary>Gets the call of the driver that took longest.</summary>
    public (TimeSpan Time, string What) WorstWait { get; private set; } = (TimeSpan.Zero, "");

    public ConcurrentDictionary<string, int> ByOperation { get; } = new();

    public ConcurrentDictionary<string, int> Failures { get; } = new();

    public ConcurrentDictionary<string, int> Faults { get; } = new();

    public void Done(string name)
    {
        Interlocked.Increment(ref _operations);
        ByOperation.AddOrUpdate(name, 1, static (_, n) => n + 1);
    }

    public void Fail(Failure failure)
    {
        Interlocked.Increment(ref _failed);
        if (failure.Kind == Core.Errors.ErrorKind.ConnectionLost)
            Interlocked.Increment(ref _lost);
        // There are few different messages. If a driver wrote something new into each, this dictionary would grow, and the check of the memory would show it.
        Failures.AddOrUpdate(failure.Sort, 1, static (_, n) => n + 1);
    }

    public void WillRetry() => Interlocked.Increment(ref _transient);

    public void Retry() => Interlocked.Increment(ref _retried);

    public void Fault(string name) => Faults.AddOrUpdate(name, 1, static (_, n) => n + 1);

    public void Waited(TimeSpan time, string what)
    {
        lock (_lock)
        {
            if (time > WorstWait.Time)
                WorstWait = (time, what);
        }
    }
}
