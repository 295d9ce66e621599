using System.Diagnostics;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>Runs and measures blocks of operations, none longer than a limit: a peer that hangs must not stop the race.</summary>
internal static class Block
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    /// <exception cref="TimeoutException">The block did not end within its limit; its thread is left behind.</exception>
    public static Sample Measure(Operation operation, Mode mode, int count, int round, TimeSpan limit)
    {
        Sample? sample = null;
        WithLimit(async () =>
        {
            await operation.BeforeAsync(mode, count);
            sample = mode is Mode.Sync ? MeasureSync(operation, count, round) : await MeasureAsync(operation, count, round);
            await operation.AfterAsync(mode);
        }, mode, limit);
        return sample!;
    }

    /// <summary>Runs what is not measured under the same limit.</summary>
    public static void WithLimit(Func<Task> work, Mode mode, TimeSpan limit)
    {
        // A synchronous contestant gets a thread that blocks, an asynchronous one the pool it would run on.
        var done = mode is Mode.Sync
            ? Task.Factory.StartNew(() => work().GetAwaiter().GetResult(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            : Task.Run(work);
        if (Task.WaitAny([done], limit) < 0)
            throw new TimeoutException($"no end within {limit.TotalSeconds:F0} s");
        done.GetAwaiter().GetResult();
    }

    private static Sample MeasureSync(Operation operation, int count, int round)
    {
        var before = Counters.Now();
        operation.Run(count);
        return Counters.Now().Since(before, operation, count, round);
    }

    private static async Task<Sample> MeasureAsync(Operation operation, int count, int round)
    {
        var before = Counters.Now();
        await operation.RunAsync(count);
        return Counters.Now().Since(before, operation, count, round);
    }

    private readonly record struct Counters(long Wall, TimeSpan Cpu, long Allocated, int Gen0)
    {
        // User and system time of the whole process: what a provider leaves to other threads counts as well.
        public static Counters Now() =>
            new(Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true), GC.CollectionCount(0));

        public Sample Since(Counters before, Operation operation, int count, int round)
        {
            if (operation.OwnFigures is { } own)
                return new Sample(round, count, own.Wall, own.Cpu, own.Allocated, null, null, null);

            var wall = Stopwatch.GetElapsedTime(before.Wall, Wall).TotalMicroseconds;
            var latencies = operation.Latencies.ToArray();
            Array.Sort(latencies);
            return new Sample(
                round,
                count,
                wall / count,
                (Cpu - before.Cpu).TotalMicroseconds / count,
                (Allocated - before.Allocated) / (double)count,
                Gen0 - before.Gen0,
                Percentile(latencies, 0.50),
                Percentile(latencies, 0.99));
        }

        private static double? Percentile(long[] sorted, double percentile) =>
            sorted.Length == 0 ? null : sorted[(int)((sorted.Length - 1) * percentile)] * 1e6 / Stopwatch.Frequency;
    }
}
