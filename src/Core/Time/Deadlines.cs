namespace Slipstream.Core.Time;

/// <summary>A target of the sweeper: something that must be interrupted after a time.</summary>
internal interface IDeadlined
{
    /// <summary>The deadline on <see cref="Clock"/>; <see cref="Clock.Never"/> if there is none now.</summary>
    long Due { get; }

    /// <summary>Called on the sweeper's thread after the deadline has passed. Must not block.</summary>
    void Expire(long now);
}

/// <summary>
/// One thread per process checks the deadlines of all sessions every 50 ms, as long as there are any. A command's time-out therefore costs one store: no timer,
/// token source or registration per command.
/// </summary>
internal static class Deadlines
{
    /// <summary>Maximum delay, in milliseconds, until an expired deadline is noticed.</summary>
    public const int TickMilliseconds = 50;

    private static readonly DeadlineSweeper Sweeper = new(DedicatedThreads.Interruptions, TickMilliseconds);

    /// <summary>Watches <paramref name="target"/> until it is garbage or <see cref="Forget"/> is called.</summary>
    /// <exception cref="Errors.WireException">A thread that watching needs cannot be started, so the target could not be interrupted.</exception>
    public static void Watch(IDeadlined target) => Sweeper.Watch(target);

    /// <summary>Stops watching <paramref name="target"/>.</summary>
    public static void Forget(IDeadlined target) => Sweeper.Forget(target);

    /// <summary>Wakes a sleeping sweeper; must be called after a deadline was set. While the sweeper is awake, the call is one volatile read.</summary>
    public static void Noticed() => Sweeper.Noticed();
}
