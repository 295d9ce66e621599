using System.Diagnostics;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// Controls how many threads serve the engine. One is enough while it returns: more would only wake each other up. A watchdog checks every few milliseconds
/// while there is work. It starts another thread if all are inside the caller's code and do not return (because it blocks, perhaps on another answer), or if
/// none has slept for a while and there are spare processors. Threads that are no longer needed end.
/// </summary>
internal sealed class EngineThreads(CompletionEngine engine)
{
    /// <summary>Interval of the watchdog, in milliseconds. Work rarely waits longer than two intervals for a thread.</summary>
    public const int TickMilliseconds = 2;

    // Number of checks in which all threads worked without sleeping: then another processor would help.
    private const int SaturatedTicks = 10;

    // After a surplus thread has left, the next one follows at this interval.
    private const long NextSurplusMilliseconds = 100;

    // Number of checks without work before the watchdog sleeps too.
    private const int QuietTicks = 50;

    private readonly Lock _gate = new();
    private readonly List<EngineWorker> _workers = [];
    private readonly object _wake = new();
    private bool _isWoken;
    private volatile bool _isWatchdogAsleep;
    private volatile int _count;
    private volatile int _ready;
    private int _started;
    private long _left;

    /// <summary>Current number of threads.</summary>
    public int Count => _count;

    /// <summary>Number of threads that waited for events, or had passed some on, at the watchdog's last check.</summary>
    public int Ready => _ready;

    /// <summary>Approximate number of events passed on since the process began.</summary>
    public long Passed
    {
        get
        {
            lock (_gate)
                return _left + _workers.Sum(worker => (long)worker.Passed);
        }
    }

    /// <summary>Number of threads started since the process began.</summary>
    public int Started => Volatile.Read(ref _started);

    /// <summary>Starts the first thread and the watchdog.</summary>
    /// <exception cref="Errors.WireException">A thread cannot be started. The call may be repeated.</exception>
    public void Start()
    {
        if (_count == 0 && !TryAdd() || !OwnThread.TryStart(Watch, "Slipstream engine watchdog", 256 * 1024))
            throw OwnThread.NotStarted();
    }

    // If the machine has no room for another thread now, it may have room later; the watchdog must survive the failure.
    private bool TryAdd()
    {
        var worker = new EngineWorker();
        lock (_gate)
        {
            _workers.Add(worker);
            _count = _workers.Count;
        }

        if (OwnThread.TryStart(() => Work(worker), $"Slipstream engine {_started + 1}"))
        {
            Interlocked.Increment(ref _started);
            return true;
        }

        // The worker that was added has no thread.
        lock (_gate)
        {
            _workers.Remove(worker);
            _count = _workers.Count;
        }

        return false;
    }

    private bool TryLeave(EngineWorker worker)
    {
        lock (_gate)
        {
            if (_workers.Count == 1)
                return false;
            _workers.Remove(worker);
            _left += worker.Passed;
            _count = _workers.Count;
            return true;
        }
    }

    private void Work(EngineWorker worker)
    {
        worker.Begin();
        var clean = ExecutionContext.Capture()!;
        var spin = new AdaptiveSpin(Environment.ProcessorCount);
        var last = ulong.MaxValue;
        while (true)
        {
            var began = Stopwatch.GetTimestamp();
            engine.Gatherings.Expire();
            if (!engine.Wait(0, out var events, out var key))
            {
                worker.IsAsleep = true;
                // If another thread waited, each answer would wake it, too.
                var hasEvent = (_ready <= 1 && engine.Spins(last) && Spin(spin, began, out events, out key))
                    || engine.Wait(engine.Gatherings.IsEmpty ? -1 : Gatherings.Milliseconds, out events, out key);
                worker.IsAsleep = false;
                // Pairs with the watchdog's barrier: either the watchdog sees that this thread works again, or this thread sees that the watchdog sleeps.
                Interlocked.MemoryBarrier();
                if (_isWatchdogAsleep)
                    Wake();
                if (!hasEvent)
                    continue;
            }

            worker.BeginTurn();
            spin.RecordAnswer(key, Stopwatch.GetElapsedTime(began), engine.MaySpin(key));
            last = key;
            if (!engine.Pass(events, key) && TryLeave(worker))
                return;

            // State that the caller's code has left on this thread must not reach the next caller.
            ExecutionContext.Restore(clean);
            if (SynchronizationContext.Current is not null)
                SynchronizationContext.SetSynchronizationContext(null);
        }
    }

    private bool Spin(AdaptiveSpin spin, long began, out uint events, out ulong key)
    {
        var spinTime = spin.SpinTime;
        var last = began;
        while (Stopwatch.GetElapsedTime(began, last) < spinTime)
        {
            if (engine.Wait(0, out events, out key))
                return true;
            var now = Stopwatch.GetTimestamp();
            if (spin.WasPreempted(Stopwatch.GetElapsedTime(last, now)))
                break;
            last = now;
        }

        (events, key) = (0, 0);
        return false;
    }

    private void Watch()
    {
        int quiet = 0, saturated = 0;
        var retireAt = Clock.Never;
        var patience = new SurplusPatience();
        while (true)
        {
            var snapshot = TakeSnapshot();
            _ready = snapshot.Asleep + snapshot.Moved;
            engine.Gatherings.Expire();
            if (snapshot.Asleep > 0)
            {
                saturated = 0;
                quiet++;
                if (snapshot.Asleep + snapshot.Moved <= 1)
                    retireAt = Clock.Never;
                else if (retireAt == Clock.Never)
                    retireAt = Clock.In(patience.Milliseconds);
                else if (retireAt <= Clock.Now)
                {
                    engine.WakeOne();
                    patience.Left(Clock.Now);
                    retireAt = Clock.In(NextSurplusMilliseconds);
                }
            }
            else
            {
                quiet = 0;
                retireAt = Clock.Never;
                saturated++;
                if (snapshot.Blocked == snapshot.Count || saturated >= SaturatedTicks && snapshot.Count - snapshot.Blocked < Environment.ProcessorCount)
                {
                    saturated = 0;
                    patience.Needed(Clock.Now);
                    TryAdd();
                }
            }

            if (quiet < QuietTicks || retireAt != Clock.Never || !engine.Gatherings.IsEmpty)
                WaitToBeWoken(TickMilliseconds);
            else
                SleepUntilWoken();
        }
    }

    /// <summary>Makes the watchdog check while answers gather: all threads that would notice the end of their time may be inside the caller's code.</summary>
    public void KeepWatching()
    {
        // Pairs with the watchdog's barrier.
        Interlocked.MemoryBarrier();
        if (_isWatchdogAsleep)
            Wake();
    }

    private void Wake()
    {
        lock (_wake)
        {
            _isWoken = true;
            Monitor.Pulse(_wake);
        }
    }

    private void WaitToBeWoken(int milliseconds)
    {
        lock (_wake)
        {
            if (!_isWoken)
                Monitor.Wait(_wake, milliseconds);
            _isWoken = false;
        }
    }

    private void SleepUntilWoken()
    {
        _isWatchdogAsleep = true;
        Interlocked.MemoryBarrier();
        if (TakeSnapshot().Asleep > 0 && engine.Gatherings.IsEmpty)
            WaitToBeWoken(Timeout.Infinite);
        _isWatchdogAsleep = false;
    }

    private Snapshot TakeSnapshot()
    {
        var snapshot = new Snapshot();
        lock (_gate)
        {
            snapshot.Count = _workers.Count;
            foreach (var worker in _workers)
            {
                if (worker.IsAsleep)
                    snapshot.Asleep++;
                else if (worker.Passed != worker.Seen)
                    snapshot.Moved++;
                worker.Seen = worker.IsAsleep ? -1 : worker.Passed;
            }

            // A thread that is runnable but has no processor, or that computes, is not blocked: more threads would make that worse.
            if (snapshot.Asleep + snapshot.Moved == 0)
            {
                foreach (var worker in _workers)
                    if (worker.IsBlocked)
                        snapshot.Blocked++;
            }
        }

        return snapshot;
    }

    private struct Snapshot
    {
        public int Count;
        public int Asleep;

        // Threads that have passed on an event since the last check.
        public int Moved;

        // Threads that wait inside the caller's code.
        public int Blocked;
    }
}
