namespace Slipstream.Core.Wires;

/// <summary>
/// Threads for what must happen when a time is over, and may block: asking a server to stop, closing a connection that somebody waits for. They are not the thread pool's, which a
/// program that waits for a dead server has none left of. When many times are over at once, each thread that starts lets the next one start before it goes to work: the one
/// that noticed waits for a single start (which takes as long as a busy machine likes), and their number doubles with each.
/// </summary>
internal static class Interruptions
{
    // Long enough for those that a dead server interrupts one after the other, and not for threads to gather.
    private const int IdleMilliseconds = 500;

    private static readonly object Gate = new();
    private static readonly Queue<Action> Waiting = new();
    private static int _idle;
    private static bool _isStarting;

    /// <summary>Begins something on a thread of its own; returns soon.</summary>
    /// <param name="work">What it throws is lost.</param>
    public static void Begin(Action work)
    {
        lock (Gate)
        {
            Waiting.Enqueue(work);
            if (_idle > 0)
                Monitor.Pulse(Gate);
            if (!IsAnotherNeeded())
                return;
        }

        Start();
    }

    // True for one caller at a time, who then has to start it.
    private static bool IsAnotherNeeded()
    {
        if (_isStarting || Waiting.Count <= _idle)
            return false;
        _isStarting = true;
        return true;
    }

    private static void Start() => new Thread(Work) { IsBackground = true, Name = "Slipstream interruptions" }.Start();

    private static void Work()
    {
        lock (Gate)
            _isStarting = false;
        while (true)
        {
            Action work;
            bool starts;
            lock (Gate)
            {
                if (!WaitForWork())
                    return;
                work = Waiting.Dequeue();
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

    private static bool WaitForWork()
    {
        while (Waiting.Count == 0)
        {
            _idle++;
            var isPulsed = Monitor.Wait(Gate, IdleMilliseconds);
            _idle--;
            if (!isPulsed && Waiting.Count == 0)
                return false;
        }

        return true;
    }
}
