using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Core.Pooling;
using Slipstream.Lab;
using Slipstream.Soak.Faults;
using Slipstream.Soak.Work;

namespace Slipstream.Soak.Checks;

/// <summary>
/// Faults rest, everything recovers, the workers stop: then everything is counted. Sessions of the pools against those of the server, the changes against the tables, the sum, and
/// what the process holds.
/// </summary>
internal sealed class QuietPoint(Scene scene, FaultScenario stage, IReadOnlyList<(string Name, ProviderDataSource Source)> sources)
{
    // Long enough to see that nothing is lost any more.
    private static readonly TimeSpan Strict = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan ParkLimit = TimeSpan.FromSeconds(40);
    private static readonly TimeSpan SessionsLimit = TimeSpan.FromSeconds(8);

    private Resources? _first;

    public int Count { get; private set; }

    public Resources Last { get; private set; }

    public TimeSpan SlowestRecovery { get; private set; }

    /// <param name="workers">How many have to stop.</param>
    public async Task Hold(int workers)
    {
        scene.Journal.Note("quiet point");
        if (scene.Options.WithFaults)
            await Recover();
        scene.Gate.Close();
        var began = Stopwatch.GetTimestamp();
        while (scene.Gate.Parked < workers)
        {
            if (Stopwatch.GetElapsedTime(began) > ParkLimit + scene.Load.Grace)
            {
                scene.Journal.Violation($"{workers - scene.Gate.Parked} workers did not come to an end of their operation");
                break;
            }

            await Task.Delay(10);
        }

        try
        {
            LookForLeaks();
            await CompareSessions();
            await Settle();
            await Measure();
        }
        catch (DbException exception)
        {
            scene.Journal.Violation($"the administrator's own connection failed at a quiet point: {exception}");
        }

        Count++;
        scene.Gate.Open();
    }

    // A fresh look through every source: the pool has found out by itself which of its sessions are dead.
    private async Task Recover()
    {
        var ended = Stopwatch.GetTimestamp();
        foreach (var (name, source) in sources)
        {
            while (true)
            {
                try
                {
                    await using var connection = await source.OpenConnectionAsync();
                    await using var command = connection.CreateCommand();
                    command.CommandText = "SELECT 1";
                    await command.ExecuteScalarAsync();
                    break;
                }
                catch (DbException exception)
                {
                    if (Stopwatch.GetElapsedTime(ended) <= SoakOptions.Recovery + scene.Load.Grace)
                        continue;
                    scene.Journal.Violation($"the pool '{name}' is not healthy {Stopwatch.GetElapsedTime(ended).TotalSeconds:0.0} s after the last fault: {exception}");
                    break;
                }
            }

            var took = Stopwatch.GetElapsedTime(ended);
            if (took > SlowestRecovery)
                SlowestRecovery = took;
            if (took > SoakOptions.Recovery + scene.Load.Grace)
                scene.Journal.Violation(string.Create(CultureInfo.InvariantCulture, $"the pool '{name}' was healthy only {took.TotalSeconds:0.0} s after the last fault"));
        }

        // From here the workers' own failures are violations: see FaultLine.WasCalm.
        await Task.Delay(SoakOptions.Recovery + scene.Load.Grace - Load.Least + Strict);
    }

    private async Task CompareSessions()
    {
        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            var server = (await stage.Column(scene.Store.ListSessions)).Count;
            var pools = sources.Select(static s => s.Source.Statistics).ToList();
            var (pooled, busy, waiting) = (pools.Sum(static p => p.Idle + p.Busy), pools.Sum(static p => p.Busy), pools.Sum(static p => p.Waiting));
            if (server == pooled && waiting == 0 && busy == 0)
                return;
            if (Stopwatch.GetElapsedTime(began) > SessionsLimit + scene.Load.Grace)
            {
                scene.Journal.Violation(string.Create(CultureInfo.InvariantCulture,
                    $"nobody works, and the server has {server} sessions, the pools {pooled}, of which {busy} are in use, and {waiting} callers wait"));
                return;
            }

            await Task.Delay(100);
        }
    }

    // Sessions whose connection was never closed: no worker forgets one.
    private void LookForLeaks()
    {
        foreach (var (name, source) in sources)
        {
            if (source.Statistics.Closed.GetValueOrDefault(CloseReason.Leaked) is var leaked and > 0)
                scene.Journal.Violation($"the pool '{name}' says that {leaked} connections were never closed, and all were");
        }
    }

    private async Task Settle()
    {
        await using var connection = scene.Store.Administrator();
        await connection.OpenAsync();
        var found = new Dictionary<long, int>();
        await using (var command = connection.CreateCommand())
        {
            command.CommandText = Store.Effects;
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
                found.Add(reader.GetInt64(0), Convert.ToInt32(reader.GetValue(1), CultureInfo.InvariantCulture));
        }

        foreach (var fault in scene.WorkLog.Settle(found))
            scene.Journal.Violation(fault);
        await using (var command = connection.CreateCommand())
        {
            command.CommandText = Store.Sum;
            await using var reader = await command.ExecuteReaderAsync();
            await reader.ReadAsync();
            var (sum, accounts) = (Convert.ToInt64(reader.GetValue(0), CultureInfo.InvariantCulture), Convert.ToInt32(reader.GetValue(1), CultureInfo.InvariantCulture));
            if ((sum, accounts) != (Store.Total, Store.Accounts))
                scene.Journal.Violation($"the sum of {accounts} accounts is {sum}");
        }

        await using (var command = connection.CreateCommand())
        {
            command.CommandText = "TRUNCATE TABLE soak_effect";
            await command.ExecuteNonQueryAsync();
        }
    }

    private async Task Measure()
    {
        foreach (var (_, source) in sources)
            source.Clear();
        var began = Stopwatch.GetTimestamp();
        while (stage.Proxy.OpenConnections > 0)
        {
            if (Stopwatch.GetElapsedTime(began) > SessionsLimit + scene.Load.Grace)
            {
                scene.Journal.Violation($"{stage.Proxy.OpenConnections} connections stayed open when the pools were cleared and nobody worked");
                break;
            }

            await Task.Delay(20);
        }

        // The proxy's threads end behind their connection.
        await Task.Delay(200);
        Last = Resources.Now();
        scene.Journal.Note($"holds {Last}");
        if (_first is not { } first)
            _first = Last;
        else
        {
            foreach (var growth in Last.GrowthSince(first))
                scene.Journal.Violation(growth);
        }
    }
}
