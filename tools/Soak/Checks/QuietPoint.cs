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
/// A check while nothing happens: the faults stop, everything recovers, the workers stop. The check then compares the sessions of the pools with those of the
/// server, the changes with the tables, and the sum, and measures the resources of the process.
/// </summary>
internal sealed class QuietPoint(Scene scene, IFaultStage stage, IReadOnlyList<(string Name, ProviderDataSource Source)> sources)
{
    // Long enough to show that nothing is lost any more.
    private static readonly TimeSpan Strict = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan ParkLimit = TimeSpan.FromSeconds(40);
    private static readonly TimeSpan SessionsLimit = TimeSpan.FromSeconds(8);

    private Resources? _first;

    public int Count { get; private set; }

    public Resources Last { get; private set; }

    public TimeSpan SlowestRecovery { get; private set; }

    /// <param name="workers">The number of workers that must stop.</param>
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
                scene.Journal.Violation($"{workers - scene.Gate.Parked} workers did not finish their operation");
                break;
            }

            await Task.Delay(10);
        }

        try
        {
            LookForLeaks();
            await CompareSessions();
            foreach (var violation in await stage.Examine())
                scene.Journal.Violation(violation);
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

    // Query through every source: the pools themselves must have found their lost sessions.
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
                    if (Stopwatch.GetElapsedTime(ended) <= scene.Options.Recovery + scene.Load.Grace)
                        continue;
                    scene.Journal.Violation(
                        $"the pool '{name}' is not healthy {Stopwatch.GetElapsedTime(ended).TotalSeconds:0.0} s after the last fault: {exception}");
                    break;
                }
            }

            var took = Stopwatch.GetElapsedTime(ended);
            if (took > SlowestRecovery)
                SlowestRecovery = took;
            if (took > scene.Options.Recovery + scene.Load.Grace)
                scene.Journal.Violation(
                    string.Create(CultureInfo.InvariantCulture, $"the pool '{name}' needed {took.TotalSeconds:0.0} s after the last fault to become healthy"));
        }

        // From now on, failures of the workers are violations: see FaultLine.WasCalm.
        await Task.Delay(scene.Options.Recovery + scene.Load.Grace - Load.Least + Strict);
    }

    private async Task CompareSessions()
    {
        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            var server = await stage.CountSessions() - stage.MonitoringSessions;
            var pools = sources.Select(static s => s.Source.Statistics).ToList();
            var (pooled, busy, waiting) = (pools.Sum(static p => p.Idle + p.Busy), pools.Sum(static p => p.Busy), pools.Sum(static p => p.Waiting));
            if (server == pooled && waiting == 0 && busy == 0)
                return;
            if (Stopwatch.GetElapsedTime(began) > SessionsLimit + scene.Load.Grace)
            {
                scene.Journal.Violation(string.Create(CultureInfo.InvariantCulture,
                    $"no worker is active, but the server has {server} sessions and the pools have {pooled}, of which {busy} are in use, and {waiting} "
                        + $"callers wait"));
                return;
            }

            await Task.Delay(100);
        }
    }

    // Connections that were never closed. The workers close all of theirs.
    private void LookForLeaks()
    {
        foreach (var (name, source) in sources)
        {
            if (source.Statistics.Closed.GetValueOrDefault(CloseReason.Leaked) is var leaked and > 0)
                scene.Journal.Violation($"the pool '{name}' reports {leaked} connections that were never closed, but all were closed");
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

        foreach (var fault in scene.WorkLog.Settle(found, stage.MayBeLost))
            scene.Journal.Violation(fault);
        await using (var command = connection.CreateCommand())
        {
            command.CommandText = Store.Sum;
            await using var reader = await command.ExecuteReaderAsync();
            await reader.ReadAsync();
            var (sum, accounts) =
                (Convert.ToInt64(reader.GetValue(0), CultureInfo.InvariantCulture), Convert.ToInt32(reader.GetValue(1), CultureInfo.InvariantCulture));
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
        while (await stage.CountConnections() is var open and > 0)
        {
            if (Stopwatch.GetElapsedTime(began) > SessionsLimit + scene.Load.Grace)
            {
                scene.Journal.Violation($"{open} connections stayed open after the pools were cleared and all workers had stopped");
                break;
            }

            await Task.Delay(20);
        }

        // The proxy's threads end after their connection.
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
