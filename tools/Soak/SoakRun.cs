using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.Soak.Checks;
using Slipstream.Soak.Clusters;
using Slipstream.Soak.Faults;
using Slipstream.Soak.Report;
using Slipstream.Soak.Work;

namespace Slipstream.Soak;

/// <summary>A run on one server: its workers, its faults, and its checks.</summary>
internal sealed class SoakRun(SoakOptions options, Journal journal, Action<string> progress)
{
    private static readonly TimeSpan BetweenQuietPoints = TimeSpan.FromSeconds(40);

    private readonly HashSet<(Worker, string)> _toldOverdue = [];

    // Faults are shorter in a short run.
    private double Scale => Math.Clamp(options.Duration.TotalSeconds / 180, 0.2, 1);

    /// <summary>Runs and returns the number of violations. If cancelled, the run ends early, but with its last quiet point and its summary.</summary>
    public async Task<int> RunAsync(CancellationToken ct)
    {
        progress("starting a server");
        await using var server = await LabServer.StartPrivateAsync(options.Kind, Store.ServerArguments(options.Kind), ct);
        await using var proxy = LabProxy.Start("127.0.0.1", server.Port);
        using var authority = LabAuthority.Create("Slipstream soak CA");
        var caFile =
            Path.Combine(Path.GetTempPath(), string.Create(CultureInfo.InvariantCulture, $"slipstream-soak-{Environment.ProcessId}-{options.Kind.Word()}.pem"));
        var store = Store.Of(server);
        var scene = new Scene(options, store, journal, new Load());
        var stage = new FaultScenario(server, proxy, store, journal, authority, new Random(options.Seed), Scale);
        await File.WriteAllTextAsync(caFile, stage.Authorities, ct);
        var sources = store.Sources([("127.0.0.1", proxy.Port)], caFile);
        try
        {
            await stage.Run(store.SetUp());
            return await Perform(scene, stage, sources, sources, ct);
        }
        finally
        {
            File.Delete(caFile);
        }
    }

    /// <summary>As <see cref="RunAsync"/>, with a cluster of three servers.</summary>
    public async Task<int> RunClusterAsync(CancellationToken ct)
    {
        progress("starting a cluster");
        await using var cluster = await LabCluster.StartAsync(options.Cluster!.Value, ct);
        var store = Store.Of(cluster.Servers[0]);
        var scene = new Scene(options, store, journal, new Load()) { LongestPause = 200 };
        var sources = store.Sources([.. cluster.Servers.Select(static server => (server.Host, server.Port))], cluster.Servers[0].CaFile);
        var stage = new ClusterStage(cluster, scene, sources, new Random(options.Seed), Scale);
        await stage.SetUp();
        return await Perform(scene, stage, sources, [.. sources.Select(static one => (one.Name, ClusterViews.Primary(one.Source)))], ct);
    }

    // Disposes the sources. The workers use the views, which are the sources themselves if there is one server.
    private async Task<int> Perform(
        Scene scene, IFaultStage stage, IReadOnlyList<(string Name, ProviderDataSource Source)> sources,
        IReadOnlyList<(string Name, ProviderDataSource Source)> views, CancellationToken ct)
    {
        try
        {
            await Perform(scene, stage, views, ct);
            new Summary(scene, sources, options).Print();
        }
        finally
        {
            scene.Load.End();
            foreach (var (_, source) in sources)
                await source.DisposeAsync();
        }

        return journal.Violations;
    }

    private async Task Perform(Scene scene, IFaultStage stage, IReadOnlyList<(string Name, ProviderDataSource Source)> sources, CancellationToken ct)
    {
        var workers = new List<Worker>();
        for (var i = 0; i < options.AsyncWorkers + options.BlockingWorkers; i++)
            workers.Add(new Worker(scene, i, new Verbs(isAsync: i < options.AsyncWorkers), sources[i % sources.Count].Source));
        var lives = workers.Select(Begin).ToList();
        var quiet = new QuietPoint(scene, stage, sources);
        var director = new FaultScheduler(scene, stage);
        using var over = new CancellationTokenSource();
        var watch = Watch(scene, workers, over.Token);

        var (began, lastQuiet) = (Stopwatch.GetTimestamp(), Stopwatch.GetTimestamp());
        // The first quiet point is early, because later ones measure growth against it.
        var untilQuiet = TimeSpan.FromSeconds(Math.Min(BetweenQuietPoints.TotalSeconds, options.Duration.TotalSeconds / 3));
        var left = () => options.Duration - Stopwatch.GetElapsedTime(began);
        while (!ct.IsCancellationRequested && (left() > TimeSpan.Zero || (options.WithFaults && !director.HasPlayedAll)))
        {
            progress(string.Create(CultureInfo.InvariantCulture,
                $"{Math.Max(0, left().TotalSeconds):0} s left, {scene.Tally.Operations} operations, {scene.Tally.Faults.Values.Sum()} faults, "
                    + $"{journal.Violations} violations"));
            if (options.WithFaults)
                await InjectFaults(director);
            else
                await Task.Delay(500, CancellationToken.None);
            if (Stopwatch.GetElapsedTime(lastQuiet) < untilQuiet || left() < TimeSpan.FromSeconds(5))
                continue;
            await quiet.Hold(workers.Count);
            (lastQuiet, untilQuiet) = (Stopwatch.GetTimestamp(), BetweenQuietPoints);
        }

        progress("ending");
        await quiet.Hold(workers.Count);
        scene.End();
        try
        {
            await Task.WhenAll(lives).WaitAsync(TimeSpan.FromSeconds(30) + scene.Load.Grace, CancellationToken.None);
        }
        catch (TimeoutException)
        {
            journal.Violation($"{lives.Count(static life => !life.IsCompleted)} workers did not end");
        }

        await over.CancelAsync();
        await watch;
        journal.Note(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{quiet.Count} quiet points, slowest recovery {quiet.SlowestRecovery.TotalSeconds:0.00} s, at the end {quiet.Last}"));
    }

    private async Task InjectFaults(FaultScheduler director)
    {
        try
        {
            await director.Next();
        }
        catch (Exception exception) when (exception is DbException or LabUnavailableException or InvalidOperationException)
        {
            // Not an error of the driver, but the run must not ignore it.
            journal.Violation($"a fault could not be started or ended: {exception}");
        }
    }

    // Each blocking worker has a thread; the others use the thread pool.
    private static Task Begin(Worker worker) => worker.Verbs.IsAsync
        ? Task.Run(worker.Live)
        : Task.Factory.StartNew(() => worker.Live().GetAwaiter().GetResult(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private async Task Watch(Scene scene, List<Worker> workers, CancellationToken over)
    {
        while (!over.IsCancellationRequested)
        {
            var grace = scene.Load.Grace;
            var now = Stopwatch.GetTimestamp();
            foreach (var worker in workers)
            {
                if (worker.Overdue(now) is { } overdue && overdue.Late > grace && _toldOverdue.Add((worker, overdue.What)))
                {
                    journal.Violation(string.Create(CultureInfo.InvariantCulture,
                        $"{worker.Name} waits for {overdue.What} since {overdue.Since.TotalSeconds:0.0} s, {overdue.Late.TotalSeconds:0.0} s longer than it "
                            + $"may (grace {grace.TotalSeconds:0.0} s); interruptions under way: {Resources.ThreadsNamed("Slipstream inte")}"));
                }
            }

            await Task.Delay(200, CancellationToken.None);
        }
    }
}
