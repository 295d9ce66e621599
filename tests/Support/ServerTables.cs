using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Lab;
using Xunit;

namespace Slipstream.Testing;

/// <summary>Where a server lists its sessions, for tests that look at them.</summary>
public static class ServerTables
{
    /// <summary>
    /// The table of MySQL's or MariaDB's sessions. MySQL's of information_schema fails with error 3854 while any session runs a text that utf8mb3 cannot hold; MariaDB has no performance
    /// schema here, and its own does not.
    /// </summary>
    public static string ProcessList(this ServerKind kind) => kind == ServerKind.MySql ? "performance_schema.processlist" : "information_schema.processlist";

    /// <summary>Waits until a session executes a statement.</summary>
    /// <param name="kind">Its server.</param>
    /// <param name="other">Another session, which looks.</param>
    /// <param name="session">The session's number.</param>
    public static async Task UntilItRuns(this ServerKind kind, DbConnection other, long session)
    {
        ArgumentNullException.ThrowIfNull(other);
        await using var command = other.CreateCommand();
        command.CommandText = kind == ServerKind.PostgreSql
            ? string.Create(CultureInfo.InvariantCulture, $"SELECT COUNT(*) FROM pg_stat_activity WHERE pid = {session} AND state = 'active'")
            : string.Create(CultureInfo.InvariantCulture, $"SELECT COUNT(*) FROM {kind.ProcessList()} WHERE id = {session} AND command IN ('Query', 'Execute')");
        for (var clock = Stopwatch.StartNew(); Convert.ToInt64(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture) == 0; await Task.Delay(5))
            Assert.True(clock.Elapsed < TimeSpan.FromSeconds(60), $"Session {session} runs nothing.");
    }
}
