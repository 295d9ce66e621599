using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>The end of an execution, as the caller sees it: results, or the provider's exception.</summary>
internal static class CommandOutcome
{
    /// <summary>Ends an execution after all answers have been read.</summary>
    /// <returns>The session, whose exchange has the results.</returns>
    public static Session End(ProviderCommand command, ProviderConnection connection)
    {
        var session = connection.SessionOrNull ?? throw connection.ClosedByAnotherThread(null);
        Execution.End(connection, session, session.Exchange.Error);
        var (exchange, source) = (session.Exchange, connection.Source);
        if (exchange.Error is { } error)
        {
            session.DropScalar();
            CommandTelemetry.End(session, source, error);
            session.Refused(error);
            throw command.Refused(source.Translate(error, session.Operation.Interrupted, session.CallersToken));
        }

        // SLEEP and a few other statements answer an interruption with an ordinary result, which must not pass for a complete one.
        if (session.Operation.Interruption is Interruption.TimedOut or Interruption.Canceled)
        {
            session.DropScalar();
            CommandTelemetry.End(session, source, null);
            throw source.CreateInterrupted(session.Operation.Interrupted, session.CallersToken);
        }

        if (exchange.ScalarFailure is { } failure)
        {
            session.DropScalar();
            if (failure is OutOfMemoryException)
                throw Failed(connection, failure);
            CommandTelemetry.Failed(session, source, failure);
            throw failure;
        }

        CommandTelemetry.End(session, source, null);
        command.Completed(exchange);
        return session;
    }

    /// <summary>Ends an execution that failed below the server's answers.</summary>
    public static Exception Failed(ProviderConnection connection, Exception exception)
    {
        if (connection.SessionOrNull is not { } session)
            return connection.ClosedByAnotherThread(exception);
        return Execution.Failed(connection, session, exception);
    }
}
