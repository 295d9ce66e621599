namespace Slipstream.Core.Time;

/// <summary>What the sweeper watches: something with a time after which it must be interrupted.</summary>
internal interface IDeadlined
{
    /// <summary>When, on <see cref="Clock"/>; <see cref="Clock.Never"/> for not now.</summary>
    long Due { get; }

    /// <summary>Called on the sweeper's thread when the time has passed. Must not block.</summary>
    void Expire(long now);
}

/// <summary>
/// One thread per process looks at the deadlines of all sessions every 50 ms, as long as there are any. A command's time-out is
/// therefore one store: no timer, token source or registration per command.
/// </summary>
internal static class Deadlines
{
    /// <summary>How late an expiry can be noticed.</summary>
    public const int TickMilliseconds = 50;

    private static readonly DeadlineSweeper Sweeper = new(DedicatedThreads.Interruptions, TickMilliseconds);

    /// <summary>Watches <paramref name="target"/> until it is garbage or <see cref="Forget"/> is called.</summary>
    /// <exception cref="Errors.WireException">Its end could not be told: what that needs cannot be started.</exception>
    public static void Watch(IDeadlined target) => Sweeper.Watch(target);

    /// <summary>It is not looked at any more.</summary>
    public static void Forget(IDeadlined target) => Sweeper.Forget(target);

    /// <summary>Must be called after a deadline was set: a sleeping sweeper is woken. A volatile read when it is awake.</summary>
    public static void Noticed() => Sweeper.Noticed();
}
