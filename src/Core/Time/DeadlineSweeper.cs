using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Time;

/// <summary>
/// The thread behind <see cref="Deadlines"/>, and what it looks at. It lives as long as the process, whatever those do that it tells of their end.
/// </summary>
/// <param name="interruptions">Where what has expired goes on: at least one of them is there before anything is watched.</param>
/// <param name="tickMilliseconds">Between two looks while there is a deadline.</param>
/// <param name="start">Starts a thread; null for <see cref="OwnThread.TryStart(ThreadStart, string)"/>.</param>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "Its thread uses the event as long as the process lives.")]
internal sealed class DeadlineSweeper(DedicatedThreads interruptions, int tickMilliseconds, Func<ThreadStart, string, bool>? start = null)
{
    private readonly Func<ThreadStart, string, bool> _tryStart = start ?? OwnThread.TryStart;
    private readonly Lock _gate = new();
    private readonly ManualResetEventSlim _wake = new();
    private readonly List<WeakReference<IDeadlined>> _watched = [];
    private bool _isStarted;
    private volatile bool _asleep;

    /// <summary>Watches <paramref name="target"/>.</summary>
    /// <exception cref="Errors.WireException">What that needs cannot be started.</exception>
    public void Watch(IDeadlined target)
    {
        lock (_gate)
        {
            if (!_isStarted)
            {
                if (!interruptions.TryKeepOne() || !_tryStart(Sweep, "Slipstream deadlines"))
                    throw OwnThread.NotStarted();
                _isStarted = true;
            }

            _watched.Add(new(target));
        }
    }

    /// <summary>It is not looked at any more.</summary>
    public void Forget(IDeadlined target)
    {
        lock (_gate)
            _watched.RemoveAll(reference => !reference.TryGetTarget(out var watched) || ReferenceEquals(watched, target));
    }

    /// <summary>A deadline was set: a sleeping sweeper is woken.</summary>
    public void Noticed()
    {
        if (_asleep)
            _wake.Set();
    }

    private void Sweep()
    {
        var due = new List<IDeadlined>();
        while (true)
        {
            try
            {
                SweepOnce(due);
            }
            catch (Exception)
            {
                // Thrown on, it would end the process; and all others still have their deadlines.
                due.Clear();
            }
        }
    }

    private void SweepOnce(List<IDeadlined> due)
    {
        // Before the look: a deadline that is noticed while it is under way is heard at the end of it.
        _wake.Reset();
        var any = Collect(due);
        foreach (var target in due)
            Expire(target);
        due.Clear();
        if (any)
        {
            _wake.Wait(tickMilliseconds);
            return;
        }

        // Announce the sleep, then look once more: who sets a deadline either sees the announcement or is seen here. The barrier is one in every thread,
        // so that those who set deadlines need none between their store and their look.
        _asleep = true;
        Interlocked.MemoryBarrierProcessWide();
        if (!Collect(due))
            _wake.Wait();
        _asleep = false;
        due.Clear();
    }

    private static void Expire(IDeadlined target)
    {
        try
        {
            target.Expire(Clock.Now);
        }
        catch (Exception)
        {
            // One that cannot be told must not keep the others from being told.
        }
    }

    private bool Collect(List<IDeadlined> due)
    {
        var now = Clock.Now;
        var any = false;
        lock (_gate)
        {
            for (var i = _watched.Count - 1; i >= 0; i--)
            {
                if (!_watched[i].TryGetTarget(out var target))
                {
                    _watched.RemoveAt(i);
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
