using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.Soak.Faults;
using Slipstream.Soak.Work;

namespace Slipstream.Soak.Clusters;

/// <summary>The three servers of a cluster, and an administrator's connections to each of them.</summary>
internal sealed class ClusterStage(
    LabCluster cluster, Scene scene, IReadOnlyList<(string Name, ProviderDataSource Source)> sources, Random random, double scale) : IFaultStage
{
    // A standby that keeps up has everything within a few milliseconds, on a loaded machine within seconds.
    private static readonly TimeSpan ReplicationLimit = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan ElectionLimit = TimeSpan.FromMinutes(2);
    // Twice the refresh interval, with its jitter of a quarter.
    private static readonly TimeSpan NextTurn = TimeSpan.FromSeconds(2.5);
    private static readonly TimeSpan RejoinLimit = TimeSpan.FromMinutes(5);

    private readonly List<(long From, long To)> _losses = [];
    private int _probes;

    public LabCluster Cluster => cluster;

    /// <summary>Gets the server that took the administrator's last write.</summary>
    public LabServer Primary => scene.Store.Server;

    public int MonitoringSessions => cluster.Servers.Count * sources.Count;

    /// <summary>Creates the user and the tables.</summary>
    public async Task SetUp()
    {
        await Execute(Primary, [.. scene.Store.SetUp(), "CREATE TABLE soak_probe (id INT PRIMARY KEY)"]);
        await ProtectWork();
        await AllHaveTheUser();
    }

    public IEnumerable<Injection> Injections() => ClusterFault.All
        .Where(fault => (fault.On is null || fault.On.Contains(cluster.Kind)) && (!fault.IsPartition || scene.Options.WithPartitions))
        .Where(fault => !fault.IsOfGroup || cluster.CanCutFromGroup)
        .Select(fault => new Injection(fault.Name, false, async () =>
        {
            try
            {
                await fault.Inject(this);
            }
            finally
            {
                // A fault that has failed must not leave its cut behind.
                foreach (var server in cluster.Servers)
                    cluster.Heal(server);
            }

            await Recover();
        }));

    /// <summary>Waits for a random time between these two, shorter in a short run.</summary>
    public Task Last(int leastMilliseconds, int mostMilliseconds) => Task.Delay((int)(random.Next(leastMilliseconds, mostMilliseconds) * scale));

    /// <summary>Returns a server that is not the primary.</summary>
    public LabServer OneReplica()
    {
        LabServer[] replicas = [.. cluster.Servers.Where(server => server != Primary)];
        return replicas[random.Next(replicas.Length)];
    }

    /// <summary>Waits until another server takes writes. A cluster without elections gets the most advanced standby as its primary.</summary>
    /// <param name="former">The primary that is lost.</param>
    /// <param name="mayLose">Whether asynchronous replication may have lost what the former primary has acknowledged last.</param>
    public async Task Succeed(LabServer former, bool mayLose)
    {
        var from = Stopwatch.GetTimestamp() - (long)(ReplicationLimit.TotalSeconds * Stopwatch.Frequency);
        if (cluster.Kind == ClusterKind.MariaDbReplication)
        {
            // It starts again as the primary.
            await Rejoin(former);
            return;
        }

        if (cluster.Kind == ClusterKind.PgReplication)
            await cluster.PromoteAsync(await MostAdvanced(former));
        await FindPrimary(former);
        if (mayLose && cluster.Kind == ClusterKind.PgReplication)
            _losses.Add((from, Stopwatch.GetTimestamp()));
    }

    /// <summary>
    /// A former primary takes writes again, which nothing replicates. PostgreSQL does not prevent that, so the driver must find the new primary in time, by
    /// asking it at its next turn.
    /// </summary>
    public void BeginTwoPrimaries()
    {
        var now = Stopwatch.GetTimestamp();
        if (cluster.Kind == ClusterKind.PgReplication)
            _losses.Add((now, now + (long)((NextTurn + scene.Load.Grace).TotalSeconds * Stopwatch.Frequency)));
    }

    /// <summary>Starts a server again, if necessary. Remains of a killed server can prevent that for a moment.</summary>
    public async Task Rejoin(LabServer server)
    {
        for (var began = Stopwatch.GetTimestamp(); ; await Task.Delay(200))
        {
            try
            {
                await cluster.RejoinAsync(server);
                return;
            }
            catch (Exception exception)
                when (exception is LabUnavailableException or InvalidOperationException && Stopwatch.GetElapsedTime(began) < RejoinLimit)
            {
                scene.Journal.Note($"port {server.Port} could not rejoin: {exception.Message}");
            }
        }
    }

    public bool MayBeLost(long acknowledged) => _losses.Exists(loss => acknowledged >= loss.From && acknowledged <= loss.To);

    public async Task<int> CountSessions()
    {
        var sessions = 0;
        foreach (var server in cluster.Servers)
            sessions += (await Column(server, scene.Store.ListSessions)).Count;
        return sessions;
    }

    public async Task<int> CountConnections() => Math.Max(0, await CountSessions() - MonitoringSessions);

    /// <summary>Each view must lead to servers of its role, as these state it themselves.</summary>
    public async Task<IReadOnlyList<string>> Examine()
    {
        List<string> violations = [];
        foreach (var (name, source) in sources)
        {
            await Examine("Primary", ClusterViews.Primary(source), takesWrites: true);
            await Examine("Any", ClusterViews.Any(source), takesWrites: null);
            // Every node of Galera takes writes.
            bool? isReplica = cluster.Kind == ClusterKind.Galera ? null : false;
            await Examine("PreferReplica", ClusterViews.PreferReplica(source), isReplica);
            if (isReplica is not null)
                await Examine("Replica", ClusterViews.Replica(source), isReplica);

            async Task Examine(string view, ProviderDataSource of, bool? takesWrites)
            {
                // More than one session of it.
                await using var first = await of.OpenConnectionAsync();
                await using var second = await of.OpenConnectionAsync();
                foreach (var connection in (DbConnection[])[first, second])
                {
                    await using var command = connection.CreateCommand();
                    command.CommandText = scene.Store.TakesWrites;
                    var answer = Convert.ToInt32(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture) == 1;
                    if (takesWrites is { } expected && answer != expected)
                        violations.Add($"the view {view} of '{name}' leads to a server that {(answer ? "takes writes" : "takes no writes")}: {Describe()}");
                }
            }
        }

        return violations;
    }

    // All servers are members again, and one takes writes.
    private async Task Recover()
    {
        if (cluster is GaleraCluster galera)
            await galera.WaitForSizeAsync(cluster.Servers.Count);
        else if (cluster is GroupReplicationCluster group)
            await group.WaitForMembersAsync(cluster.Servers.Count);
        await FindPrimary(null);
        await ProtectWork();
    }

    private async Task FindPrimary(LabServer? except)
    {
        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < ElectionLimit; await Task.Delay(20))
        {
            // The one that was the primary before, if it still is.
            foreach (var server in cluster.Servers.Where(server => server != except).OrderByDescending(server => server == Primary))
            {
                try
                {
                    await Execute(server, [string.Create(CultureInfo.InvariantCulture, $"INSERT INTO soak_probe VALUES ({++_probes})")]);
                    scene.Store.Server = server;
                    return;
                }
                catch (DbException)
                {
                    // It is not the primary (yet).
                }
            }
        }

        throw new LabUnavailableException($"No server takes writes: {Describe()}.", "see the logs of the servers");
    }

    private async Task<LabServer> MostAdvanced(LabServer former)
    {
        var (best, most) = (cluster.Servers[0], -1L);
        foreach (var server in cluster.Servers.Where(server => server != former))
        {
            var received = await Column(server, "SELECT (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0')::bigint");
            if (long.Parse(received[0], CultureInfo.InvariantCulture) is var position && position > most)
                (best, most) = (server, position);
        }

        return best;
    }

    private async Task ProtectWork()
    {
        foreach (var server in cluster.Servers)
            await Execute(server, scene.Store.SetUpDurability(cluster.Kind));
    }

    private async Task AllHaveTheUser()
    {
        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < ElectionLimit; await Task.Delay(50))
        {
            try
            {
                // The table that was created last: a primary that is cut at once would never send it.
                foreach (var server in cluster.Servers)
                    _ = await Column(server, "SELECT COUNT(*) FROM soak_probe");
                return;
            }
            catch (DbException)
            {
                // Not replicated yet.
            }
        }
    }

    private string Describe() => string.Join(
        "; ", cluster.Servers.Select(server => string.Create(CultureInfo.InvariantCulture, $"port {server.Port}: {cluster.Describe(server)}")));

    private static async Task Execute(LabServer server, IEnumerable<string> statements)
    {
        await using var connection = Store.Of(server).Administrator();
        await connection.OpenAsync();
        foreach (var sql in statements)
        {
            await using var command = connection.CreateCommand();
            command.CommandText = sql;
            await command.ExecuteNonQueryAsync();
        }
    }

    private static Task<List<string>> Column(LabServer server, string sql) => Store.Of(server).Column(sql);
}
