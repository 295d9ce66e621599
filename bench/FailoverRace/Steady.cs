using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Globalization;
using Slipstream.Bench;
using Slipstream.Core.Causality;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.FailoverRace;

/// <summary>What a cluster costs while nothing happens to it.</summary>
/// <param name="LeaseRatio">
/// Time of opening and closing a pooled connection, divided by that of a data source with one server; the median of the rounds.
/// </param>
/// <param name="LeaseBytes">Bytes allocated by opening and closing.</param>
/// <param name="LeaseBytesOfOne">The same with one server.</param>
/// <param name="ProbesPerSecond">Questions for a role, to all servers together, from one data source.</param>
/// <param name="ServerCpu">CPU of all servers while they are asked, in thousandths of a processor.</param>
/// <param name="ServerCpuAlone">The same while they are not.</param>
/// <param name="Reads">Reads within a causal scope, each after a write at the primary.</param>
/// <param name="OnReplicas">How many of them a replica has answered.</param>
/// <param name="Stale">How many of them did not see the write.</param>
/// <param name="StaleWithout">How many of as many reads without a token did not.</param>
internal sealed record SteadyResult(
    double LeaseRatio, long LeaseBytes, long LeaseBytesOfOne, double ProbesPerSecond, double ServerCpu, double ServerCpuAlone, int Reads, int OnReplicas,
    int Stale, int StaleWithout);

/// <summary>Measures a cluster whose servers all run.</summary>
internal sealed class Steady(LabCluster cluster)
{
    private const int LeaseRounds = 21;
    private const int LeasesOfARound = 20_000;
    private const int Reads = 500;

    private static readonly TimeSpan Watched = TimeSpan.FromSeconds(20);

    private bool IsPostgreSql => cluster.Kind == ClusterKind.PgReplication;

    public async Task<SteadyResult> RunAsync(CancellationToken stop)
    {
        var alone = await MeasureCpuAsync(stop);
        using var all = Open(string.Join(',', cluster.Servers.Select(static server => $"{server.Host}:{server.Port}")), "Topology=Auto;");
        using (var first = all.Primary.OpenConnection())
            Execute(first, "CREATE TABLE IF NOT EXISTS steady (id int PRIMARY KEY, port int)");
        using var probes = new ProbeCount();
        var before = probes.Read();
        var began = Stopwatch.GetTimestamp();
        var cpu = await MeasureCpuAsync(stop);
        var perSecond = (probes.Read() - before) / Stopwatch.GetElapsedTime(began).TotalSeconds;

        using var one = Open(PrimaryOf(all), "");
        var (ratio, bytes, bytesOfOne) = MeasureLeases(all.Primary, one.Primary);
        var (onReplicas, stale) = MeasureReads(all, isCausal: true);
        var (_, without) = MeasureReads(all, isCausal: false);
        return new(ratio, bytes, bytesOfOne, perSecond, cpu, alone, Reads, onReplicas, stale, without);
    }

    // In thousandths of a processor.
    private async Task<double> MeasureCpuAsync(CancellationToken stop)
    {
        var before = cluster.Servers.Select(static server => ProcessUsage.Of(server.ProcessId)).ToArray();
        var began = Stopwatch.GetTimestamp();
        await Task.Delay(Watched, stop);
        var used = cluster.Servers.Zip(before, static (server, earlier) => ProcessUsage.Of(server.ProcessId).Since(earlier).Cpu).Sum();
        return used / Stopwatch.GetElapsedTime(began).TotalMicroseconds * 1000;
    }

    private static (double Ratio, long Bytes, long BytesOfOne) MeasureLeases(DbDataSource all, DbDataSource one)
    {
        List<double> ratios = [];
        long bytes = 0, bytesOfOne = 0;
        for (var round = -1; round < LeaseRounds; round++)
        {
            // In turns: the first of a pair finds other caches than the second.
            var (first, second) = round % 2 == 0 ? (all, one) : (one, all);
            var (ofFirst, firstBytes) = Lease(first);
            var (ofSecond, secondBytes) = Lease(second);
            if (round < 0)
                continue;
            ratios.Add(round % 2 == 0 ? ofFirst / ofSecond : ofSecond / ofFirst);
            (bytes, bytesOfOne) = round % 2 == 0 ? (firstBytes, secondBytes) : (secondBytes, firstBytes);
        }

        return (Rounds.Median(ratios), bytes, bytesOfOne);
    }

    private static (double Time, long Bytes) Lease(DbDataSource source)
    {
        using var connection = source.CreateConnection();
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var began = Stopwatch.GetTimestamp();
        for (var i = 0; i < LeasesOfARound; i++)
        {
            connection.Open();
            connection.Close();
        }

        return (Stopwatch.GetElapsedTime(began).TotalMicroseconds, (GC.GetAllocatedBytesForCurrentThread() - bytes) / LeasesOfARound);
    }

    private (int OnReplicas, int Stale) MeasureReads(Views views, bool isCausal)
    {
        var (onReplicas, stale) = (0, 0);
        var primary = PrimaryOf(views);
        using var scope = isCausal ? views.Begin() : null;
        using (var clearing = views.Primary.CreateCommand("DELETE FROM steady"))
            clearing.ExecuteNonQuery();
        for (var id = 1; id <= Reads; id++)
        {
            using var insert = views.Primary.CreateCommand(string.Create(CultureInfo.InvariantCulture, $"INSERT INTO steady VALUES ({id}, 0)"));
            insert.ExecuteNonQuery();
            using var connection = views.PreferReplica.OpenConnection();
            using var select = connection.CreateCommand();
            select.CommandText = string.Create(CultureInfo.InvariantCulture, $"SELECT count(*) FROM steady WHERE id = {id}");
            stale += Convert.ToInt32(select.ExecuteScalar(), CultureInfo.InvariantCulture) == 1 ? 0 : 1;
            onReplicas += AddressOf(connection) == primary ? 0 : 1;
        }

        return (onReplicas, stale);
    }

    private string PrimaryOf(Views views)
    {
        using var connection = views.Primary.OpenConnection();
        return AddressOf(connection);
    }

    private string AddressOf(DbConnection connection)
    {
        using var command = connection.CreateCommand();
        command.CommandText = IsPostgreSql ? "SELECT current_setting('port')::int" : "SELECT @@port";
        return string.Create(CultureInfo.InvariantCulture, $"{cluster.Servers[0].Host}:{command.ExecuteScalar()}");
    }

    private static void Execute(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }

    private Views Open(string hosts, string topology)
    {
        var server = cluster.Servers[0];
        if (IsPostgreSql)
        {
            var builder = new PgDataSourceBuilder(
                $"Host={hosts};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Require");
            if (topology.Length == 0)
                return Views.OfOne(builder.Build());
            var source = builder.BuildMultiHost();
            return new(source, source.Primary, source.PreferReplica, () => source.BeginCausalScope());
        }
        else
        {
            var source = new MySqlDataSource(
                $"Server={hosts};User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode=Required;{topology}");
            return topology.Length == 0 ? Views.OfOne(source) : new(source, source.Primary, source.PreferReplica, () => source.BeginCausalScope());
        }
    }

    private sealed record Views(DbDataSource Source, DbDataSource Primary, DbDataSource PreferReplica, Func<CausalScope> Begin) : IDisposable
    {
        public static Views OfOne(DbDataSource source) => new(source, source, source, static () => throw new InvalidOperationException("There is one server."));

        public void Dispose() => Source.Dispose();
    }

    /// <summary>Reads the driver's metric of the questions for roles.</summary>
    private sealed class ProbeCount : IDisposable
    {
        private readonly MeterListener _listener = new();
        private long _count;

        public ProbeCount()
        {
            _listener.InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name == "slipstream.topology.host.probes")
                    listener.EnableMeasurementEvents(instrument);
            };
            _listener.SetMeasurementEventCallback<long>((_, value, _, _) => _count += value);
            _listener.Start();
        }

        public long Read()
        {
            _count = 0;
            _listener.RecordObservableInstruments();
            return _count;
        }

        public void Dispose() => _listener.Dispose();
    }
}
