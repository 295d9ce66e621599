using System.Diagnostics;

namespace Slipstream.Micro;

/// <summary>The least of fifteen tries: what is left when nobody else used the processor.</summary>
internal static class BestOf
{
    public const int Tries = 15;

    private static readonly TimeSpan Try = TimeSpan.FromMilliseconds(40);

    /// <returns>Nanoseconds per row.</returns>
    public static double PerRow(Func<long> pass, long expected, int rows)
    {
        if (pass() is var found && found != expected)
            throw new InvalidOperationException($"expected {expected}, read {found}");

        // Long enough, in enough calls, for the last tier of the compiler to have arrived before what counts.
        var passes = 1;
        for (var warm = Stopwatch.StartNew(); warm.Elapsed < TimeSpan.FromMilliseconds(600);)
        {
            var took = Time(pass, passes);
            passes = (int)Math.Clamp(passes * (Try / took), 1, 1_000_000);
        }

        var best = TimeSpan.MaxValue;
        for (var i = 0; i < Tries; i++)
        {
            var took = Time(pass, passes);
            if (took < best)
                best = took;
        }

        return best.TotalNanoseconds / passes / rows;
    }

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
