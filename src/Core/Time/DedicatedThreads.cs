namespace Slipstream.Core.Time;

/// <summary>
/// Threads for what may block and must not wait for its turn: asking a server to stop, closing a connection that somebody waits for, resolving a name. They are
/// not the thread pool's, which a program that waits for a dead server has none left of. When many are needed at once, each thread that starts lets the next
/// one start before it goes to work: who asked waits for a single start (which takes as long as a busy machine likes), and their number doubles with each.
/// </summary>
/// <param name="name">The threads' name; a system may show its first fifteen letters only.</param>
/// <param name="idleMilliseconds">How long a thread waits for more to do before it ends.</param>
/// <param name="start">Starts a thread; null for <see cref="OwnThread.TryStart(ThreadStart, string)"/>.</param>
internal sealed class DedicatedThreads(string name, int idleMilliseconds, Func<ThreadStart, string, bool>? start = null)
{
    private readonly Func<ThreadStart, string, bool> _tryStart = start ?? OwnThread.TryStart;
    private readonly object _gate = new();
    private readonly Queue<Action> _waiting = new();
    private int _idle;
    private int _count;
    private bool _isStarting;
    private bool _keepsOne;

    /// <summary>
    /// For what must happen when a time is over. Half a second is long enough for those that a dead server interrupts one after the other, and not for threads
    /// to gather.
    /// </summary>
    public static DedicatedThreads Interruptions { get; } = new("Slipstream interruptions", 500);

    /// <summary>For the system's resolver. Starting a thread costs more than resolving a name of the hosts file.</summary>
    public static DedicatedThreads NameResolution { get; } = new("Slipstream names", 5000);

    /// <summary>
    /// From now on there is a thread at any time: what begins is done, if only one after the other, also when the system has no room for another thread by
    /// then.
    /// </summary>
    /// <returns>False when not even the first can be started.</returns>
    public bool TryKeepOne()
    {
        lock (_gate)
        {
            if (_keepsOne)
                return true;
            // A thread that is there stays.
            _keepsOne = Working > 0;
            if (_keepsOne)
                return true;
            _count++;
            _keepsOne = _tryStart(Work, name);
            if (!_keepsOne)
                _count--;
            return _keepsOne;
        }
    }

    /// <summary>Begins something on a thread of its own; returns soon.</summary>
    /// <param name="work">What it throws is lost.</param>
    /// <exception cref="Errors.WireException">There is no thread, and none can be started: it does not begin.</exception>
    public void Begin(Action work)
    {
        lock (_gate)
        {
            _waiting.Enqueue(work);
            if (_idle > 0)
                Monitor.Pulse(_gate);
            if (!IsAnotherNeeded())
                return;
        }

        if (Start())
            return;
        lock (_gate)
        {
            // Who works now goes on with what waits.
            if (_count > 0 || !_waiting.Contains(work))
                return;
            // The others' askers have been told that it will be done: it is, when the next one can be started.
            for (var left = _waiting.Count; left > 0; left--)
                if (_waiting.Dequeue() is var other && other != work)
                    _waiting.Enqueue(other);
        }

        throw OwnThread.NotStarted();
    }

    // The one that is being started may still fail to.
    private int Working => _count - (_isStarting ? 1 : 0);

    // True for one caller at a time, who then has to start it.
    private bool IsAnotherNeeded()
    {
        if (_isStarting || _waiting.Count <= _idle)
            return false;
        _isStarting = true;
        _count++;
        return true;
    }

    private bool Start()
    {
        if (_tryStart(WorkFirst, name))
            return true;
        lock (_gate)
        {
            _isStarting = false;
            _count--;
        }

        return false;
    }

    private void WorkFirst()
    {
        lock (_gate)
            _isStarting = false;
        Work();
    }

    private void Work()
    {
        while (true)
        {
            Action work;
            bool starts;
            lock (_gate)
            {
                if (!WaitForWork())
                    return;
                work = _waiting.Dequeue();
                starts = IsAnotherNeeded();
            }

            if (starts)
                Start();
            try
            {
                work();
            }
            catch (Exception)
            {
                // An exception that nobody expects here must not end the process.
            }
        }
    }

    private bool WaitForWork()
    {
        while (_waiting.Count == 0)
        {
            _idle++;
            var isPulsed = Monitor.Wait(_gate, idleMilliseconds);
            _idle--;
            if (!isPulsed && _waiting.Count == 0 && !(_keepsOne && Working == 1))
            {
                _count--;
                return false;
            }
        }

        return true;
    }
}
