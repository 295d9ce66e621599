using Slipstream.Core.Time;

namespace Slipstream.Core.Pooling;

/// <summary>What the sweeper does to a pool once a second.</summary>
internal interface ISweptPool
{
    /// <summary>Looks at what is idle; the time is that of the clock, in milliseconds.</summary>
    void Sweep(long now);
}

/// <summary>One timer per process visits all pools: idle too long, too old, leaked, below the minimum.</summary>
internal static class PoolSweeper
{
    private const int PeriodMilliseconds = 1000;

    private static readonly Lock Gate = new();
    private static readonly List<WeakReference<ISweptPool>> Pools = [];
    private static Timer? _timer;
    private static int _sweeping;

    /// <summary>From now on the pool is swept.</summary>
    public static void Add(ISweptPool pool)
    {
        lock (Gate)
        {
            Pools.Add(new(pool));
            _timer ??= new Timer(static _ => SweepAll(), null, PeriodMilliseconds, PeriodMilliseconds);
        }
    }

    /// <summary>The pool is not swept any more.</summary>
    public static void Remove(ISweptPool pool)
    {
        lock (Gate)
            Pools.RemoveAll(reference => !reference.TryGetTarget(out var target) || ReferenceEquals(target, pool));
    }

    // An application's log that throws must not end its process, nor keep the other pools from being swept.
    private static void Sweep(ISweptPool pool)
    {
        try
        {
            pool.Sweep(Clock.Now);
        }
        catch (Exception)
        {
            // The next sweep goes on where this one ended.
        }
    }

    private static void SweepAll()
    {
        // A sweep that opens sessions may take longer than a period: the next one waits for it.
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
            // Not even a list could be had, on a thread where nobody would catch it: the next sweep tries again.
        }
        finally
        {
            Volatile.Write(ref _sweeping, 0);
        }
    }
}
