using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Time;

/// <summary>
/// The thread behind <see cref="Deadlines"/>, and the targets that it watches. It lives as long as the process, whatever the expired targets do.
/// </summary>
/// <param name="interruptions">The threads that handle expired targets. At least one of them runs before anything is watched.</param>
/// <param name="tickMilliseconds">Interval between two checks, in milliseconds, while there is a deadline.</param>
/// <param name="start">Starts a thread; null for <see cref="OwnThread.TryStart(ThreadStart, string)"/>.</param>
[SuppressMessage(
    "Design", "CA1001:Types that own disposable fields should be disposable", Justification = "Its thread uses the event as long as the process lives.")]
internal sealed class DeadlineSweeper(DedicatedThreads interruptions, int tickMilliseconds, Func<ThreadStart, string, bool>? start = null)
{
    private readonly Func<ThreadStart, string, bool> _tryStart = start ?? OwnThread.TryStart;
    private readonly Lock _gate = new();
    private readonly ManualResetEventSlim _wake = new();
    private readonly List<WeakReference<IDeadlined>> _watched = [];
    private bool _isStarted;
    private volatile bool _asleep;

    /// <summary>Watches <paramref name="target"/>.</summary>
    /// <exception cref="Errors.WireException">A thread that watching needs cannot be started.</exception>
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

    /// <summary>Stops watching <paramref name="target"/>.</summary>
    public void Forget(IDeadlined target)
    {
        lock (_gate)
            _watched.RemoveAll(reference => !reference.TryGetTarget(out var watched) || ReferenceEquals(watched, target));
    }

    /// <summary>Wakes a sleeping sweeper after a deadline was set.</summary>
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
                // An exception that left this thread would end the process, and the other targets still have their deadlines.
                due.Clear();
            }
        }
    }

    private void SweepOnce(List<IDeadlined> due)
    {
        // Before the check: a deadline that is set during the check is noticed at its end.
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

        // Announce the sleep, then check once more: a thread that sets a deadline either sees the announcement or is seen by the check. The barrier acts on
        // every thread, so that those that set deadlines need none between their store and their read.
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
            // A failure of one target must not keep the others from expiring.
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
