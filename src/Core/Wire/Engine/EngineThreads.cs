using System.Diagnostics;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// How many threads serve the engine. One is enough as long as it comes back: more would only wake each other up. A watchdog looks every few milliseconds while
/// there is work, and starts another when all are inside somebody's code and do not come back (it blocks, perhaps on another answer), or when none has slept
/// for a while and there are processors to spare. Threads that are not needed any more go.
/// </summary>
internal sealed class EngineThreads(CompletionEngine engine)
{
    /// <summary>How often the watchdog looks: nothing waits much longer than two of these for a thread.</summary>
    public const int TickMilliseconds = 2;

    // So many looks in which all threads worked without a sleep: another processor would help.
    private const int SaturatedTicks = 10;

    // A thread slept at every look for so long: it is not needed. Others that are not needed either follow soon.
    private const long SurplusMilliseconds = 2000;
    private const long NextSurplusMilliseconds = 100;

    // So many looks without work before the watchdog sleeps too.
    private const int QuietTicks = 50;

    private readonly Lock _gate = new();
    private readonly List<EngineWorker> _workers = [];
    private readonly object _wake = new();
    private bool _isWoken;
    private volatile bool _isWatchdogAsleep;
    private volatile int _count;
    private int _started;
    private long _left;

    /// <summary>Threads there are now.</summary>
    public int Count => _count;

    /// <summary>Changes passed on since the process began, about.</summary>
    public long Passed
    {
        get
        {
            lock (_gate)
                return _left + _workers.Sum(worker => (long)worker.Passed);
        }
    }

    /// <summary>Threads started since the process began.</summary>
    public int Started => Volatile.Read(ref _started);

    /// <summary>Starts the first thread and the watchdog.</summary>
    /// <exception cref="Errors.WireException">There is no room for them; it may be tried again.</exception>
    public void Start()
    {
        if (_count == 0 && !TryAdd() || !OwnThread.TryStart(Watch, "Slipstream engine watchdog", 256 * 1024))
            throw OwnThread.NotStarted();
    }

    // A machine that has no room for one more thread now may have it later; the watchdog must not die of it.
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

        // What was added last has no thread.
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

    private void Work(EngineWorker me)
    {
        me.Begin();
        var clean = ExecutionContext.Capture()!;
        var spin = new AdaptiveSpin(Environment.ProcessorCount);
        while (true)
        {
            var began = Stopwatch.GetTimestamp();
            if (!engine.Wait(0, out var events, out var key))
            {
                me.IsAsleep = true;
                var heard = (_count == 1 && Spin(spin, began, out events, out key)) || engine.Wait(-1, out events, out key);
                me.IsAsleep = false;
                // Stands against the watchdog's: either it sees that this thread works again, or this thread sees that it sleeps.
                Interlocked.MemoryBarrier();
                if (_isWatchdogAsleep)
                    Wake();
                if (!heard)
                    continue;
            }

            me.BeginTurn();
            spin.Heard(key, Stopwatch.GetElapsedTime(began), engine.Spins(key));
            if (!engine.Pass(events, key) && TryLeave(me))
                return;

            // What the caller's code has left behind on this thread does not reach the next caller.
            ExecutionContext.Restore(clean);
            if (SynchronizationContext.Current is not null)
                SynchronizationContext.SetSynchronizationContext(null);
        }
    }

    private bool Spin(AdaptiveSpin spin, long began, out uint events, out ulong key)
    {
        var patience = spin.Patience;
        var last = began;
        while (Stopwatch.GetElapsedTime(began, last) < patience)
        {
            if (engine.Wait(0, out events, out key))
                return true;
            var now = Stopwatch.GetTimestamp();
            if (spin.WasAway(Stopwatch.GetElapsedTime(last, now)))
                break;
            last = now;
        }

        (events, key) = (0, 0);
        return false;
    }

    private void Watch()
    {
        int quiet = 0, saturated = 0;
        var goes = Clock.Never;
        while (true)
        {
            var seen = Look();
            if (seen.Asleep > 0)
            {
                saturated = 0;
                quiet++;
                if (seen.Asleep + seen.Moved <= 1)
                    goes = Clock.Never;
                else if (goes == Clock.Never)
                    goes = Clock.In(SurplusMilliseconds);
                else if (goes <= Clock.Now)
                {
                    engine.Nudge();
                    goes = Clock.In(NextSurplusMilliseconds);
                }
            }
            else
            {
                quiet = 0;
                goes = Clock.Never;
                saturated++;
                if (seen.Blocked == seen.Count || saturated >= SaturatedTicks && seen.Count - seen.Blocked < Environment.ProcessorCount)
                {
                    saturated = 0;
                    TryAdd();
                }
            }

            if (quiet < QuietTicks || goes != Clock.Never)
                WaitToBeWoken(TickMilliseconds);
            else
                SleepUntilWoken();
        }
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
        if (Look().Asleep > 0)
            WaitToBeWoken(Timeout.Infinite);
        _isWatchdogAsleep = false;
    }

    private Seen Look()
    {
        var seen = new Seen();
        lock (_gate)
        {
            seen.Count = _workers.Count;
            foreach (var worker in _workers)
            {
                if (worker.IsAsleep)
                    seen.Asleep++;
                else if (worker.Passed != worker.Seen)
                    seen.Moved++;
                worker.Seen = worker.IsAsleep ? -1 : worker.Passed;
            }

            // A thread that wants to run and may not, or that computes, does not block: more threads would make that worse.
            if (seen.Asleep + seen.Moved == 0)
            {
                foreach (var worker in _workers)
                    if (worker.IsBlocked)
                        seen.Blocked++;
            }
        }

        return seen;
    }

    private struct Seen
    {
        public int Count;
        public int Asleep;

        // Have passed something on since the last look.
        public int Moved;

        // Wait for something of the caller's.
        public int Blocked;
    }
}
