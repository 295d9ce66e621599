using System.Data.Common;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.KillRace;

/// <summary>A connection that kills others.</summary>
internal sealed class Killer : IDisposable
{
    private readonly DbConnection _connection;
    private readonly DbCommand _command;

    public Killer(LabServer server)
    {
        _connection = server.Kind.IsPostgreSql()
            ? new PgConnection(
                string.Create(CultureInfo.InvariantCulture, $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password};")
                    + $"Database={server.Database};SSL Mode=Disable;Pooling=false")
            : new MySqlConnection(
                string.Create(CultureInfo.InvariantCulture, $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};")
                    + $"Database={server.Database};SslMode=None;AllowPublicKeyRetrieval=true;Pooling=false");
        _connection.Open();
        _command = _connection.CreateCommand();
    }

    /// <summary>Kills sessions. One that has ended already does not matter.</summary>
    public void Kill(IEnumerable<long> sessions)
    {
        if (_connection is PgConnection)
        {
            _command.CommandText = $"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid IN ({string.Join(',', sessions)})";
            _command.ExecuteScalar();
            return;
        }

        foreach (var session in sessions)
        {
            _command.CommandText = string.Create(CultureInfo.InvariantCulture, $"KILL {session}");
            try
            {
                _command.ExecuteNonQuery();
            }
            catch (MySqlException exception) when (exception.ErrorCode == MySqlErrorCode.NoSuchThread)
            {
                // It has ended by itself.
            }
        }
    }

    public void Dispose()
    {
        _command.Dispose();
        _connection.Dispose();
    }
}
