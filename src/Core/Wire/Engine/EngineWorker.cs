namespace Slipstream.Core.Wires;

/// <summary>One thread of the engine, as the watchdog sees it.</summary>
internal sealed class EngineWorker
{
    // Number of available answers taken in a row before other connections get their turn.
    private const int Turn = 16;

    /// <summary>The worker of the current thread; null on other threads.</summary>
    [ThreadStatic]
    public static EngineWorker? Current;

    private int _left;
    private string? _stat;
    private volatile bool _isAsleep;
    private volatile int _passed;

    /// <summary>Whether the thread waits or polls for work.</summary>
    public bool IsAsleep
    {
        get => _isAsleep;
        set => _isAsleep = value;
    }

    /// <summary>Number of events passed on.</summary>
    public int Passed => _passed;

    /// <summary>The value of <see cref="Passed"/> at the watchdog's last check; −1 if the thread slept.</summary>
    public int Seen { get; set; } = -1;

    /// <summary>Whether the thread waits inside the caller's code. False if it runs or is runnable.</summary>
    public bool IsBlocked
    {
        get
        {
            try
            {
                // proc_pid_stat(5): the state is the first letter after the name, which is in parentheses and may contain parentheses itself.
                return _stat is null || File.ReadAllText(_stat) is var text && text[text.LastIndexOf(')') + 2] != 'R';
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                return true;
            }
        }
    }

    /// <summary>Initializes the worker; called first on its own thread.</summary>
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

    /// <summary>Called before an event is passed on.</summary>
    public void BeginTurn()
    {
        _left = Turn;
        _passed++;
    }

    /// <summary>Whether an available answer may be taken at once. It counts as an event passed on.</summary>
    public bool TryContinue()
    {
        _passed++;
        return --_left > 0;
    }
}
