using Slipstream.Core.Time;

namespace Slipstream.Core.Conversations;

/// <summary>Why a running operation is interrupted.</summary>
public enum Interruption
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
public sealed class Operation
{
    private const string CommandTimeout = "CommandTimeout";
    private const string ReaderTimeout = "Reader Timeout";
    private const long Phases = 4;
    private const long Idle = 0;
    private const long Running = 1;
    private const long Interrupting = 2;

    private long _state;
    private long _due = Clock.Never;

    // Of the whole operation, however often it waits.
    private long _end = Clock.Never;
    private long _whole;
    private int _isAnnounced;

    /// <summary>When the operation's time is over; 0 while an interruption waits to be heard of by the sweeper.</summary>
    public long Due => Volatile.Read(ref _isAnnounced) != 0 ? 0 : Volatile.Read(ref _due);

    /// <summary>Counts up with every operation.</summary>
    public long Number => Volatile.Read(ref _state) / Phases;

    /// <summary>Whether an operation is under way.</summary>
    public bool IsRunning => Volatile.Read(ref _state) % Phases != Idle;

    /// <summary>Why the interruption under way began; <see cref="Interruption.None"/> while there is none.</summary>
    public Interruption Interruption { get; private set; }

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
        Interruption = Interruption.None;
        Volatile.Write(ref _state, ((_state / Phases) + 1) * Phases + Running);
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

    /// <summary>Ends the operation. False when an interruption has begun: its ladder must be settled before the session is used again.</summary>
    public bool End()
    {
        Volatile.Write(ref _due, Clock.Never);
        var running = Volatile.Read(ref _state);
        return running % Phases == Idle
            || (running % Phases == Running && Interlocked.CompareExchange(ref _state, running - Running + Idle, running) == running);
    }

    /// <summary>Claims the interruption of operation <paramref name="number"/>. False when it has ended or another interruption was first.</summary>
    public bool TryInterrupt(long number, Interruption reason)
    {
        if (Interlocked.CompareExchange(ref _state, number * Phases + Interrupting, number * Phases + Running) != number * Phases + Running)
            return false;
        Interruption = reason;
        Volatile.Write(ref _due, Clock.Never);
        return true;
    }

    /// <summary>
    /// Announces an interruption to the sweeper. Kept apart from the deadline: whatever the user's thread does with that meanwhile, its
    /// ladder must begin, because the end of the operation waits for it.
    /// </summary>
    public void MakeDue() => Volatile.Write(ref _isAnnounced, 1);

    /// <summary>The sweeper's look: true when an interruption was announced since the last one.</summary>
    public bool HearInterruption() => Interlocked.Exchange(ref _isAnnounced, 0) != 0;

    /// <summary>No deadline until the next wait.</summary>
    public void Quiet() => Volatile.Write(ref _due, Clock.Never);

    /// <summary>The ladder has been settled: the session is free again.</summary>
    public void Settled()
    {
        Volatile.Write(ref _due, Clock.Never);
        Volatile.Write(ref _state, _state / Phases * Phases + Idle);
    }
}

/// <summary>Why an operation was interrupted, and what its limit was.</summary>
/// <param name="Reason">Why.</param>
/// <param name="Milliseconds">Its limit; 0 for none.</param>
/// <param name="LimitName">What the user sets to give it more.</param>
public readonly record struct InterruptedOperation(Interruption Reason, long Milliseconds = 0, string LimitName = "")
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
