using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// One open, authenticated connection: its wire, its queue of conversations, what it is doing now and what it must do before the next
/// command. A provider adds the server's state, its exchange and its prepared statements.
/// </summary>
public abstract class Session : IPooledSession, IDeadlined
{
    private readonly WeakReference<object?> _holder = new(null);
    private bool _isLeased;
    private long _interruptAsked;

    protected Session(Wire wire, Endpoint endpoint)
    {
        Wire = wire;
        Endpoint = endpoint;
        OpenedAt = ChangedAt = Clock.Now;
    }

    public Wire Wire { get; }

    public Endpoint Endpoint { get; }

    public ConversationQueue Queue { get; } = new();

    public Operation Operation { get; } = new();

    /// <summary>The hot exchange, reused for every command.</summary>
    public abstract ResultExchange Exchange { get; }

    /// <summary>The server's number for the session: what a cancellation names.</summary>
    public abstract long ServerId { get; }

    public abstract string ServerVersion { get; }

    /// <summary>True while the server says that a transaction is open.</summary>
    public abstract bool IsInTransaction { get; }

    /// <summary>How long an interrupted operation may take to end after the server was asked to cancel it, in milliseconds; 0 or less: no asking, the connection is closed at once.</summary>
    public int CancellationTimeout { get; init; } = 2000;

    public bool IsBroken { get; private set; }

    /// <summary>Why it broke; null while it is whole.</summary>
    public string? BrokenBecause { get; private set; }

    public bool IsAlive => !IsBroken && Wire.Buffered == 0 && !Wire.Transport.IsReadable;

    public bool HasWaitedAsynchronously => Wire.Transport.HasWaitedAsynchronously;

    public long OpenedAt { get; }

    public long ChangedAt { get; set; }

    public int Generation { get; set; }

    public object? Holder
    {
        get => _holder.TryGetTarget(out var holder) ? holder : null;
        set
        {
            _isLeased = value is not null;
            _holder.SetTarget(value);
        }
    }

    public bool IsLeaked => _isLeased && !_holder.TryGetTarget(out _);

    /// <summary>A reset is owed before the next command; it will travel in the same send.</summary>
    public bool NeedsReset { get; set; }

    /// <summary>The interruption under way, until it has been settled.</summary>
    public Ladder? Ladder { get; private set; }

    long IDeadlined.Due => Operation.Due;

    /// <summary>Glues what is owed (a reset, a BEGIN) in front of the command about to be encoded.</summary>
    public abstract void GluePrefixes();

    /// <summary>Asks the server, over another connection, to stop what this session is doing. Blocks; called by the ladder's thread.</summary>
    /// <exception cref="Exception">Anything: the ladder then closes the connection.</exception>
    public abstract void CancelOnServer();

    /// <summary>A command that does nothing but absorb a cancellation that came too late for the one it was meant for.</summary>
    public abstract Conversation CreateSwallow();

    /// <summary>The session is in doubt: it is never used again, and never resynchronised.</summary>
    public void Break(string because)
    {
        if (IsBroken)
            return;
        IsBroken = true;
        BrokenBecause = because;
        Wire.Transport.Shutdown();
    }

    /// <summary>Asks that operation <paramref name="number"/> be interrupted; returns at once, from any thread.</summary>
    public void Interrupt(long number, Interruption reason)
    {
        if (!Operation.TryInterrupt(number, reason))
            return;
        Volatile.Write(ref _interruptAsked, 1);
        Operation.MakeDue();
        Deadlines.LookNow();
    }

    void IDeadlined.Expire(long now)
    {
        var number = Operation.Number;
        if (Interlocked.Exchange(ref _interruptAsked, 0) == 0)
        {
            // A deadline has passed. What has ended meanwhile, or began since, keeps its own.
            if (Operation.Due > now || !Operation.TryInterrupt(number, Interruption.TimedOut))
                return;
        }
        else
            Operation.Quiet();
        Ladder = new Ladder(this);
        Ladder.Begin();
    }

    /// <summary>Waits until a ladder that has been announced has really begun, so that whoever settles finds it.</summary>
    internal Ladder WaitForLadder()
    {
        // The sweeper creates it within a tick of the interruption; the user's thread sees the interrupted operation first only in that gap.
        var spin = new SpinWait();
        while (Ladder is null)
            spin.SpinOnce();
        return Ladder;
    }

    /// <summary>The conversation that must run after an interrupted operation, before anything else: see <see cref="Settling"/>.</summary>
    public Conversation CreateSettling() => new Settling(WaitForLadder(), this);

    /// <summary>After <see cref="CreateSettling"/> has run, or the session broke.</summary>
    public void Settled()
    {
        Ladder = null;
        Operation.Settled();
    }

    public virtual void Close()
    {
        Deadlines.Forget(this);
        IsBroken = true;
        Wire.Transport.Dispose();
    }

    /// <summary>Fills in what a failure on the wire means for the command under way.</summary>
    public static RetrySafety SafetyOf(Exception exception) => exception is WireException { RetrySafety: RetrySafety.NotSent } ? RetrySafety.NotSent : RetrySafety.Unknown;
}
