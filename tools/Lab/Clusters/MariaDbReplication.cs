using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// MariaDB with asynchronous replication by GTID: one primary, and replicas with <c>read_only</c>. There is no automatic failover: a test promotes a replica
/// when it needs to. The main user lacks the privilege <c>READ_ONLY ADMIN</c>, so the replicas refuse its writes, too.
/// </summary>
public sealed class MariaDbReplication : LabCluster
{
    // Has all privileges, and the main user's password.
    private const string Controller = "lab_controller";

    private static readonly TimeSpan StatementLimit = TimeSpan.FromMinutes(2);

    private MariaDbReplication()
    {
    }

    public override ClusterKind Kind => ClusterKind.MariaDbReplication;

    /// <summary>Starts a primary, which is the first server, and its replicas.</summary>
    /// <exception cref="LabUnavailableException">The servers are unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static Task<MariaDbReplication> StartAsync(int replicas = 2, CancellationToken ct = default) =>
        StartAsync(ClusterHome.Private(ClusterKind.MariaDbReplication), replicas, ct);

    internal static async Task<MariaDbReplication> StartAsync(ClusterHome home, int replicas, CancellationToken ct)
    {
        home.Write(replicas + 1);
        var cluster = new MariaDbReplication();
        try
        {
            for (var number = 1; number <= replicas + 1; number++)
            {
                var server = await home.StartAsync(number, new MariaDbReplicationRecipe(number), [], ct);
                cluster.Add(server);
                CreateController(server);
                if (number == 1)
                    Run(server, "SET GLOBAL read_only = 0");
                else
                    cluster.Follow(server, cluster.Servers[0]);
            }

            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Opens the cluster that <c>lab up</c> has started, or returns null.</summary>
    internal static MariaDbReplication? Open(ClusterHome home)
    {
        if (home.Read() is not [var servers])
            return null;
        var cluster = new MariaDbReplication();
        for (var number = 1; number <= servers; number++)
            cluster.Add(home.Open(number, new MariaDbReplicationRecipe(number), []));
        return cluster;
    }

    /// <summary>
    /// Makes a replica a primary, after it has applied what it has received. The other replicas still follow the former primary until <see cref="Follow"/>
    /// changes that.
    /// </summary>
    public void Promote(LabServer replica)
    {
        Run(Own(replica), "STOP SLAVE IO_THREAD");
        if (LabSql.FirstRow(Settings(replica), StatementLimit, "SHOW SLAVE STATUS")?["Gtid_IO_Pos"] is { Length: > 0 } received)
            WaitFor(replica, received);
        Run(replica, "STOP SLAVE", "RESET SLAVE ALL", "SET GLOBAL read_only = 0");
    }

    /// <summary>Makes a primary refuse writes, after those that are under way.</summary>
    public void Demote(LabServer primary) => Run(Own(primary), "SET GLOBAL read_only = 1");

    /// <summary>Makes a running server a replica of another one. It must not have transactions that the other one lacks.</summary>
    public void Follow(LabServer replica, LabServer primary)
    {
        ArgumentNullException.ThrowIfNull(primary);
        Run(
            Own(replica),
            "SET GLOBAL read_only = 1",
            "STOP SLAVE",
            "RESET SLAVE ALL",
            // The transactions of a former primary are only in its own binary log.
            "SET GLOBAL gtid_slave_pos = @@GLOBAL.gtid_current_pos",
            string.Create(
                CultureInfo.InvariantCulture,
                $"CHANGE MASTER TO MASTER_HOST = '{primary.Host}', MASTER_PORT = {primary.Port}, MASTER_USER = '{Controller}', ")
            + $"MASTER_PASSWORD = '{primary.Password}', MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1",
            "START SLAVE");
    }

    /// <summary>Waits until a replica has applied everything that is in a server's binary log now.</summary>
    public void CatchUp(LabServer replica, LabServer primary) =>
        WaitFor(Own(replica), LabSql.Run(Settings(Own(primary)), StatementLimit, "SELECT @@GLOBAL.gtid_binlog_pos")[0][0] ?? "");

    /// <summary>
    /// Starts a server again. It follows the present primary; a former primary must not have transactions that this one lacks. If there is no other primary,
    /// a former primary takes writes again.
    /// </summary>
    public override async Task RejoinAsync(LabServer server, CancellationToken ct = default)
    {
        await Own(server).StartAgainAsync(ct);
        await Task.Run(
            () =>
            {
                if (Servers.FirstOrDefault(other => other != server && IsPrimary(other)) is { } primary)
                    Follow(server, primary);
                else if (LabSql.FirstRow(Settings(server), QueryLimit, "SHOW SLAVE STATUS") is null)
                    Run(server, "SET GLOBAL read_only = 0");
                else
                    Run(server, "START SLAVE");
            },
            ct);
    }

    /// <summary>
    /// Makes a replica the primary. The former primary first refuses writes, and all servers that answer follow the new one. After a pause, the former primary
    /// is a second primary.
    /// </summary>
    public override Task PromoteAsync(LabServer server, CancellationToken ct = default) => Task.Run(
        () =>
        {
            if (IsPrimary(Own(server)))
                return;
            if (Servers.FirstOrDefault(IsPrimary) is { } former)
            {
                Demote(former);
                CatchUp(server, former);
            }

            Promote(server);
            foreach (var other in Servers.Where(other => other != server && State(other) is not null))
                Follow(other, server);
        },
        ct);

    /// <summary>Returns whether a server answers and takes writes.</summary>
    public bool IsPrimary(LabServer server) => State(Own(server)) == "0";

    public override string Describe(LabServer server)
    {
        if (State(Own(server)) is not { } readOnly)
            return Silence(server);
        if (readOnly == "0")
            return "primary";
        return LabSql.FirstRow(Settings(server), QueryLimit, "SHOW SLAVE STATUS") is { } status
            ? $"replica of port {status["Master_Port"]}, "
                + (status["Slave_IO_Running"] == "Yes" && status["Slave_SQL_Running"] == "Yes" ? "running" : "not connected")
            : "read-only";
    }

    private static string? State(LabServer server) => Ask(server, "SELECT @@GLOBAL.read_only") is [[var value]] ? value : null;

    private static void WaitFor(LabServer server, string position)
    {
        if (LabSql.Run(Settings(server), StatementLimit, $"SELECT MASTER_GTID_WAIT('{position}', {StatementLimit.TotalSeconds / 2:0})") is not [["0"]])
            throw new LabUnavailableException($"The replica on port {server.Port} did not reach the position {position}.", $"see {server.Instance.LogFile}");
    }

    private static void CreateController(LabServer server) => LabSql.Run(
        server.Settings, StatementLimit,
        "SET sql_log_bin = 0",
        $"CREATE USER {Controller}@'%' IDENTIFIED BY '{server.Password}'",
        $"GRANT ALL ON *.* TO {Controller}@'%' WITH GRANT OPTION",
        $"REVOKE READ_ONLY ADMIN ON *.* FROM {server.User}@'%'");

    private static ServerSettings Settings(LabServer server) => server.Settings with { User = Controller };

    private static void Run(LabServer server, params ReadOnlySpan<string> statements) => LabSql.Run(Settings(server), StatementLimit, statements);
}
