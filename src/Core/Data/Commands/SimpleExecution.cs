using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// Runs exchanges without results on a connection, between the caller's commands: a transaction's statements, a change of database, a ping. They are not
/// commands of the caller and cannot be cancelled like one.
/// </summary>
internal static class SimpleExecution
{
    /// <summary>Runs an exchange by blocking.</summary>
    /// <param name="connection">The connection; open and not busy.</param>
    /// <param name="exchange">The exchange.</param>
    /// <param name="timeout">Time limit in seconds; 0: no limit; negative: the connection's default.</param>
    /// <param name="summary">Name in spans and metrics; null for neither.</param>
    public static void Run(ProviderConnection connection, SimpleExchange exchange, int timeout, QuerySummary? summary)
    {
        var session = Begin(connection, exchange, timeout, false, summary, default);
        try
        {
            BlockingPump.Run(session.Queue, session.Wire);
        }
        catch (Exception exception)
        {
            throw Execution.Failed(connection, session, exception);
        }

        End(connection, session, exchange);
    }

    /// <summary>Runs an exchange asynchronously.</summary>
    /// <param name="connection">The connection; open. Commands that were started on it and have not ended come first.</param>
    /// <param name="exchange">The exchange.</param>
    /// <param name="timeout">Time limit in seconds; 0: no limit; negative: the connection's default.</param>
    /// <param name="summary">Name in spans and metrics; null for neither.</param>
    /// <param name="cancellationToken">Cancels the exchange.</param>
    public static ValueTask RunAsync(
        ProviderConnection connection, SimpleExchange exchange, int timeout, QuerySummary? summary, CancellationToken cancellationToken) =>
        connection.Source.AllowsConcurrentCommands
            ? RunInTurnAsync(connection, exchange, timeout, summary, cancellationToken)
            : RunNowAsync(connection, exchange, false, timeout, summary, cancellationToken);

    // After the commands that were started earlier.
    private static async ValueTask RunInTurnAsync(
        ProviderConnection connection, SimpleExchange exchange, int timeout, QuerySummary? summary, CancellationToken cancellationToken)
    {
        var turn = connection.CommandQueue.Take();
        try
        {
            await turn.Started.WaitAsync(cancellationToken).ConfigureAwait(false);
            await RunNowAsync(connection, exchange, true, timeout, summary, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            turn.Pass();
        }
    }

    private static async ValueTask RunNowAsync(
        ProviderConnection connection, SimpleExchange exchange, bool hasTurn, int timeout, QuerySummary? summary, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var session = Begin(connection, exchange, timeout, hasTurn, summary, cancellationToken);
        try
        {
            await AsyncPump.RunAsync(session.Queue, session.Wire).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            throw Execution.Failed(connection, session, exception);
        }

        End(connection, session, exchange);
    }

    private static Session Begin(
        ProviderConnection connection, SimpleExchange exchange, int timeout, bool hasTurn, QuerySummary? summary, CancellationToken cancellationToken)
    {
        var session = connection.BeginCommand(null, hasTurn);
        Execution.Begin(connection, session, null, (timeout >= 0 ? timeout : connection.Source.DefaultCommandTimeout) * 1000L, cancellationToken);
        if (exchange.ResetsFirst)
            session.NeedsReset = true;
        if (summary is not null)
            CommandTelemetry.Begin(session, connection.Source, summary);
        Execution.Encode(connection, session, new ExchangeRequest(exchange));
        return session;
    }

    private static void End(ProviderConnection connection, Session session, SimpleExchange exchange)
    {
        Execution.End(connection, session, exchange.Error is { } last ? last with { Safety = Errors.RetrySafety.Unknown } : null);
        CommandTelemetry.End(session, connection.Source, exchange.Error);
        if (exchange.Error is not { } error)
            return;
        session.RefusedOwn(error);
        if (session.IsBroken)
            connection.Lose(session);
        throw connection.Source.Translate(error, session.Operation.Interrupted, session.CallersToken);
    }
}
