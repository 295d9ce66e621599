namespace Slipstream.Core.Wires;

/// <summary>
/// Threads for what may block and must not wait for its turn: asking a server to stop, closing a connection that somebody waits for, resolving a name. They are not the thread
/// pool's, which a program that waits for a dead server has none left of. When many are needed at once, each thread that starts lets the next one start before it goes to work:
/// who asked waits for a single start (which takes as long as a busy machine likes), and their number doubles with each.
/// </summary>
/// <param name="name">The threads' name; a system may show its first fifteen letters only.</param>
/// <param name="idleMilliseconds">How long a thread waits for more to do before it ends.</param>
internal sealed class SpareThreads(string name, int idleMilliseconds)
{
    private readonly object _gate = new();
    private readonly Queue<Action> _waiting = new();
    private int _idle;
    private bool _isStarting;

    /// <summary>For what must happen when a time is over. Half a second is long enough for those that a dead server interrupts one after the other, and not for threads to gather.</summary>
    public static SpareThreads Interruptions { get; } = new("Slipstream interruptions", 500);

    /// <summary>For the system's resolver. Starting a thread costs more than resolving a name of the hosts file.</summary>
    public static SpareThreads NameResolution { get; } = new("Slipstream names", 5000);

    /// <summary>Begins something on a thread of its own; returns soon.</summary>
    /// <param name="work">What it throws is lost.</param>
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

        Start();
    }

    // True for one caller at a time, who then has to start it.
    private bool IsAnotherNeeded()
    {
        if (_isStarting || _waiting.Count <= _idle)
            return false;
        _isStarting = true;
        return true;
    }

    // Without the context of who asked first: the thread serves others, too.
    private void Start() => new Thread(Work) { IsBackground = true, Name = name }.UnsafeStart();

    private void Work()
    {
        lock (_gate)
            _isStarting = false;
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
            if (!isPulsed && _waiting.Count == 0)
                return false;
        }

        return true;
    }
}
