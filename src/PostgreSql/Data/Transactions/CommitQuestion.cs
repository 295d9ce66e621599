using System.Data.Common;
using System.Transactions;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.PostgreSql;

/// <summary>
/// Asks the server whether a transaction was committed whose connection was lost during the COMMIT. The id of the transaction is read before the COMMIT is
/// sent. Source: PostgreSQL 18, 9.27.5 "Transaction ID and Snapshot Information Functions".
/// </summary>
internal sealed class CommitQuestion
{
    // Another server, or one that was promoted meanwhile, may have given the id to another transaction. A restart keeps both parts.
    private const string Server =
        "CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL ELSE (SELECT system_identifier FROM pg_catalog.pg_control_system())::text || '/' || "
            + "pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) END";

    private const string Before = $"SELECT pg_catalog.pg_current_xact_id_if_assigned()::text || ' ' || {Server}";
    private const string After = $"SELECT CASE WHEN {Server} = $2 THEN coalesce(pg_catalog.pg_xact_status($1::xid8), 'forgotten') END";

    private const long MillisecondsPerSecond = 1000;

    private readonly PgConnection _connection;
    private readonly PgDataSource _source;
    private readonly string _id;
    private readonly string _server;

    private CommitQuestion(PgConnection connection, string? answer)
    {
        (_connection, _source) = (connection, connection.PgSource);
        // Without an id, the transaction has changed nothing so far. NOTIFY and deferred triggers may get one during the COMMIT.
        var space = answer?.IndexOf(' ', StringComparison.Ordinal) ?? -1;
        (_id, _server) = space < 0 ? ("", "") : (answer![..space], answer[(space + 1)..]);
    }

    /// <summary>Reads the id of the transaction.</summary>
    /// <exception cref="PgException">The server refused, or the connection was lost: nothing was committed.</exception>
    public static CommitQuestion Prepare(PgConnection connection, PgTransaction transaction)
    {
        using var command = new PgCommand(Before, connection, transaction);
        try
        {
            return new(connection, command.ExecuteScalar() as string);
        }
        catch (PgException exception) when (EndedTransaction(connection, exception))
        {
            throw new PgException(exception, PgCommitOutcome.RolledBack);
        }
    }

    /// <inheritdoc cref="Prepare"/>
    public static async ValueTask<CommitQuestion> PrepareAsync(PgConnection connection, PgTransaction transaction, CancellationToken cancellationToken)
    {
        var command = new PgCommand(Before, connection, transaction);
        await using var disposing = command.ConfigureAwait(false);
        try
        {
            return new(connection, await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) as string);
        }
        catch (PgException exception) when (EndedTransaction(connection, exception))
        {
            throw new PgException(exception, PgCommitOutcome.RolledBack);
        }
    }

    // The COMMIT was not sent. The server's own error ends the transaction, too, if it ended the session.
    private static bool EndedTransaction(PgConnection connection, PgException exception) =>
        exception.RetrySafety != RetrySafety.NotApplicable || connection.SessionOrNull is null;

    /// <summary>Returns whether the connection was lost before the answer to the COMMIT.</summary>
    public bool Concerns(PgException lost) => lost.RetrySafety != RetrySafety.NotApplicable && _connection.SessionOrNull is null;

    /// <summary>Asks on other connections, until the server answers or the time is over.</summary>
    public PgCommitOutcome Ask(PgException lost)
    {
        var schedule = new Schedule(this, lost);
        using var pause = new SemaphoreSlim(0);
        while (!schedule.HasEnded)
        {
            try
            {
                // The caller's transaction must not include the other connection.
                using var scope = new TransactionScope(TransactionScopeOption.Suppress);
                using var connection = _source.CreateConnection();
                connection.Open(schedule.Limit(_source.ConnectTimeout));
                using var command = CreateCommand(connection, schedule);
                schedule.Take(command.ExecuteScalar() as string);
                scope.Complete();
            }
            catch (Exception exception) when (Schedule.MayPass(exception))
            {
                // The server may be restarting.
            }

            if (schedule.NextDelay() is { } delay)
                pause.Wait(delay);
        }

        return schedule.Outcome;
    }

    /// <inheritdoc cref="Ask"/>
    public async ValueTask<PgCommitOutcome> AskAsync(PgException lost, CancellationToken cancellationToken)
    {
        var schedule = new Schedule(this, lost);
        using var pause = new SemaphoreSlim(0);
        while (!schedule.HasEnded)
        {
            try
            {
                using var scope = new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled);
                var connection = _source.CreateConnection();
                await using (connection.ConfigureAwait(false))
                {
                    await connection.OpenAsync(schedule.Limit(_source.ConnectTimeout), cancellationToken).ConfigureAwait(false);
                    var command = CreateCommand(connection, schedule);
                    await using (command.ConfigureAwait(false))
                        schedule.Take(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) as string);
                }

                scope.Complete();
            }
            catch (Exception exception) when (Schedule.MayPass(exception))
            {
                // The server may be restarting.
            }
            catch (OperationCanceledException)
            {
                return schedule.Outcome;
            }

            if (cancellationToken.IsCancellationRequested)
                return schedule.Outcome;
            if (schedule.NextDelay() is { } delay)
                await pause.WaitAsync(delay, CancellationToken.None).ConfigureAwait(false);
        }

        return schedule.Outcome;
    }

    private PgCommand CreateCommand(PgConnection connection, Schedule schedule) => new(After, connection)
    {
        CommandTimeout = (int)Math.Ceiling(schedule.Limit(_source.DefaultCommandTimeout * MillisecondsPerSecond) / (double)MillisecondsPerSecond),
        Parameters = { new() { Value = _id, PgDbType = PgDbType.Text }, new() { Value = _server, PgDbType = PgDbType.Text } },
    };

    /// <summary>Decides whether to ask again, and when. Nothing here waits.</summary>
    private sealed class Schedule
    {
        private const int FirstDelayMilliseconds = 20;
        private const int LongestDelayMilliseconds = 500;

        private readonly long _end;
        private int _delay = FirstDelayMilliseconds;

        public Schedule(CommitQuestion question, PgException lost)
        {
            _end = Clock.In(question._source.Settings.CommitStatusTimeout * MillisecondsPerSecond);
            if (lost.RetrySafety is RetrySafety.NotSent or RetrySafety.RolledBack)
                Outcome = PgCommitOutcome.RolledBack;
            HasEnded = Outcome != PgCommitOutcome.Unknown || question._id.Length == 0;
        }

        /// <summary>What is known so far.</summary>
        public PgCommitOutcome Outcome { get; private set; } = PgCommitOutcome.Unknown;

        /// <summary>Whether the outcome will not change, or the time is over.</summary>
        public bool HasEnded { get; private set; }

        /// <summary>Whether another attempt may succeed after this failure.</summary>
        public static bool MayPass(Exception exception) => exception is DbException or TimeoutException or InvalidOperationException;

        public void Take(string? answer)
        {
            Outcome = answer switch
            {
                "committed" => PgCommitOutcome.Committed,
                "aborted" => PgCommitOutcome.RolledBack,
                "in progress" => PgCommitOutcome.InProgress,
                _ => PgCommitOutcome.Unknown,
            };
            HasEnded = Outcome is PgCommitOutcome.Committed or PgCommitOutcome.RolledBack;
        }

        /// <summary>Returns how long a part of an attempt may take, in milliseconds: its own limit, of which 0 means none, or the rest of the time.</summary>
        public long Limit(long milliseconds)
        {
            var rest = Math.Max(_end - Clock.Now, 1);
            return milliseconds > 0 ? Math.Min(milliseconds, rest) : rest;
        }

        /// <summary>Returns the milliseconds before the next attempt; null if there is none.</summary>
        public int? NextDelay()
        {
            var delay = _delay;
            HasEnded |= Clock.Now + delay >= _end;
            _delay = Math.Min(delay * 2, LongestDelayMilliseconds);
            return HasEnded ? null : delay;
        }
    }
}
