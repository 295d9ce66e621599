using Slipstream.Core.Time;

namespace Slipstream.Core.Conversations;

/// <summary>Why a running operation is interrupted.</summary>
internal enum Interruption
{
    /// <summary>Nobody asked it to stop.</summary>
    None,

    /// <summary>Its time-out has passed.</summary>
    TimedOut,

    /// <summary>The caller's token was cancelled.</summary>
    Canceled,

    /// <summary>Somebody called Cancel on the command.</summary>
    Asked,

    /// <summary>The transaction that it runs in was rolled back under it: the session is given up.</summary>
    Abandoned,
}

/// <summary>
/// What a session is doing now: which operation, until when, and whether an interruption of it has begun. The sweeper, a token's
/// callback and the user's thread meet here, so each change is one compare-exchange, and an interruption always names its operation:
/// one that comes late finds another number and does nothing.
/// </summary>
internal sealed class Operation
{
    private const string CommandTimeout = "CommandTimeout";
    private const string ReaderTimeout = "Reader Timeout";

    // One word has it all, so that nobody sees an interruption without its reason: the number, the reason (3 bits) and the phase (2 bits).
    private const int NumberShift = 5;
    private const int ReasonShift = 2;
    private const long ReasonMask = 7;
    private const long PhaseMask = 3;
    private const long Idle = 0;
    private const long Running = 1;
    private const long Interrupting = 2;

    private long _state;
    private long _due = Clock.Never;

    // Of the whole operation, however often it waits.
    private long _end = Clock.Never;
    private long _whole;

    /// <summary>When the operation's time is over.</summary>
    public long Due => Volatile.Read(ref _due);

    /// <summary>Counts up with every operation.</summary>
    public long Number => Volatile.Read(ref _state) >> NumberShift;

    /// <summary>Whether an operation is under way.</summary>
    public bool IsRunning => (Volatile.Read(ref _state) & PhaseMask) != Idle;

    /// <summary>Why the operation was interrupted, until the next one begins; <see cref="Interruption.None"/> when it was not.</summary>
    public Interruption Interruption => (Interruption)((Volatile.Read(ref _state) >> ReasonShift) & ReasonMask);

    /// <summary>How many milliseconds it was given; 0: no limit.</summary>
    public long Limit { get; private set; }

    /// <summary>What the user sets to give it more time, for messages.</summary>
    public string LimitName { get; set; } = CommandTimeout;

    /// <summary>Why it ends, if it was interrupted, and the limit that it had.</summary>
    public InterruptedOperation Interrupted => _end != Clock.Never && Interruption == Interruption.TimedOut && Clock.Now >= _end
        ? new(Interruption, _whole, ReaderTimeout)
        : new(Interruption, Limit, LimitName);

    /// <summary>Starts the next operation. <paramref name="milliseconds"/> 0 or less: no limit.</summary>
    public void Begin(long milliseconds)
    {
        Limit = milliseconds;
        _end = Clock.Never;
        LimitName = CommandTimeout;
        Volatile.Write(ref _state, ((_state >> NumberShift) + 1) << NumberShift | Running);
        if (milliseconds > 0)
        {
            Volatile.Write(ref _due, Clock.In(milliseconds));
            Deadlines.Noticed();
        }
    }

    /// <summary>Limits the operation that has just begun as a whole: no wait of its goes beyond that.</summary>
    public void LimitWhole(long milliseconds)
    {
        _whole = milliseconds;
        _end = Clock.In(milliseconds);
        if (_end < _due)
            Volatile.Write(ref _due, _end);
        Deadlines.Noticed();
    }

    /// <summary>Gives the operation under way a new deadline: for the reader's waits between rows.</summary>
    public void Rearm(long milliseconds)
    {
        if (milliseconds <= 0 && _end == Clock.Never || Interruption != Interruption.None)
            return;
        var due = Math.Min(Clock.In(milliseconds), _end);
        Volatile.Write(ref _due, due);
        Deadlines.Noticed();
    }

    /// <summary>Ends the operation. False when an interruption has begun: it must be settled before the session is used again.</summary>
    public bool End()
    {
        Volatile.Write(ref _due, Clock.Never);
        var running = Volatile.Read(ref _state);
        return (running & PhaseMask) == Idle
            || ((running & PhaseMask) == Running && Interlocked.CompareExchange(ref _state, running - Running + Idle, running) == running);
    }

    /// <summary>Claims the interruption of operation <paramref name="number"/>. False when it has ended or another interruption was first.</summary>
    public bool TryInterrupt(long number, Interruption reason)
    {
        var running = number << NumberShift | Running;
        if (Interlocked.CompareExchange(ref _state, number << NumberShift | (long)reason << ReasonShift | Interrupting, running) != running)
            return false;
        Volatile.Write(ref _due, Clock.Never);
        return true;
    }

    /// <summary>No deadline until the next wait.</summary>
    public void Quiet() => Volatile.Write(ref _due, Clock.Never);

    /// <summary>The interruption has been settled: the session is free again.</summary>
    public void Drained()
    {
        Volatile.Write(ref _due, Clock.Never);
        Volatile.Write(ref _state, (_state & ~PhaseMask) | Idle);
    }
}

/// <summary>Why an operation was interrupted, and what its limit was.</summary>
/// <param name="Reason">Why.</param>
/// <param name="Milliseconds">Its limit; 0 for none.</param>
/// <param name="LimitName">What the user sets to give it more.</param>
internal readonly record struct InterruptedOperation(Interruption Reason, long Milliseconds = 0, string LimitName = "")
{
    /// <summary>What was interrupted without a limit of its own.</summary>
    public static implicit operator InterruptedOperation(Interruption reason) => FromInterruption(reason);

    /// <summary>What was interrupted without a limit of its own.</summary>
    public static InterruptedOperation FromInterruption(Interruption reason) => new(reason);

    /// <summary>The limit for people: <c>The command time-out of 30 s (CommandTimeout)</c>.</summary>
    public string LimitText => Milliseconds > 0
        ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"The command time-out of {Milliseconds / 1000.0:0.###} s ({LimitName})")
        : "The command time-out";
}
