using System.Data.Common;
using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.Testing;

/// <summary>The server tables that list sessions, for tests that read them.</summary>
public static class ServerTables
{
    /// <summary>
    /// Returns the table of the sessions of MySQL or MariaDB. MySQL's table in information_schema fails with error 3854 while any session runs a text that
    /// utf8mb3 cannot represent. MariaDB's table does not fail, and its performance schema is off in the lab.
    /// </summary>
    public static string ProcessList(this ServerKind kind) => kind == ServerKind.MySql ? "performance_schema.processlist" : "information_schema.processlist";

    /// <summary>Waits until a session executes a statement.</summary>
    /// <param name="kind">The session's server.</param>
    /// <param name="other">Another session, which reads the table.</param>
    /// <param name="session">The session's id.</param>
    public static async Task UntilItRuns(this ServerKind kind, DbConnection other, long session)
    {
        ArgumentNullException.ThrowIfNull(other);
        await using var command = other.CreateCommand();
        command.CommandText = kind.IsPostgreSql()
            ? string.Create(CultureInfo.InvariantCulture, $"SELECT COUNT(*) FROM pg_stat_activity WHERE pid = {session} AND state = 'active'")
            : string.Create(
                CultureInfo.InvariantCulture, $"SELECT COUNT(*) FROM {kind.ProcessList()} WHERE id = {session} AND command IN ('Query', 'Execute')");
        await Eventually.TrueAsync(async () => Convert.ToInt64(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture) > 0);
    }
}
