using Slipstream.Lab;

namespace Slipstream.Testing;

/// <summary>Where a server lists its sessions, for tests that look at them.</summary>
public static class ServerTables
{
    /// <summary>
    /// The table of MySQL's or MariaDB's sessions. MySQL's of information_schema fails with error 3854 while any session runs a text that utf8mb3 cannot hold; MariaDB has no performance
    /// schema here, and its own does not.
    /// </summary>
    public static string ProcessList(this ServerKind kind) => kind == ServerKind.MySql ? "performance_schema.processlist" : "information_schema.processlist";
}
