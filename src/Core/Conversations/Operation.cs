using Slipstream.Core.Time;

namespace Slipstream.Core.Conversations;

/// <summary>Why a running operation is interrupted.</summary>
internal enum Interruption
{
    /// <summary>The operation was not interrupted.</summary>
    None,

    /// <summary>Its time-out has passed.</summary>
    TimedOut,

    /// <summary>The caller's token was cancelled.</summary>
    Canceled,

    /// <summary>The application called Cancel on the command.</summary>
    Asked,

    /// <summary>The transaction of the operation was rolled back while it ran: the session is discarded.</summary>
    Abandoned,
}

/// <summary>
/// The current operation of a session: its number, its deadline, and whether an interruption has begun. The sweeper, a token's callback and the user's thread
/// change it concurrently, so each change is one compare-exchange. An interruption names its operation: a late one finds another number and does nothing.
/// </summary>
internal sealed class Operation
{
    private const string CommandTimeout = "CommandTimeout";
    private const string ReaderTimeout = "Reader Timeout";

    // One word holds everything, so that no thread sees an interruption without its reason: number, reason (3 bits) and phase (2 bits).
    private const int NumberShift = 5;
    private const int ReasonShift = 2;
    private const long ReasonMask = 7;
    private const long PhaseMask = 3;
    private const long Idle = 0;
    private const long Running = 1;
    private const long Interrupting = 2;

    private long _state;
    private long _due = Clock.Never;

    // Deadline of the whole operation, however often it waits.
    private long _end = Clock.Never;
    private long _whole;

    // Deadline of the first wait, which remains when the operation ends.
    private long _firstDue = Clock.Never;

    /// <summary>Deadline of the current wait.</summary>
    public long Due => Volatile.Read(ref _due);

    /// <summary>Number of the operation; increases with each one.</summary>
    public long Number => Volatile.Read(ref _state) >> NumberShift;

    /// <summary>Whether an operation is running.</summary>
    public bool IsRunning => (Volatile.Read(ref _state) & PhaseMask) != Idle;

    /// <summary>Why the operation was interrupted, until the next one begins; <see cref="Interruption.None"/> if it was not.</summary>
    public Interruption Interruption => (Interruption)((Volatile.Read(ref _state) >> ReasonShift) & ReasonMask);

    /// <summary>Time limit in milliseconds; 0: no limit.</summary>
    public long Limit { get; private set; }

    /// <summary>Deadline of the first wait of the operation, also after its end.</summary>
    public long FirstDue => _firstDue;

    /// <summary>Milliseconds up to that deadline, not more than <paramref name="most"/>; 0: no limit. Null if it has passed.</summary>
    /// <param name="most">The other limit in milliseconds; 0: none.</param>
    public long? TimeLeft(long most) => _firstDue == Clock.Never ? Math.Max(0, most)
        : _firstDue - Clock.Now is > 0 and var left ? (most <= 0 ? left : Math.Min(left, most))
        : null;

    /// <summary>Whether the whole operation has a deadline: see <see cref="LimitWhole"/>.</summary>
    public bool IsLimitedWhole => _end != Clock.Never;

    /// <summary>Name of the option or property that sets the limit, for messages.</summary>
    public string LimitName { get; set; } = CommandTimeout;

    /// <summary>The reason of the interruption, with the limit of the operation.</summary>
    public InterruptedOperation Interrupted => _end != Clock.Never && Interruption == Interruption.TimedOut && Clock.Now >= _end
        ? new(Interruption, _whole, ReaderTimeout)
        : new(Interruption, Limit, LimitName);

    /// <summary>Starts the next operation, with a limit of <paramref name="milliseconds"/>; 0 or less: no limit.</summary>
    public void Begin(long milliseconds)
    {
        Limit = milliseconds;
        _end = _firstDue = Clock.Never;
        LimitName = CommandTimeout;
        Volatile.Write(ref _state, ((_state >> NumberShift) + 1) << NumberShift | Running);
        if (milliseconds > 0)
        {
            _firstDue = Clock.In(milliseconds);
            Volatile.Write(ref _due, _firstDue);
            Deadlines.Noticed();
        }
    }

    /// <summary>Lets the operation that has just begun continue an earlier one: its first wait ends at the deadline of that.</summary>
    public void Continue(long due)
    {
        if (due >= _firstDue)
            return;
        _firstDue = due;
        Volatile.Write(ref _due, due);
        Deadlines.Noticed();
    }

    /// <summary>Limits the whole operation that has just begun: none of its waits lasts longer.</summary>
    public void LimitWhole(long milliseconds)
    {
        _whole = milliseconds;
        _end = Clock.In(milliseconds);
        if (_end < _due)
            Volatile.Write(ref _due, _end);
        Deadlines.Noticed();
    }

    /// <summary>Sets a new deadline for the running operation: for the reader's waits between rows.</summary>
    public void Rearm(long milliseconds)
    {
        if (milliseconds <= 0 && _end == Clock.Never || Interruption != Interruption.None)
            return;
        if (milliseconds > 0)
            Limit = milliseconds;
        var due = Math.Min(Clock.In(milliseconds), _end);
        Volatile.Write(ref _due, due);
        Deadlines.Noticed();
    }

    /// <summary>Ends the operation. Returns false if an interruption has begun: it must be settled before the session is used again.</summary>
    public bool End()
    {
        Volatile.Write(ref _due, Clock.Never);
        var running = Volatile.Read(ref _state);
        return (running & PhaseMask) == Idle
            || ((running & PhaseMask) == Running && Interlocked.CompareExchange(ref _state, running - Running + Idle, running) == running);
    }

    /// <summary>
    /// Claims the interruption of operation <paramref name="number"/>. Returns false if the operation has ended or another interruption came first.
    /// </summary>
    public bool TryInterrupt(long number, Interruption reason)
    {
        var running = number << NumberShift | Running;
        if (Interlocked.CompareExchange(ref _state, number << NumberShift | (long)reason << ReasonShift | Interrupting, running) != running)
            return false;
        Volatile.Write(ref _due, Clock.Never);
        return true;
    }

    /// <summary>Removes the deadline until the next wait.</summary>
    public void Quiet() => Volatile.Write(ref _due, Clock.Never);

    /// <summary>Marks the interruption as settled: the session is free again.</summary>
    public void Drained()
    {
        Volatile.Write(ref _due, Clock.Never);
        Volatile.Write(ref _state, (_state & ~PhaseMask) | Idle);
    }
}

/// <summary>Why an operation was interrupted, and its limit.</summary>
/// <param name="Reason">The reason.</param>
/// <param name="Milliseconds">The limit in milliseconds; 0: none.</param>
/// <param name="LimitName">Name of the option or property that sets the limit.</param>
internal readonly record struct InterruptedOperation(Interruption Reason, long Milliseconds = 0, string LimitName = "")
{
    /// <summary>Converts a reason, without a limit.</summary>
    public static implicit operator InterruptedOperation(Interruption reason) => FromInterruption(reason);

    /// <summary>Converts a reason, without a limit.</summary>
    public static InterruptedOperation FromInterruption(Interruption reason) => new(reason);

    /// <summary>The limit as text for a message: <c>The command time-out of 30 s (CommandTimeout)</c>.</summary>
    public string LimitText => Milliseconds > 0
        ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"The command time-out of {Milliseconds / 1000.0:0.###} s ({LimitName})")
        : "The command time-out";
}
