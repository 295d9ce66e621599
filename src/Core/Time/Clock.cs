using System.Diagnostics;

namespace Slipstream.Core.Time;

/// <summary>The only clock: milliseconds that never go backwards, whatever happens to the wall clock.</summary>
internal static class Clock
{
    /// <summary>50 microseconds in the unit of <see cref="Precise"/>.</summary>
    public const long FiftyMicroseconds = 50 * TimeSpan.TicksPerMicrosecond;

    /// <summary>The same clock as exactly as the system has it, in ticks of 100 nanoseconds.</summary>
    public static long Precise => Stopwatch.GetElapsedTime(0).Ticks;

    /// <summary>Milliseconds since the machine started.</summary>
    public static long Now => Environment.TickCount64;

    /// <summary>The time <paramref name="milliseconds"/> from now; <see cref="Never"/> for 0 or less.</summary>
    public static long In(long milliseconds) => milliseconds <= 0 ? Never : Now + milliseconds;

    /// <summary>The wall clock, for time stamps that a peer reads. It may go backwards.</summary>
    public static DateTime UtcNow => DateTime.UtcNow;

    /// <summary>A time that is never reached.</summary>
    public const long Never = long.MaxValue;
}
