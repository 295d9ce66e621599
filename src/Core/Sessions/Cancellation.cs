using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Sessions;

/// <summary>
/// The cancellation of one operation, outside the user's thread: ask the server to stop it; wait the cancellation time-out; then shut the connection down.
/// Whoever needs it first creates it: the thread that has claimed the interruption, or the user's thread, which has found the operation interrupted.
/// </summary>
/// <remarks>
/// <see cref="Advance"/> decides, is handed the time and never waits; a thread carries out what it returns. It is a thread of its own: a cancellation is rare,
/// and one dead server must not delay the deadlines of others.
/// </remarks>
internal sealed class Cancellation(Session session)
{
    /// <summary>Why the session of an abandoned operation broke.</summary>
    public const string Abandoned = "its transaction was rolled back while a command was running";

    // A prefix is answered in a round trip; looking that often costs nothing on a path this rare.
    private const int PrefixWaitMilliseconds = 5;
    private const int FirstPatienceMilliseconds = 250;
    private const int LongestPatienceMilliseconds = 60_000;

    // When the cancellation took all of the time: what absorbs it has a moment, too.
    private const int LeastToSettleMilliseconds = 250;

    private const string Silent = "the server did not answer in time after an interrupted operation";

    private readonly Signal _settled = new();
    private Phase _phase;
    private Outcome _outcome;
    private long _due;
    private int _patience = FirstPatienceMilliseconds;

    private enum Phase
    {
        New,
        Waiting,
        Asking,
        Asked,
        Failed,
        Draining,
        Completed,
    }

    private enum Outcome
    {
        Open,
        Drained,
        GivenUp,
    }

    /// <summary>Set when nothing more is asked of the server, whether asking it went well or not.</summary>
    public Signal RequestEnded { get; } = new();

    /// <summary>Set by the user's thread when the interrupted operation has ended.</summary>
    public Signal OperationEnded { get; } = new();

    /// <summary>Whether the user's thread has done what comes behind the interrupted operation.</summary>
    internal bool IsDrained => _settled.IsSet;

    private bool IsAbandoned => session.Operation.Interruption == Interruption.Abandoned;

    private int MillisecondsLeft(long now, int least, int most) => (int)Math.Clamp(_due - now, least, most);

    /// <summary>Begins, on a thread of its own. Only who has claimed the interruption does that.</summary>
    public void Begin()
    {
        try
        {
            DedicatedThreads.Interruptions.Begin(Run);
        }
        catch (Exception)
        {
            // The server cannot be asked: closing the connection ends the operation, and nothing is left to wait for.
            session.Break("the server could not be asked to cancel an operation");
            RequestEnded.Set();
        }
    }

    /// <summary>
    /// The user's thread has done what comes behind the interrupted operation. When the time for that was over before, the session is broken.
    /// </summary>
    public void Complete()
    {
        if (Interlocked.CompareExchange(ref _outcome, Outcome.Drained, Outcome.Open) == Outcome.GivenUp)
            session.Break(Silent);
        _settled.Set();
    }

    private void Run()
    {
        try
        {
            while (Advance(Clock.Now) is { Step: not CancellationStep.Completed } next)
                Carry(next);
        }
        finally
        {
            // Whatever it was, the user's thread must not wait for ever.
            RequestEnded.Set();
        }
    }

    private void Carry(CancellationAction action)
    {
        switch (action.Step)
        {
            case CancellationStep.Ask:
                try
                {
                    session.CancelOnServer(action.Milliseconds);
                    Asked(null);
                }
                catch (Exception exception)
                {
                    Asked(exception);
                }

                break;
            case CancellationStep.AwaitOperation:
                OperationEnded.Wait(action.Milliseconds);
                break;
            default:
                _settled.Wait(action.Milliseconds);
                break;
        }
    }

    /// <summary>What is to be done next. The caller does it and comes again.</summary>
    /// <param name="now">The time on <see cref="Clock"/>.</param>
    internal CancellationAction Advance(long now)
    {
        switch (_phase)
        {
            case Phase.New:
                _due = session.CancellationTimeout < 0 ? Clock.Never : now + session.CancellationTimeout;
                _phase = Phase.Waiting;
                // It was given up before anybody began: there is nothing to cancel.
                if (session.IsBroken)
                    return EndRequest();
                return session.CancellationTimeout == 0 ? GiveUp() : Advance(now);
            // No request while a prefix is unanswered: it would hit the prefix, and the command would run on.
            // (One that is answered together with its command says nothing before that ends: a request ends both.)
            case Phase.Waiting when session.Queue.IsBehindPrefix:
                if (OperationEnded.Wait(0))
                    return EndRequest(now);
                return session.IsBroken || now >= _due ? GiveUp() : new(CancellationStep.AwaitOperation, PrefixWaitMilliseconds);
            case Phase.Waiting:
                return Ask(now);
            // Who closed the connection under its command does not say that the operation has ended.
            case Phase.Asking when IsAbandoned || session.IsBroken:
                return GiveUp();
            case Phase.Asking:
                _phase = Phase.Asked;
                return new(CancellationStep.AwaitOperation, MillisecondsLeft(now, 0, _patience));
            case Phase.Asked:
                if (OperationEnded.Wait(0))
                    return EndRequest(now);
                if (session.IsBroken || now >= _due)
                    return GiveUp();
                // Again after a while: a cancellation that overtook its command found nothing to cancel.
                _patience = Math.Min(_patience * 2, LongestPatienceMilliseconds);
                return Ask(now);
            case Phase.Failed:
                return EndRequest(now);
            case Phase.Draining:
                _phase = Phase.Completed;
                if (!_settled.Wait(0) && Interlocked.CompareExchange(ref _outcome, Outcome.GivenUp, Outcome.Open) == Outcome.Open)
                    session.Break(Silent);
                return default;
            default:
                return default;
        }
    }

    /// <summary>The server has been asked, or could not be.</summary>
    internal void Asked(Exception? failure)
    {
        if (failure is null)
            return;
        // A request that may be on its way still could reach the server whenever it likes: what it would hit then is the next command.
        if (!OperationEnded.Wait(0))
            session.Break("the server could not be asked to cancel an operation");
        else if (!WasSurelyNotAsked(failure))
            session.Break("a request to cancel an operation that has ended may still be on its way to the server");
        _phase = Phase.Failed;
    }

    // Who has no connection to ask over, or was not let in, has asked nothing.
    private static bool WasSurelyNotAsked(Exception exception) => exception is ServerRefusedException || Session.SafetyOf(exception) == RetrySafety.NotSent;

    // Each attempt has what is left: one that began just before the end would double the time.
    private CancellationAction Ask(long now)
    {
        _phase = Phase.Asking;
        return new(CancellationStep.Ask, _due == Clock.Never ? -1 : MillisecondsLeft(now, 1, int.MaxValue));
    }

    private CancellationAction GiveUp()
    {
        session.Break(IsAbandoned ? Abandoned : "an interrupted operation did not end in time");
        return EndRequest();
    }

    private CancellationAction EndRequest()
    {
        _phase = Phase.Completed;
        RequestEnded.Set();
        return default;
    }

    // A server may fall silent behind the answer, too: what absorbs a late cancellation is not waited for without end.
    private CancellationAction EndRequest(long now)
    {
        if (session.IsBroken || _due == Clock.Never)
            return EndRequest();
        _phase = Phase.Draining;
        RequestEnded.Set();
        return new(CancellationStep.AwaitDrain, MillisecondsLeft(now, LeastToSettleMilliseconds, int.MaxValue));
    }

    /// <summary>Where it stands, for people who look for a fault.</summary>
    public override string ToString() => $"{_phase} {_outcome} {_due} {_patience} {RequestEnded.IsSet} {OperationEnded.IsSet} {IsDrained}";
}
