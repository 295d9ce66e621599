using System.Diagnostics;
using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Faults;

/// <summary>Records when faults began and ended.</summary>
internal sealed class FaultLine(Load load, TimeSpan recovery)
{
    private int _active;
    private long _lastEnd;
    private long _lastBegin;

    public void Begin()
    {
        Volatile.Write(ref _lastBegin, Stopwatch.GetTimestamp());
        Interlocked.Increment(ref _active);
    }

    public void End()
    {
        Volatile.Write(ref _lastEnd, Stopwatch.GetTimestamp());
        Interlocked.Decrement(ref _active);
    }

    /// <summary>
    /// Returns whether an operation that began then and ended now met no fault: none was active, none began, and the last one ended longer ago than a recovery
    /// may take.
    /// </summary>
    public bool WasCalm(long began)
    {
        var isNow = Volatile.Read(ref _active) == 0;
        var end = Volatile.Read(ref _lastEnd);
        return isNow
            && Volatile.Read(ref _lastBegin) < began
            && (end == 0 || Stopwatch.GetElapsedTime(end, began) > recovery + load.Grace - Load.Least);
    }
}
