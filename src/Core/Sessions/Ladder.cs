using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// The interruption ladder of one operation, outside the user's thread: ask the server to cancel it; wait the cancellation time-out;
/// then shut the connection down. A thread of its own: it is rare, and one dead server must not delay the deadlines of others.
/// </summary>
public sealed class Ladder(Session session)
{
    // A prefix is answered in a round trip; looking that often costs nothing on a path this rare.
    private const int PrefixWaitMilliseconds = 5;
    private const int FirstPatienceMilliseconds = 250;

    // When the cancellation took all of the time: what absorbs it has a moment, too.
    private const int LeastToSettleMilliseconds = 250;

    private const string Silent = "the server did not answer in time after an interrupted operation";

    private const int Settled = 1;
    private const int GivenUp = 2;

    private readonly Signal _settled = new();
    private int _outcome;

    /// <summary>Why the session of an abandoned operation broke.</summary>
    public const string Abandoned = "its transaction was rolled back while a command was running";

    /// <summary>Set when the cancellation's own exchange has ended, well or not.</summary>
    public Signal CancellationEnded { get; } = new();

    /// <summary>Set by the user's thread when the interrupted operation has ended.</summary>
    public Signal OperationEnded { get; } = new();

    /// <summary>Why asking the server failed; null when it did not.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>That of a session which was given up before anybody began: nobody asks the server, and nobody need wait.</summary>
    public static Ladder NotClimbed(Session session)
    {
        var ladder = new Ladder(session);
        ladder.CancellationEnded.Set();
        return ladder;
    }

    /// <summary>Begins to climb, on a thread of its own.</summary>
    public void Begin()
    {
        try
        {
            SpareThreads.Interruptions.Begin(Climb);
        }
        catch (Exception exception)
        {
            // Nobody can ask the server: the connection is closed, which ends the operation, and nobody waits for more.
            Failure = exception;
            session.Break("the server could not be asked to cancel an operation");
            CancellationEnded.Set();
        }
    }

    /// <summary>
    /// The user's thread has done what comes behind the interrupted operation. When the time for that was over before, the session is broken.
    /// </summary>
    public void Settle()
    {
        if (Interlocked.CompareExchange(ref _outcome, Settled, 0) == GivenUp)
            session.Break(Silent);
        _settled.Set();
    }

    private void Climb()
    {
        var due = Clock.In(session.CancellationTimeout);
        Ask(due);
        // A server may fall silent behind the answer, too: what absorbs a late cancellation is not waited for without end.
        if (session.IsBroken || due == Clock.Never || _settled.Wait((int)Math.Clamp(due - Clock.Now, LeastToSettleMilliseconds, int.MaxValue)))
            return;
        if (Interlocked.CompareExchange(ref _outcome, GivenUp, 0) == 0)
            session.Break(Silent);
    }

    private void Ask(long due)
    {
        try
        {
            if (session.CancellationTimeout != 0 && CancelUntilEnded(due))
                return;
            session.Break(IsAbandoned ? Abandoned : "an interrupted operation did not end in time");
        }
        catch (Exception exception)
        {
            // Whatever it was, the user's thread must not wait for ever. And a request that may be on its way still could reach the server whenever it likes:
            // what it would hit then is the next command.
            Failure = exception;
            if (!OperationEnded.Wait(0))
                session.Break("the server could not be asked to cancel an operation");
            else if (!WasSurelyNotAsked(exception))
                session.Break("a request to cancel an operation that has ended may still be on its way to the server");
        }
        finally
        {
            CancellationEnded.Set();
        }
    }

    // Who has no connection to ask over, or was not let in, has asked nothing.
    private static bool WasSurelyNotAsked(Exception exception) => exception is ServerRefusedException || Session.SafetyOf(exception) == RetrySafety.NotSent;

    private bool IsAbandoned => session.Operation.Interruption == Interruption.Abandoned;

    // False when the time ran out first, or nobody needs the session any more.
    private bool CancelUntilEnded(long due)
    {
        // No KILL while a prefix is unanswered: it would hit the prefix, and the command would run on.
        // (One that is answered together with its command says nothing before that ends: a KILL ends both.)
        while (session.Queue.IsBehindPrefix)
        {
            if (OperationEnded.Wait(PrefixWaitMilliseconds))
                return true;
            if (session.IsBroken || Clock.Now >= due)
                return false;
        }

        // Again after a while: a cancellation that overtook its command found nothing to cancel.
        for (var patience = FirstPatienceMilliseconds; ; patience *= 2)
        {
            // Each attempt has what is left: one that began just before the end would double the time.
            session.CancelOnServer(due == Clock.Never ? -1 : (int)Math.Max(1, due - Clock.Now));
            // Who closed the connection under its command does not say that the operation has ended.
            if (IsAbandoned || session.IsBroken)
                return false;
            if (OperationEnded.Wait((int)Math.Clamp(due - Clock.Now, 0, patience)))
                return true;
            if (Clock.Now >= due)
                return false;
        }
    }
}

/// <summary>
/// Runs after an interrupted operation: waits for the ladder to end, then lets one empty command absorb a cancellation that arrived late,
/// so that it never hits the next user's query.
/// </summary>
public sealed class Settling : Conversation
{
    private readonly Ladder _ladder;
    private readonly Session _session;
    private Conversation? _swallow;

    /// <summary>Settles the interruption behind the last answer.</summary>
    public Settling(Ladder ladder, Session session)
    {
        _ladder = ladder;
        _session = session;
        ladder.OperationEnded.Set();
    }

    /// <inheritdoc/>
    public override Producer Producer => _ladder.CancellationEnded;

    /// <inheritdoc/>
    public override Step Advance(Wire wire)
    {
        if (!_ladder.CancellationEnded.IsSet)
            return Step.Produce;
        if (_session.IsBroken)
            return Step.Over;
        _swallow ??= _session.CreateSwallow();
        return _swallow.Advance(wire);
    }
}
