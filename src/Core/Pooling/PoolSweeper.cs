using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>A pool that the sweeper visits once a second.</summary>
internal interface ISweptPool
{
    /// <summary>Checks the sessions of the pool. <paramref name="now"/> is the time in the clock's milliseconds.</summary>
    void Sweep(long now);
}

/// <summary>Visits all pools of the process with one timer: closes sessions idle for too long, too old or leaked, and keeps the minimum.</summary>
internal static class PoolSweeper
{
    private const int PeriodMilliseconds = 1000;

    private static readonly Lock Gate = new();
    private static readonly List<WeakReference<ISweptPool>> Pools = [];
    private static Timer? _timer;
    private static int _sweeping;

    /// <summary>Starts sweeping a pool.</summary>
    public static void Add(ISweptPool pool)
    {
        lock (Gate)
        {
            Pools.Add(new(pool));
            _timer ??= new Timer(static _ => SweepAll(), null, PeriodMilliseconds, PeriodMilliseconds);
        }
    }

    /// <summary>Stops sweeping a pool.</summary>
    public static void Remove(ISweptPool pool)
    {
        lock (Gate)
            Pools.RemoveAll(reference => !reference.TryGetTarget(out var target) || ReferenceEquals(target, pool));
    }

    // An exception of the application's logger must neither end the process nor keep the other pools from being swept.
    private static void Sweep(ISweptPool pool)
    {
        try
        {
            pool.Sweep(Clock.Now);
        }
        catch (Exception)
        {
            // The next sweep continues.
        }
    }

    private static void SweepAll()
    {
        // A sweep that opens sessions may take longer than a period. A tick during that time does nothing.
        if (Interlocked.Exchange(ref _sweeping, 1) != 0)
            return;
        try
        {
            List<ISweptPool> pools = [];
            lock (Gate)
            {
                foreach (var reference in Pools)
                    if (reference.TryGetTarget(out var pool))
                        pools.Add(pool);
            }

            foreach (var pool in pools)
                Sweep(pool);
        }
        catch (OutOfMemoryException)
        {
            // Not enough memory for a list, on a thread without a handler: the next sweep tries again.
        }
        finally
        {
            Volatile.Write(ref _sweeping, 0);
        }
    }
}
