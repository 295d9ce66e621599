namespace Slipstream.Core.Time;

/// <summary>
/// Threads for work that may block and must not wait in a queue: asking a server to stop, closing a connection that a caller waits for, resolving a name. They
/// do not belong to the thread pool, which is exhausted in a program that waits for a dead server. When many threads are needed at once, each new thread starts
/// the next one before it begins its work. A caller thus waits for a single start (which can take long on a busy machine), and the number of threads doubles
/// with each step.
/// </summary>
/// <param name="name">Name of the threads. The operating system may show only its first 15 characters.</param>
/// <param name="idleMilliseconds">Time in milliseconds that an idle thread waits for work before it ends.</param>
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
    /// For the work after an expired deadline. The idle time of 0.5 seconds is long enough for a series of interruptions of a dead server, and too short for
    /// threads to accumulate.
    /// </summary>
    public static DedicatedThreads Interruptions { get; } = new("Slipstream interruptions", 500);

    /// <summary>For the system's name resolver. Starting a thread costs more than resolving a name of the hosts file.</summary>
    public static DedicatedThreads NameResolution { get; } = new("Slipstream names", 5000);

    /// <summary>
    /// Keeps at least one thread from now on. All work is then done, if only one item after the other, even if the system can start no other thread by then.
    /// </summary>
    /// <returns>False if not even the first thread can be started.</returns>
    public bool TryKeepOne()
    {
        lock (_gate)
        {
            if (_keepsOne)
                return true;
            // A running thread stays.
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

    /// <summary>Runs <paramref name="work"/> on one of these threads, without waiting for it.</summary>
    /// <param name="work">The work. Its exceptions are ignored.</param>
    /// <exception cref="Errors.WireException">There is no thread and none can be started: the work is not done.</exception>
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
            // A working thread continues with the queued work.
            if (_count > 0 || !_waiting.Contains(work))
                return;
            // The other work in the queue was accepted, so it stays there until the next thread can be started.
            for (var left = _waiting.Count; left > 0; left--)
                if (_waiting.Dequeue() is var other && other != work)
                    _waiting.Enqueue(other);
        }

        throw OwnThread.NotStarted();
    }

    // Excludes the thread that is being started: its start may still fail.
    private int Working => _count - (_isStarting ? 1 : 0);

    // True for one caller at a time, which must then start the thread.
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
                // An unexpected exception must not end the process.
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
