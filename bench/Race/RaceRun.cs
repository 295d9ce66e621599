using System.Diagnostics;
using System.Runtime.InteropServices;
using Slipstream.Race.Contestants;
using Slipstream.Race.Measuring;
using Slipstream.Race.Report;
using Slipstream.Race.Scenarios;
using Slipstream.Race.Servers;

namespace Slipstream.Race;

/// <summary>One run, from the start of the servers to the written report.</summary>
internal sealed class RaceRun(Request request) : IDisposable
{
    private const int Interrupted = 130;

    private readonly CancellationTokenSource _stop = new();
    private readonly List<Cell> _cells = [];

    /// <returns>The process's exit code: 0, 1 if there was nothing to race, 130 if stopped by Ctrl-C.</returns>
    public async Task<int> RunAsync()
    {
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        var field = ContestantList.Gather(request.PeersFolder, request.Peers, request.Variants, request.Jet);
        var contestants = Chosen(field);
        foreach (var line in field.Missing)
            Console.WriteLine(line);
        if (contestants.Count == 0)
            throw new RequestException("nobody to race");
        if (MachineLoad.Warning(MachineLoad.Now(), isOver: false) is { } busy)
            Console.WriteLine(busy);

        double? others = null;
        var clock = Stopwatch.StartNew();
        try
        {
            await using var servers = await RaceServers.StartAsync(request.Servers, request.Latency, Console.WriteLine, _stop.Token);
            foreach (var line in servers.Missing)
                Console.WriteLine(line);
            if (servers.Tracks.Count == 0)
                return 1;
            Console.WriteLine($"{ContestantList.Machine}; servers ready after {clock.Elapsed.TotalSeconds:F0} s");
            clock.Restart();
            var heats = Heats(servers.Tracks, contestants);
            Console.WriteLine($"{heats.Count} heats, {heats.Sum(cells => cells.Count)} rows: about {Estimate.Of(heats, RoundsOf).TotalMinutes:F1} minutes");
            var load = MachineLoad.Begin(servers.Tracks.Select(track => track.ServerProcess));
            try
            {
                Race(heats);
            }
            finally
            {
                others = load?.Others();
            }
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            Console.WriteLine("stopped; what there is:");
        }

        var rows = ReportRow.From(_cells, request.Latency);
        Tables.Print(rows);
        InsertTable.Print(_cells);
        RaceJson.Write(request.Json, rows);
        var warning = MachineLoad.Warning(others, isOver: true);
        HtmlPage.Write(request.Html, rows, warning);
        if (warning is not null)
            Console.WriteLine(warning);
        Console.WriteLine($"{clock.Elapsed.TotalSeconds:F0} s. Figures: {request.Json}   Page: {request.Html}");
        return _stop.IsCancellationRequested ? Interrupted : 0;
    }

    public void Dispose() => _stop.Dispose();

    private List<Contestant> Chosen(ContestantList field)
    {
        var names = field.Contestants.Select(contestant => contestant.Name).Distinct().ToArray();
        string[] chosen = request.Providers.Count == 0 ? [.. names.Except(request.OnlyIfAsked)]
            : [.. Names.Choose("--provider", string.Join(',', request.Providers), names), .. request.Variants.Select(variant => variant.ContestantName)];
        return [.. field.Contestants.Where(contestant => chosen.Contains(contestant.Name))];
    }

    private List<List<Cell>> Heats(List<Track> tracks, List<Contestant> contestants)
    {
        var heats = new List<List<Cell>>();
        foreach (var track in tracks)
        {
            foreach (var settings in request.Settings)
            {
                foreach (var scenario in request.Scenarios.Where(scenario => scenario.Has(track.Dialect)))
                {
                    // Each mode runs separately: the server shares a processor only with synchronous contestants.
                    foreach (var mode in request.Modes.Where(scenario.Has).Take(request.FirstModeOnly ? 1 : int.MaxValue))
                    {
                        // Many workers on one processor would be another scenario.
                        foreach (var isPinned in mode is Mode.Sync && scenario.Workers == 1 ? request.Pinning : [false])
                        {
                            var cells = new List<Cell>();
                            foreach (var contestant in contestants.Where(contestant => contestant.Dialect == track.Dialect && contestant.Runs(scenario, mode)))
                                cells.Add(new(Scaled(scenario), track with { Settings = settings }, mode, contestant) { IsPinned = isPinned });
                            if (cells.Count > 0)
                                heats.Add(cells);
                        }
                    }
                }
            }
        }

        return heats;
    }

    private int RoundsOf(Scenario scenario) => scenario.RoundsOf(request.Rounds, request.UsualRounds);

    private Scenario Scaled(Scenario scenario) => (scenario with { Block = scenario.Block * request.BlockScale }).At(request.Latency);

    private void Race(List<List<Cell>> heats)
    {
        using var progress = RaceProgress.Start(heats.Count);
        foreach (var cells in heats)
        {
            progress.Begin(cells[0]);
            _cells.AddRange(cells);
            new ScenarioRun(cells, RoundsOf(cells[0].Scenario), _stop.Token).Run();
            progress.End(cells);
        }
    }

    private void OnSignal(PosixSignalContext context)
    {
        // The second Ctrl-C ends the process immediately.
        if (_stop.IsCancellationRequested)
            return;
        context.Cancel = true;
        _stop.Cancel();
        Console.WriteLine();
        Console.WriteLine("stopping after the current block (again: at once)");
    }
}
