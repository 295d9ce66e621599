namespace Slipstream.Core.Wires;

/// <summary>What the watchdog knows of one thread of the engine.</summary>
internal sealed class EngineWorker
{
    // So many answers that are there already are taken in a row; then it is the others' turn.
    private const int Turn = 16;

    /// <summary>The worker whose thread this is; null on other threads.</summary>
    [ThreadStatic]
    public static EngineWorker? Current;

    private int _left;
    private string? _stat;
    private volatile bool _isAsleep;
    private volatile int _passed;

    /// <summary>It waits for work, or looks for it.</summary>
    public bool IsAsleep
    {
        get => _isAsleep;
        set => _isAsleep = value;
    }

    /// <summary>Counts up with everything it has passed on.</summary>
    public int Passed => _passed;

    /// <summary>The watchdog's memory of <see cref="Passed"/>; −1 when it slept.</summary>
    public int Seen { get; set; } = -1;

    /// <summary>True when its thread waits for something in the caller's code; false when it runs, or would if it got a processor.</summary>
    public bool IsBlocked
    {
        get
        {
            try
            {
                // proc_pid_stat(5): the state is the first letter behind the name, which stands in brackets and may hold any others.
                return _stat is null || File.ReadAllText(_stat) is var text && text[text.LastIndexOf(')') + 2] != 'R';
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                return true;
            }
        }
    }

    /// <summary>Called on its own thread, before anything else.</summary>
    public void Begin()
    {
        Current = this;
        try
        {
            // PID/task/TID
            _stat = File.ResolveLinkTarget("/proc/thread-self", returnFinalTarget: false) is { } self ? $"{self.FullName}/stat" : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            _stat = null;
        }
    }

    /// <summary>The next answer is about to be passed on.</summary>
    public void BeginTurn()
    {
        _left = Turn;
        _passed++;
    }

    /// <summary>Whether an answer that is there already may be taken at once. It counts as one passed on.</summary>
    public bool TryGoOn()
    {
        _passed++;
        return --_left > 0;
    }
}
