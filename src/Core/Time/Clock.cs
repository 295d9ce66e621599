namespace Slipstream.Core.Time;

/// <summary>The one clock: milliseconds that only go forward, whatever happens to the wall clock.</summary>
internal static class Clock
{
    /// <summary>Milliseconds since the machine started.</summary>
    public static long Now => Environment.TickCount64;

    /// <summary>The time <paramref name="milliseconds"/> from now; 0 or less means never.</summary>
    public static long In(long milliseconds) => milliseconds <= 0 ? Never : Now + milliseconds;

    /// <summary>A time that does not come.</summary>
    public const long Never = long.MaxValue;
}
