using System.Data.Common;
using Slipstream.Core.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Asks a server for its role over a session that was leased, with both questions in one flight.</summary>
internal static class RoleQuestion
{
    private const string Text = "SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('default_transaction_read_only') = 'on'";

    /// <summary>Returns the role.</summary>
    /// <param name="source">The data source of the server.</param>
    /// <param name="session">The session.</param>
    /// <param name="holder">The holder of the session.</param>
    public static ServerRole Ask(PgDataSource source, Session session, object holder)
    {
        try
        {
            using var connection = source.ConnectionOver(session);
            connection.Open();
            using var command = new PgCommand(Text, connection);
            using var reader = command.ExecuteReader();
            return reader.Read() ? Read(reader) : ServerRole.Unknown;
        }
        finally
        {
            session.Holder = holder;
        }
    }

    /// <inheritdoc cref="Ask"/>
    public static async ValueTask<ServerRole> AskAsync(PgDataSource source, Session session, object holder, CancellationToken cancellationToken)
    {
        try
        {
            var connection = source.ConnectionOver(session);
            await using (connection.ConfigureAwait(false))
            {
                await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
                var command = new PgCommand(Text, connection);
                await using (command.ConfigureAwait(false))
                {
                    var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                    await using (reader.ConfigureAwait(false))
                        return await reader.ReadAsync(cancellationToken).ConfigureAwait(false) ? Read(reader) : ServerRole.Unknown;
                }
            }
        }
        finally
        {
            session.Holder = holder;
        }
    }

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
}
