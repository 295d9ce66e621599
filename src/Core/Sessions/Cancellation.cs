using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Sessions;

/// <summary>
/// The cancellation of one operation, outside the user's thread: ask the server to stop it, wait for the cancellation time-out, then shut the connection down.
/// The first thread that needs the object creates it: the one that has claimed the interruption, or the user's thread, which has found the operation
/// interrupted.
/// </summary>
/// <remarks>
/// <see cref="Advance"/> receives the time, decides and never waits. A thread carries out what it returns. The thread is a separate one: cancellations are
/// rare, and one dead server must not delay the deadlines of others.
/// </remarks>
internal sealed class Cancellation(Session session)
{
    /// <summary>Why the session of an abandoned operation broke.</summary>
    public const string Abandoned = "its transaction was rolled back while a command was running";

    // A prefix is answered within a round trip. Polling at this interval costs nothing on so rare a path.
    private const int PrefixWaitMilliseconds = 5;
    private const int FirstRetryMilliseconds = 250;
    private const int MaxRetryMilliseconds = 60_000;

    // Minimum time for absorbing a late request, if the cancellation has used up all of its time.
    private const int MinDrainMilliseconds = 250;

    private const string Silent = "the server did not answer in time after an interrupted operation";

    private readonly Signal _drained = new();
    private Phase _phase;
    private Outcome _outcome;
    private long _due;
    private int _retryInterval = FirstRetryMilliseconds;

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
        TimedOut,
    }

    /// <summary>Set when no further request is sent to the server, whether the requests succeeded or failed.</summary>
    public Signal RequestEnded { get; } = new();

    /// <summary>Set by the user's thread when the interrupted operation has ended.</summary>
    public Signal OperationEnded { get; } = new();

    /// <summary>Whether the user's thread has settled the interruption after the operation ended.</summary>
    internal bool IsDrained => _drained.IsSet;

    private bool IsAbandoned => session.Operation.Interruption == Interruption.Abandoned;

    private int MillisecondsLeft(long now, int least, int most) => (int)Math.Clamp(_due - now, least, most);

    /// <summary>Begins the cancellation on a separate thread. Only the thread that has claimed the interruption calls this method.</summary>
    public void Begin()
    {
        try
        {
            DedicatedThreads.Interruptions.Begin(Run);
        }
        catch (Exception)
        {
            // The server cannot be asked. Closing the connection ends the operation, so there is nothing to wait for.
            session.Break("the server could not be asked to cancel an operation");
            RequestEnded.Set();
        }
    }

    /// <summary>
    /// Called when the user's thread has settled the interruption after the operation ended. If the time for that had run out before, the session breaks.
    /// </summary>
    public void Complete()
    {
        if (Interlocked.CompareExchange(ref _outcome, Outcome.Drained, Outcome.Open) == Outcome.TimedOut)
            session.Break(Silent);
        _drained.Set();
    }

    private void Run()
    {
        try
        {
            while (Advance(Clock.Now) is { Step: not CancellationStep.Completed } next)
                Execute(next);
        }
        finally
        {
            // Whatever happened, the user's thread must not wait for ever.
            RequestEnded.Set();
        }
    }

    private void Execute(CancellationAction action)
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
                _drained.Wait(action.Milliseconds);
                break;
        }
    }

    /// <summary>Returns the next action. The caller carries it out and calls again.</summary>
    /// <param name="now">The time on <see cref="Clock"/>.</param>
    internal CancellationAction Advance(long now)
    {
        switch (_phase)
        {
            case Phase.New:
                _due = session.CancellationTimeout < 0 ? Clock.Never : now + session.CancellationTimeout;
                _phase = Phase.Waiting;
                // The session broke before the cancellation began: there is nothing to cancel.
                if (session.IsBroken)
                    return EndRequest();
                return session.CancellationTimeout == 0 || session.EndsAtOnce ? Abort() : Advance(now);
            // No request while a prefix is unanswered: it would hit the prefix, and the command would run on.
            // (A prefix that is answered together with its command has no answer before the command ends. A request ends both.)
            case Phase.Waiting when session.Queue.HasOutstandingPrefix:
                if (OperationEnded.Wait(0))
                    return EndRequest(now);
                return session.IsBroken || now >= _due ? Abort() : new(CancellationStep.AwaitOperation, PrefixWaitMilliseconds);
            case Phase.Waiting:
                return Ask(now);
            // An attempt that closed the connection during the command does not show that the operation has ended.
            case Phase.Asking when IsAbandoned || session.IsBroken:
                return Abort();
            case Phase.Asking:
                _phase = Phase.Asked;
                return new(CancellationStep.AwaitOperation, MillisecondsLeft(now, 0, _retryInterval));
            case Phase.Asked:
                if (OperationEnded.Wait(0))
                    return EndRequest(now);
                if (session.IsBroken || now >= _due)
                    return Abort();
                // Repeat after a while: a request that overtook its command had nothing to cancel.
                _retryInterval = Math.Min(_retryInterval * 2, MaxRetryMilliseconds);
                return Ask(now);
            case Phase.Failed:
                return EndRequest(now);
            case Phase.Draining:
                _phase = Phase.Completed;
                if (!_drained.Wait(0) && Interlocked.CompareExchange(ref _outcome, Outcome.TimedOut, Outcome.Open) == Outcome.Open)
                    session.Break(Silent);
                return default;
            default:
                return default;
        }
    }

    /// <summary>Records the result of the request to the server.</summary>
    internal void Asked(Exception? failure)
    {
        if (failure is null)
            return;
        // A request that may still be on its way could reach the server at any later time, and would then hit the next command.
        if (!OperationEnded.Wait(0))
            session.Break("the server could not be asked to cancel an operation");
        else if (!WasNotSent(failure))
            session.Break("a request to cancel an operation that has ended may still be on its way to the server");
        _phase = Phase.Failed;
    }

    // Without a connection, or after a refused login, no request was sent.
    private static bool WasNotSent(Exception exception) => exception is ServerRefusedException || Session.SafetyOf(exception) == RetrySafety.NotSent;

    // Each attempt gets only the remaining time: an attempt that began just before the end would otherwise double it.
    private CancellationAction Ask(long now)
    {
        _phase = Phase.Asking;
        return new(CancellationStep.Ask, _due == Clock.Never ? -1 : MillisecondsLeft(now, 1, int.MaxValue));
    }

    private CancellationAction Abort()
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

    // The server may also stop answering after the operation's answer, so the wait for absorbing a late cancellation is limited.
    private CancellationAction EndRequest(long now)
    {
        if (session.IsBroken || _due == Clock.Never)
            return EndRequest();
        _phase = Phase.Draining;
        RequestEnded.Set();
        return new(CancellationStep.AwaitDrain, MillisecondsLeft(now, MinDrainMilliseconds, int.MaxValue));
    }

    /// <summary>The current state, for debugging.</summary>
    public override string ToString() => $"{_phase} {_outcome} {_due} {_retryInterval} {RequestEnded.IsSet} {OperationEnded.IsSet} {IsDrained}";
}
