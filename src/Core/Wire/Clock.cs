using System.Diagnostics;

namespace Slipstream.Core.Wires;

/// <summary>The one clock: milliseconds that only go forward, whatever happens to the wall clock.</summary>
public static class Clock
{
    /// <summary>Milliseconds since the machine started.</summary>
    public static long Now => Environment.TickCount64;

    /// <summary>The time <paramref name="milliseconds"/> from now; 0 or less means never.</summary>
    public static long In(long milliseconds) => milliseconds <= 0 ? Never : Now + milliseconds;

    /// <summary>Microseconds, on a clock that is read less quickly: for what is shorter than <see cref="Now"/> can tell.</summary>
    public static long Microseconds => Stopwatch.GetElapsedTime(0).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>A time that does not come.</summary>
    public const long Never = long.MaxValue;
}
