using System.Data.Common;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;

namespace Slipstream.PostgreSql;

/// <summary>Asks a server for its role over a session that was leased, with both questions in one flight.</summary>
internal static class RoleQuestion
{
    private const string Text = "SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('default_transaction_read_only') = 'on'";

    /// <summary>Returns the role.</summary>
    /// <param name="source">The data source of the server.</param>
    /// <param name="session">The session. It is closed if the time runs out.</param>
    /// <param name="holder">The holder of the session.</param>
    /// <param name="milliseconds">The time for the answer, in milliseconds; 0 for no limit.</param>
    /// <exception cref="WireException">The time has run out.</exception>
    public static ServerRole Ask(PgDataSource source, Session session, object holder, long milliseconds)
    {
        using var limit = new Limit(session, milliseconds);
        try
        {
            return limit.Ended(Query(source, session));
        }
        catch (Exception exception) when (limit.HasExpired)
        {
            throw limit.Failure(exception);
        }
        finally
        {
            session.Holder = holder;
        }
    }

    /// <inheritdoc cref="Ask"/>
    public static async ValueTask<ServerRole> AskAsync(
        PgDataSource source, Session session, object holder, long milliseconds, CancellationToken cancellationToken)
    {
        using var limit = new Limit(session, milliseconds);
        try
        {
            return limit.Ended(await QueryAsync(source, session, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception exception) when (limit.HasExpired && !cancellationToken.IsCancellationRequested)
        {
            throw limit.Failure(exception);
        }
        finally
        {
            session.Holder = holder;
        }
    }

    private static ServerRole Query(PgDataSource source, Session session)
    {
        using var connection = source.ConnectionOver(session);
        connection.Open();
        using var command = Create(connection);
        using var reader = command.ExecuteReader();
        return reader.Read() ? Read(reader) : ServerRole.Unknown;
    }

    private static async ValueTask<ServerRole> QueryAsync(PgDataSource source, Session session, CancellationToken cancellationToken)
    {
        var connection = source.ConnectionOver(session);
        await using (connection.ConfigureAwait(false))
        {
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
            var command = Create(connection);
            await using (command.ConfigureAwait(false))
            {
                var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                    return await reader.ReadAsync(cancellationToken).ConfigureAwait(false) ? Read(reader) : ServerRole.Unknown;
            }
        }
    }

    // The question has a limit of its own: that of the search, not of commands.
    private static PgCommand Create(PgConnection connection) => new(Text, connection) { CommandTimeout = 0 };

    // A server that answers with anything else than two Booleans has no role that the driver knows.
    private static ServerRole Read(DbDataReader reader)
    {
        try
        {
            return reader.FieldCount != 2 || reader.IsDBNull(0) || reader.IsDBNull(1) ? ServerRole.Unknown
                : reader.GetBoolean(0) ? ServerRole.Standby
                : reader.GetBoolean(1) ? ServerRole.ReadOnlyPrimary
                : ServerRole.Primary;
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException)
        {
            return ServerRole.Unknown;
        }
    }

    // Closes the session when the time has run out. The server is not asked to cancel the question: that would take more time, and the session is no loss.
    private sealed class Limit : IDeadlined, IDisposable
    {
        private const int Running = 0;
        private const int Over = 1;
        private const int Expired = 2;

        private readonly Session _session;
        private readonly long _due;
        private int _state;

        public Limit(Session session, long milliseconds)
        {
            _session = session;
            _due = Clock.In(milliseconds);
            if (_due == Clock.Never)
                return;
            Deadlines.Watch(this);
            Deadlines.Noticed();
        }

        public long Due => Volatile.Read(ref _state) == Running ? _due : Clock.Never;

        public bool HasExpired => Volatile.Read(ref _state) == Expired;

        public void Expire(long now)
        {
            if (Interlocked.CompareExchange(ref _state, Expired, Running) == Running)
                _session.Break("it did not answer the question for its role in time");
        }

        // Returns the answer, unless the time ran out just as it arrived.
        public ServerRole Ended(ServerRole role) =>
            Interlocked.CompareExchange(ref _state, Over, Running) == Running ? role : throw Failure(null);

        public WireException Failure(Exception? inner) =>
            new(WireFailure.TimedOut, $"{_session.Endpoint} did not answer the question for its role in time.", inner) { RetrySafety = RetrySafety.NotSent };

        public void Dispose()
        {
            if (_due != Clock.Never)
                Deadlines.Forget(this);
        }
    }
}
