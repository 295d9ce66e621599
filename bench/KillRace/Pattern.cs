namespace Slipstream.KillRace;

/// <summary>How sessions end, and when the next open comes.</summary>
internal enum Ending
{
    /// <summary>The sessions of a whole pool are killed. The callers open after a gap.</summary>
    Killed,

    /// <summary>The only session is killed. The caller opens at once.</summary>
    KilledAlone,

    /// <summary>
    /// The only session is killed while the caller opens and closes it all the time. At some moment, the caller executes a command. This is the worst case for
    /// a driver that does not check the socket at each open.
    /// </summary>
    KilledBetweenOpens,

    /// <summary>The server ends sessions that were idle for a second. The callers open around that time.</summary>
    TimedOut,
}

/// <summary>A row of the table.</summary>
/// <param name="Ending">How sessions end.</param>
/// <param name="Milliseconds">The gap until the next open: after the server has confirmed the kill, or after the server's time-out.</param>
/// <param name="Sessions">The sessions of the pool.</param>
/// <param name="Share">The row's share of all killed sessions.</param>
internal sealed record Pattern(Ending Ending, int Milliseconds, int Sessions, double Share)
{
    private const int PoolSize = 100;

    public static IReadOnlyList<Pattern> All { get; } =
    [
        new(Ending.Killed, 0, PoolSize, 0.1),
        new(Ending.Killed, 1, PoolSize, 0.1),
        new(Ending.Killed, 10, PoolSize, 0.1),
        new(Ending.Killed, 100, PoolSize, 0.1),
        new(Ending.Killed, 2000, PoolSize, 0.1),
        new(Ending.KilledAlone, 0, 1, 0.2),
        new(Ending.KilledBetweenOpens, 0, 1, 0.2),
        new(Ending.TimedOut, 0, PoolSize, 0.05),
        new(Ending.TimedOut, 1000, PoolSize, 0.05),
    ];

    public override string ToString() => Ending switch
    {
        Ending.Killed => $"pool of {Sessions} killed, open after {Milliseconds} ms",
        Ending.KilledAlone => "one session killed, open at once",
        Ending.KilledBetweenOpens => "one session killed while it is opened and closed without a command",
        _ => Milliseconds == 0 ? "idle time-out, open around its end" : $"idle time-out, open {Milliseconds} ms later",
    };
}
