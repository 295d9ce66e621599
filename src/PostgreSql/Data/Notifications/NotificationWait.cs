using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql;

/// <summary>The waits for a message that the server sends without a request.</summary>
internal static class NotificationWait
{
    /// <summary>Blocks until a message has come. Returns false if the time ran out.</summary>
    /// <param name="connection">The connection; open and not busy.</param>
    /// <param name="milliseconds">Time limit in milliseconds; 0 or −1: no limit.</param>
    public static bool Run(PgConnection connection, int milliseconds)
    {
        CheckLimit(milliseconds);
        if (Owes(connection))
            connection.Run(connection.Session.CreatePing());
        var wait = Begin(connection, milliseconds, default);
        try
        {
            BlockingPump.Run(connection.Session.Queue, connection.Session.Wire);
        }
        catch (Exception exception)
        {
            throw CommandOutcome.Failed(connection, exception);
        }

        return End(connection, wait);
    }

    /// <inheritdoc cref="Run"/>
    /// <param name="connection">The connection; open and not busy.</param>
    /// <param name="milliseconds">Time limit in milliseconds; 0 or −1: no limit.</param>
    /// <param name="cancellationToken">Ends the wait. The connection stays usable.</param>
    public static async Task<bool> RunAsync(PgConnection connection, int milliseconds, CancellationToken cancellationToken)
    {
        CheckLimit(milliseconds);
        cancellationToken.ThrowIfCancellationRequested();
        if (Owes(connection))
            await connection.RunAsync(connection.Session.CreatePing(), cancellationToken).ConfigureAwait(false);
        var wait = Begin(connection, milliseconds, cancellationToken);
        try
        {
            await AsyncPump.RunAsync(connection.Session.Queue, connection.Session.Wire).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw CommandOutcome.Failed(connection, exception);
        }

        if (End(connection, wait))
            return true;
        cancellationToken.ThrowIfCancellationRequested();
        return false;
    }

    private static void CheckLimit(int milliseconds)
    {
        if (milliseconds < -1)
        {
            throw new ArgumentOutOfRangeException(
                nameof(milliseconds), milliseconds, "The time limit of a wait is −1, 0 or a positive number of milliseconds.");
        }
    }

    // What travels with the next command must be sent before the wait, which sends nothing: the reset would remove the channels of this lease, for instance.
    private static bool Owes(PgConnection connection) =>
        connection.Session is { NeedsReset: true } or { PendingBegin: not null } or { PendingEnd: not null } or { Queue.HasPrefixes: true };

    private static MessageWait Begin(PgConnection connection, int milliseconds, CancellationToken cancellationToken)
    {
        var session = connection.BeginCommand(null);
        // A wait without a limit receives like any other exchange.
        var arrival = milliseconds > 0 || cancellationToken.CanBeCanceled
            ? new Arrival(session.Wire, Math.Max(milliseconds, 0), cancellationToken)
            : null;
        var wait = new MessageWait(connection.PgSession, connection.PgSession.State, arrival);
        // Neither the limit nor the token interrupts the operation: the server executes nothing that could be cancelled.
        Execution.Begin(connection, session, null, 0, default);
        Execution.Encode(connection, session, new ExchangeRequest(wait));
        return wait;
    }

    private static bool End(PgConnection connection, MessageWait wait)
    {
        var session = connection.SessionOrNull ?? throw connection.ClosedByAnotherThread(null);
        Execution.End(connection, session, wait.Error);
        return wait.HasMessage;
    }
}
