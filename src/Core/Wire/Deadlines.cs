namespace Slipstream.Core.Wires;

/// <summary>What the sweeper watches: something with a time after which it must be interrupted.</summary>
public interface IDeadlined
{
    /// <summary>When, on <see cref="Clock"/>; <see cref="Clock.Never"/> for not now.</summary>
    long Due { get; }

    /// <summary>Called on the sweeper's thread when the time has passed, or somebody asked for attention. Must not block.</summary>
    void Expire(long now);
}

/// <summary>
/// One thread per process looks at the deadlines of all sessions every 50 ms, as long as there are any. A command's time-out is
/// therefore one store: no timer, token source or registration per command.
/// </summary>
public static class Deadlines
{
    /// <summary>How late an expiry can be noticed.</summary>
    public const int TickMilliseconds = 50;

    private static readonly Lock Gate = new();
    private static readonly ManualResetEventSlim Wake = new();
    private static readonly List<WeakReference<IDeadlined>> Watched = [];
    private static bool _started;
    private static volatile bool _asleep;

    /// <summary>Watches <paramref name="target"/> until it is garbage or <see cref="Forget"/> is called.</summary>
    public static void Watch(IDeadlined target)
    {
        lock (Gate)
        {
            Watched.Add(new(target));
            if (!_started)
            {
                _started = true;
                new Thread(Sweep) { IsBackground = true, Name = "Slipstream deadlines" }.Start();
            }
        }
    }

    /// <summary>It is not looked at any more.</summary>
    public static void Forget(IDeadlined target)
    {
        lock (Gate)
            Watched.RemoveAll(reference => !reference.TryGetTarget(out var watched) || ReferenceEquals(watched, target));
    }

    /// <summary>Must be called after a deadline was set: a sleeping sweeper is woken. A volatile read when it is awake.</summary>
    public static void Noticed()
    {
        if (_asleep)
            Wake.Set();
    }

    /// <summary>Makes the sweeper look at once, for a cancellation that shall not wait for the next tick.</summary>
    public static void LookNow() => Wake.Set();

    private static void Sweep()
    {
        var due = new List<IDeadlined>();
        while (true)
        {
            var any = Collect(due);
            foreach (var target in due)
                target.Expire(Clock.Now);
            due.Clear();

            Wake.Reset();
            if (any)
            {
                Wake.Wait(TickMilliseconds);
                continue;
            }

            // Announce the sleep, then look once more: who sets a deadline either sees the announcement or is seen here. The barrier is one in every thread,
            // so that those who set deadlines need none between their store and their look.
            _asleep = true;
            Interlocked.MemoryBarrierProcessWide();
            if (!Collect(due))
                Wake.Wait();
            _asleep = false;
            due.Clear();
        }
    }

    private static bool Collect(List<IDeadlined> due)
    {
        var now = Clock.Now;
        var any = false;
        lock (Gate)
        {
            for (var i = Watched.Count - 1; i >= 0; i--)
            {
                if (!Watched[i].TryGetTarget(out var target))
                {
                    Watched.RemoveAt(i);
                    continue;
                }

                if (target.Due == Clock.Never)
                    continue;
                any = true;
                if (target.Due <= now)
                    due.Add(target);
            }
        }

        return any;
    }
}
