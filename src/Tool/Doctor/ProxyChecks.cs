using System.Globalization;
using Slipstream.MySql;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Doctor;

/// <summary>Finds proxies and poolers between the program and the server: by what they say, and by what changes between commands.</summary>
internal static class ProxyChecks
{
    private const string Proxies = "servers.md#proxies";
    private const string Poolers = "servers.md#poolers-for-postgresql";
    private const int Questions = 5;

    // docs/logging.md
    private const int NoPipelining = 1012;
    private const int PreparedStatementsLost = 1015;

    public static async Task<IReadOnlyList<Check>> RunAsync(Patient patient, CancellationToken cancellationToken) =>
        patient.Target.Provider == Provider.MySql ? await MySqlAsync(patient, cancellationToken) : await PostgreSqlAsync(patient, cancellationToken);

    /// <summary>Judges what a MySQL or MariaDB server, or something before it, has answered.</summary>
    /// <param name="greeting">The version of the greeting, and the server's comment.</param>
    /// <param name="version">What SELECT VERSION() says.</param>
    /// <param name="greeted">The session's number in the greeting.</param>
    /// <param name="sessions">What CONNECTION_ID() says, several times.</param>
    /// <param name="isProxySql">Whether a statement that only ProxySQL knows was answered.</param>
    public static Check OfMySql(string greeting, string? version, long greeted, IReadOnlyList<string> sessions, bool isProxySql)
    {
        const string Advice = "See what to set for this proxy.";
        if (isProxySql || greeting.Contains("proxysql", StringComparison.OrdinalIgnoreCase))
            return Check.Advise("proxy", "ProxySQL", "The driver works without pipelining there: resets and BEGIN take a round trip each. " + Advice, Proxies);
        if (greeting.Contains("maxscale", StringComparison.OrdinalIgnoreCase))
            return Check.Advise("proxy", "MaxScale", "It assigns its own session numbers: a cancelled command may end its connection. " + Advice, Proxies);
        if (sessions.Distinct().Count() > 1)
            return Check.Advise(
                "proxy", "A proxy executes the commands of one connection in several sessions of the server",
                "Variables, temporary tables and prepared statements do not survive: Auto Prepare=false, and nothing that needs a session. " + Advice, Proxies);
        if (sessions.Count > 0 && sessions[0] != greeted.ToString(CultureInfo.InvariantCulture))
            return Check.Advise(
                "proxy", "The greeting and the server name different sessions: a proxy is between them", "A cancelled command may end its connection. "
                    + Advice, Proxies);
        return version is not null && !version.StartsWith(greeting.Split(' ')[0], StringComparison.Ordinal)
            ? Check.Advise("proxy", $"The greeting says {greeting.Split(' ')[0]}, and the server is {version}: a proxy is between them", Advice, Proxies)
            : Check.Ok("proxy", "No sign of a proxy", Proxies);
    }

    /// <summary>Judges what a PostgreSQL server, or something before it, has answered.</summary>
    /// <param name="greeted">The process of the login.</param>
    /// <param name="sessions">What pg_backend_pid() says, several times.</param>
    /// <param name="pgPool">Pgpool's version; null if there is none.</param>
    public static Check OfPostgreSql(int greeted, IReadOnlyList<string> sessions, string? pgPool)
    {
        const string Advice = "Session state (SET, temporary tables, advisory locks, LISTEN) does not survive a transaction. See what to set for this pooler.";
        if (pgPool is not null)
            return Check.Advise("proxy", $"Pgpool-II {pgPool}", "It is not tested with Slipstream, and reuses sessions of the server. " + Advice, Poolers);
        if (sessions.Distinct().Count() > 1)
            return Check.Advise("proxy", "A pooler executes the transactions of one connection in several sessions of the server", Advice, Poolers);
        return sessions.Count > 0 && sessions[0] != greeted.ToString(CultureInfo.InvariantCulture)
            ? Check.Advise("proxy", "The login and the server name different sessions: a pooler, such as PgBouncer, is between them", Advice, Poolers)
            : Check.Ok("proxy", "No sign of a pooler", Poolers);
    }

    /// <summary>Judges what the driver has logged while it worked.</summary>
    public static Check Pipelining(IReadOnlyCollection<int> events, bool isMySql, bool isOn)
    {
        const string Docs = "performance.md#pipelining-and-its-probe";
        if (events.Contains(NoPipelining))
            return Check.Advise(
                "pipelining", "The server, or a proxy, does not accept several commands in one packet",
                    "Each reset and BEGIN takes a round trip. Pipelining=false saves the probe.",
                Docs);
        if (events.Contains(PreparedStatementsLost))
            return Check.Advise("pipelining", "The server, or a proxy, loses prepared statements", "Set Auto Prepare=false.", Docs);
        if (!isOn)
            return Check.Advise("pipelining", "Pipelining=false: each reset and BEGIN takes a round trip", "Remove the option, unless a proxy needs it.", Docs);
        return Check.Ok("pipelining", isMySql ? "The probe found that the server accepts several commands in one packet" : "On", Docs);
    }

    private static async Task<IReadOnlyList<Check>> MySqlAsync(Patient patient, CancellationToken cancellationToken)
    {
        var sessions = new List<string>();
        for (var i = 0; i < Questions; i++)
            if (await patient.ScalarAsync("SELECT CONNECTION_ID()", cancellationToken) is { } id)
                sessions.Add(id);
        var comment = await patient.ScalarAsync("SELECT @@version_comment", cancellationToken);
        var isProxySql = await patient.ScalarAsync("PROXYSQL INTERNAL SESSION", cancellationToken) is not null;
        var options = patient.Target.MySql;
        return
        [
            OfMySql(
                $"{patient.Connection.ServerVersion} {comment}", await patient.ScalarAsync("SELECT VERSION()", cancellationToken), patient.MySql.ServerThread,
                    sessions, isProxySql),
            Pipelining(patient.Events, isMySql: true, options.PipeliningMode switch
            {
                MySqlPipeliningMode.Off => false,
                MySqlPipeliningMode.Automatic => options.Pipelining,
                _ => true,
            }),
        ];
    }

    private static async Task<IReadOnlyList<Check>> PostgreSqlAsync(Patient patient, CancellationToken cancellationToken)
    {
        var sessions = new List<string>();
        for (var i = 0; i < Questions; i++)
            if (await patient.ScalarAsync("SELECT pg_backend_pid()", cancellationToken) is { } id)
                sessions.Add(id);
        // Only Pgpool knows this statement; a server refuses the parameter, which changes nothing outside a transaction.
        var pgPool = await patient.ScalarAsync("SHOW POOL_VERSION", cancellationToken);
        return
        [
            OfPostgreSql(patient.PostgreSql.ProcessID, sessions, pgPool),
            Pipelining(patient.Events, isMySql: false, patient.Target.PostgreSql.Pipelining),
        ];
    }
}
