using System.Diagnostics;

namespace Slipstream.Micro;

/// <summary>The minimum of fifteen tries, which is the time without other load on the processor.</summary>
internal static class BestOf
{
    public const int Tries = 15;

    // Short, so that some tries run between two interruptions of a busy machine.
    private static readonly TimeSpan Try = TimeSpan.FromMilliseconds(10);

    /// <summary>Measures both passes alternately, so that other load on the machine affects both.</summary>
    /// <returns>The time per row of each pass, in nanoseconds.</returns>
    public static (double First, double Second) PerRow(Func<long> first, Func<long> second, long expected, int rows)
    {
        var passes = (Warm(first, expected), Warm(second, expected));
        var best = (First: TimeSpan.MaxValue, Second: TimeSpan.MaxValue);
        for (var i = 0; i < Tries; i++)
        {
            best.First = Least(best.First, Time(first, passes.Item1));
            best.Second = Least(best.Second, Time(second, passes.Item2));
        }

        return (best.First.TotalNanoseconds / passes.Item1 / rows, best.Second.TotalNanoseconds / passes.Item2 / rows);
    }

    /// <summary>Warms up with enough calls, for long enough, to reach the last tier of the JIT compiler before the measurement.</summary>
    /// <returns>The number of passes per try.</returns>
    private static int Warm(Func<long> pass, long expected)
    {
        if (pass() is var found && found != expected)
            throw new InvalidOperationException($"expected {expected}, read {found}");
        var passes = 1;
        for (var warm = Stopwatch.StartNew(); warm.Elapsed < TimeSpan.FromMilliseconds(600);)
            passes = (int)Math.Clamp(passes * (Try / Time(pass, passes)), 1, 1_000_000);
        return passes;
    }

    private static TimeSpan Least(TimeSpan one, TimeSpan other) => one < other ? one : other;

    private static TimeSpan Time(Func<long> pass, int passes)
    {
        var start = Stopwatch.GetTimestamp();
        var sum = 0L;
        for (var i = 0; i < passes; i++)
            sum += pass();
        var took = Stopwatch.GetElapsedTime(start);
        GC.KeepAlive(sum);
        return took > TimeSpan.Zero ? took : TimeSpan.FromTicks(1);
    }
}
