using System.Diagnostics;

namespace Slipstream.Race.Measuring;

/// <summary>The clocks and counters at the beginning of a measurement.</summary>
internal readonly record struct Counters(long Wall, TimeSpan Cpu, long Allocated, int Gen0)
{
    // The exact sum of allocations stops all threads for a moment. So it is read outside the clocks, and at the end in the opposite order.
    // CPU is the user and system time of the whole process, so the work that a provider leaves to other threads counts, too.
    public static Counters Begin()
    {
        var gen0 = GC.CollectionCount(0);
        var allocated = GC.GetTotalAllocatedBytes(precise: true);
        var cpu = Environment.CpuUsage.TotalTime;
        return new Counters(Stopwatch.GetTimestamp(), cpu, allocated, gen0);
    }

    /// <summary>Returns what has passed since <see cref="Begin"/>: microseconds, bytes and collections.</summary>
    public (double Wall, double Cpu, double Allocated, int Gen0) End()
    {
        var wall = Stopwatch.GetElapsedTime(Wall).TotalMicroseconds;
        var cpu = (Environment.CpuUsage.TotalTime - Cpu).TotalMicroseconds;
        double allocated = GC.GetTotalAllocatedBytes(precise: true) - Allocated;
        return (wall, cpu, allocated, GC.CollectionCount(0) - Gen0);
    }
}
