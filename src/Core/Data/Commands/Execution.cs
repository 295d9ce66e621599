using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>
/// One execution on a session, the same for commands, transactions' statements and bulk copies: its limit and token, what is owed in front of it, its bytes,
/// its place in the queue, and its end. The pumps run it in between; its telemetry is <see cref="CommandTelemetry"/>.
/// </summary>
internal static class Execution
{
    /// <summary>The next operation begins on the session of a connection.</summary>
    /// <param name="connection">Open, and not busy.</param>
    /// <param name="session">Its session.</param>
    /// <param name="command">Whose <c>Cancel</c> may interrupt it; null for nobody's.</param>
    /// <param name="milliseconds">0 is no limit.</param>
    /// <param name="cancellationToken">Interrupts it.</param>
    public static void Begin(ProviderConnection connection, Session session, ProviderCommand? command, long milliseconds, CancellationToken cancellationToken)
    {
        connection.LastCommand = command;
        session.Operation.Begin(milliseconds);
        session.ListenTo(cancellationToken);
    }

    /// <summary>Puts the request into the session's queue, with what is owed in front of it. When it cannot be written, the session is as before.</summary>
    public static void Encode<TRequest>(ProviderConnection connection, Session session, TRequest request)
        where TRequest : struct, IRequest
    {
        var mark = session.Wire.Out.Length;
        var skipped = false;
        try
        {
            var sees = (session.HasSkippedReset || session.HasPendingQuestion) && request.SeesWhatIsLeft(session);
            if (sees && session.HasSkippedReset)
                session.NeedsReset = true;
            // What is owed, a BEGIN, is the session's last statement from now on, and no reset may follow it.
            skipped = session.HasSkippedReset && !sees && session is { PendingBegin: null, PendingEnd: null };
            session.PrependPending();
            mark = session.Wire.Out.Length;
            if (session.HasPendingQuestion && !sees && request.CoversQuestion(session))
                session.PrependQuestion();
            request.Encode(session);
        }
        catch (Exception exception)
        {
            // A value that cannot be written: nothing of the command leaves, and what was glued in front of it waits for the next one.
            session.Wire.Out.Truncate(mark);
            session.TakeQuestionBack();
            if (skipped)
                session.KeepSkippedReset();
            session.StopListening();
            CommandTelemetry.Failed(session, connection.Source, exception);
            // An interruption that began meanwhile has nothing to interrupt, and nobody would settle it: the session is given up.
            if (!session.Operation.End())
                connection.Failed(session, exception, session.CallersToken);
            throw;
        }
    }

    /// <summary>Runs an exchange on a session that no connection has. What it throws leaves the session in doubt.</summary>
    public static void RunAlone(Session session, SimpleExchange exchange, long milliseconds)
    {
        session.Operation.Begin(milliseconds);
        session.PrependPending();
        new ExchangeRequest(exchange).Encode(session);
        BlockingPump.Run(session.Queue, session.Wire);
    }

    /// <summary>All answers have come.</summary>
    /// <param name="connection">Whose session it is.</param>
    /// <param name="session">The session.</param>
    /// <param name="lastWords">The server's error, which may be why the session has ended.</param>
    /// <exception cref="Exception">The session is lost: the provider's exception.</exception>
    public static void End(ProviderConnection connection, Session session, ServerError? lastWords)
    {
        session.StopListening();
        // The server ended the session with its answer, or the cancellation gave it up before the operation ended: the connection must not stay open on it.
        if (session.IsBroken)
            throw Failed(connection, session, session.CreateLost(lastWords));
    }

    /// <summary>It was cut off below the server's answers.</summary>
    public static Exception Failed(ProviderConnection connection, Session session, Exception exception)
    {
        CommandTelemetry.Failed(session, connection.Source, exception);
        return connection.Failed(session, exception, session.CallersToken);
    }
}
