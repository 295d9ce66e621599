using System.Diagnostics;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>Runs and measures blocks of operations. Each has a time limit, because a peer that hangs must not stop the race.</summary>
internal static class Block
{
    /// <param name="pin">True to keep a synchronous contestant on one processor; see <see cref="Pinning"/>.</param>
    /// <exception cref="TimeoutException">The block did not end within its limit; its thread continues.</exception>
    public static Lap Measure(Operation operation, Mode mode, int count, TimeSpan limit, bool pin = false)
    {
        Lap? lap = null;
        WithLimit(async () =>
        {
            await operation.BeforeAsync(mode, count);
            lap = mode is Mode.Sync ? MeasureSync(operation, count) : await MeasureAsync(operation, count);
            await operation.AfterAsync(mode);
        }, mode, limit, pin);
        return lap!;
    }

    /// <summary>Runs work that is not measured under the same limit.</summary>
    /// <exception cref="TimeoutException">The work did not end within its limit; its thread continues.</exception>
    public static void WithLimit(Func<Task> work, Mode mode, TimeSpan limit, bool pin = false)
    {
        // A synchronous contestant runs on a thread that blocks, an asynchronous one on the thread pool.
        var isPinned = pin && mode is Mode.Sync;
        var done = (isPinned, mode) switch
        {
            (true, _) => PinnedThread.RunAsync(() => work().GetAwaiter().GetResult()),
            (_, Mode.Sync) => Task.Factory.StartNew(
                () => work().GetAwaiter().GetResult(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default),
            _ => Task.Run(work),
        };
        if (Task.WaitAny([done], limit) < 0)
        {
            if (isPinned)
                PinnedThread.Abandon();
            throw new TimeoutException($"no end within {limit.TotalSeconds:F0} s");
        }

        done.GetAwaiter().GetResult();
    }

    private static Lap MeasureSync(Operation operation, int count)
    {
        var before = Counters.Begin();
        operation.Run(count);
        return LapOf(before, operation, count);
    }

    private static async Task<Lap> MeasureAsync(Operation operation, int count)
    {
        var before = Counters.Begin();
        await operation.RunAsync(count);
        return LapOf(before, operation, count);
    }

    private static Lap LapOf(Counters before, Operation operation, int count)
    {
        var (wall, cpu, allocated, gen0) = before.End();
        if (operation.OwnFigures is { } own)
            return new Lap(count, own.Wall * count, own.Cpu * count, own.Allocated * count, null, []);

        var latencies = new double[operation.Latencies.Length];
        for (var i = 0; i < latencies.Length; i++)
            latencies[i] = operation.Latencies[i] * 1e6 / Stopwatch.Frequency;
        return new Lap(count, wall, cpu, operation.HighestMemory * (double)count ?? allocated, gen0, latencies);
    }
}
