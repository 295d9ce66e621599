namespace Slipstream.Core.Wires;

/// <summary>
/// How long the engine keeps a thread that is not needed. While two threads wait, an answer may wake either, and none polls: a single conversation is half as
/// fast. Where threads leave and are soon needed again, they stay longer. Knows no clock: receives the time.
/// </summary>
internal sealed class SurplusPatience
{
    /// <summary>The shortest time, in milliseconds.</summary>
    public const long Shortest = 20;

    /// <summary>The longest time, in milliseconds.</summary>
    public const long Longest = 2000;

    /// <summary>A thread that is needed within this time after one has left, in milliseconds, should not have left.</summary>
    public const long Soon = 5000;

    private long? _leftAt;

    /// <summary>How long a thread must not have been needed before it leaves, in milliseconds.</summary>
    public long Milliseconds { get; private set; } = Shortest;

    /// <summary>A thread leaves.</summary>
    /// <param name="now">The time in milliseconds.</param>
    public void Left(long now) => _leftAt = now;

    /// <summary>Another thread is needed.</summary>
    /// <param name="now">The time in milliseconds.</param>
    public void Needed(long now) => Milliseconds = now - _leftAt < Soon ? Math.Min(2 * Milliseconds, Longest) : Shortest;
}
