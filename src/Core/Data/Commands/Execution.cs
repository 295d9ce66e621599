using System.Runtime.ExceptionServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>
/// One execution on a session, the same for commands, a transaction's statements and bulk copies: its limit and token, the owed exchanges before it, its bytes,
/// its place in the queue, and its end. The pumps run it in between. <see cref="CommandTelemetry"/> has its telemetry.
/// </summary>
internal static class Execution
{
    /// <summary>Begins the next operation on the session of a connection.</summary>
    /// <param name="connection">The connection; open and not busy.</param>
    /// <param name="session">Its session.</param>
    /// <param name="command">The command whose <c>Cancel</c> may interrupt the operation; null for none.</param>
    /// <param name="milliseconds">Time limit in milliseconds; 0: no limit.</param>
    /// <param name="cancellationToken">Interrupts the operation.</param>
    public static void Begin(ProviderConnection connection, Session session, ProviderCommand? command, long milliseconds, CancellationToken cancellationToken)
    {
        connection.LastCommand = command;
        session.BeginOperation(milliseconds);
        session.RegisterToken(cancellationToken);
        session.Writes?.Begin();
    }

    /// <summary>
    /// Puts the request into the session's queue, after the owed exchanges. If it cannot be encoded, the session is in the same state as before.
    /// </summary>
    public static void Encode<TRequest>(ProviderConnection connection, Session session, TRequest request)
        where TRequest : struct, IRequest
    {
        var mark = session.Wire.Out.Length;
        var phase = session.TransactionPhase;
        var skipped = false;
        try
        {
            var sees = (session.HasSkippedReset || session.HasPendingQuestion) && request.DependsOnReset(session);
            if (sees && session.HasSkippedReset)
                session.NeedsReset = true;
            // An owed exchange, such as BEGIN, becomes the session's last statement, and no reset may follow it.
            skipped = session.HasSkippedReset && !sees && session is { PendingBegin: null, PendingEnd: null };
            session.PrependPending();
            mark = session.Wire.Out.Length;
            if (session.HasPendingQuestion && !sees && request.CoversQuestion(session))
                session.PrependQuestion();
            request.Encode(session);
            if (session.Writes is { IsWanted: true })
                session.AppendWriteQuestion();
        }
        catch (Exception exception)
        {
            // A value cannot be encoded: no part of the command is sent, and the prepended exchanges wait for the next command.
            session.Wire.Out.Truncate(mark);
            session.RestorePhase(phase);
            session.RestoreQuestion();
            if (skipped)
                session.KeepSkippedReset();
            session.UnregisterToken();
            CommandTelemetry.Failed(session, connection.Source, exception);
            // An interruption that began in the meantime has nothing to interrupt and would never be settled: the session is discarded.
            if (!session.Operation.End())
                connection.Failed(session, exception, session.CallersToken);
            throw;
        }
    }

    /// <summary>Runs an exchange on a session without a connection. After an exception, the session's state is unknown.</summary>
    public static void RunStandalone(Session session, SimpleExchange exchange, long milliseconds)
    {
        session.BeginOperation(milliseconds);
        session.Writes?.Begin();
        session.PrependPending();
        new ExchangeRequest(exchange).Encode(session);
        BlockingPump.Run(session.Queue, session.Wire);
    }

    /// <summary>Ends an operation after all answers have been read.</summary>
    /// <param name="connection">The connection of the session.</param>
    /// <param name="session">The session.</param>
    /// <param name="lastWords">The server's error, which may be why the session has ended.</param>
    /// <exception cref="Exception">The session is lost: the provider's exception.</exception>
    public static void End(ProviderConnection connection, Session session, ServerError? lastWords)
    {
        session.UnregisterToken();
        // The server ended the session with its answer, or the cancellation broke it before the operation ended: the connection must not stay open.
        if (session.IsBroken)
            throw Failed(connection, session, session.CreateLost(lastWords));
    }

    /// <summary>Ends an operation that failed below the server's answers.</summary>
    public static Exception Failed(ProviderConnection connection, Session session, Exception exception)
    {
        CommandTelemetry.Failed(session, connection.Source, exception);
        var failure = connection.Failed(session, exception, session.CallersToken);
        // Not an exception of the wire, but a fault: "throw Failed(exception)" would replace the stack trace, which says where it arose.
        if (ReferenceEquals(failure, exception) && exception.StackTrace is not null)
            ExceptionDispatchInfo.Throw(exception);
        return failure;
    }
}
