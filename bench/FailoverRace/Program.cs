using System.CommandLine;
using System.Text.Json;
using Slipstream.Bench;
using Slipstream.FailoverRace;
using Slipstream.Lab;
using Spectre.Console;

// ./race --failover: a primary is lost while many callers write. eng/help/race.txt describes the options, README.md how it measures.
var failover = new Option<bool>("--failover");
var clusters = new Option<string>("--cluster") { DefaultValueFactory = _ => "pg-replication" };
var events = new Option<string>("--event") { DefaultValueFactory = _ => "kill,hang,stop" };
var provider = new Option<string?>("--provider");
var mode = new Option<string>("--mode") { DefaultValueFactory = _ => "sync" };
var rounds = new Option<int>("--rounds") { DefaultValueFactory = _ => 20 };
var writers = new Option<int>("--writers") { DefaultValueFactory = _ => 16 };
var steady = new Option<bool>("--steady");
var json = new Option<string?>("--json");
var root = new RootCommand { failover, clusters, events, provider, mode, rounds, writers, steady, json };
root.SetAction(async (result, stop) =>
{
    var folder = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "..", "artifacts", "race"));
    try
    {
        var kinds = result.GetValue(clusters)!.Split(',').Select(static word => ClusterKinds.TryParse(word, out var kind)
            ? kind : throw new ArgumentException($"--cluster: '{word}' is none of {string.Join(", ", ClusterKinds.All.Select(static one => one.Word()))}"));
        var happens = result.GetValue(events)!.Split(',').Select(static word => Enum.TryParse<FailoverEvent>(word, ignoreCase: true, out var one)
            ? one : throw new ArgumentException($"--event: '{word}' is none of kill, hang and stop")).ToArray();
        var isAsync = result.GetValue(mode) switch
        {
            "sync" => false,
            "async" => true,
            _ => throw new ArgumentException("--mode takes sync or async"),
        };
        if (result.GetValue(rounds) is < 1 or > 1000 || result.GetValue(writers) is < 1 or > 1000)
            throw new ArgumentException("--rounds and --writers take 1 to 1000");
        if (result.GetValue(steady))
            return await ShowSteadyAsync(kinds, result.GetValue(json) ?? Path.Combine(folder, "steady.json"), stop);
        List<object> rows = [];
        AnsiConsole.Profile.Width = Math.Max(AnsiConsole.Profile.Width, 160);
        var table = new Table().Border(TableBorder.Simple);
        foreach (var column in (string[])["cluster", "event", "driver"])
            table.AddColumn(column);
        string[] figures =
        [
            "cluster ms", "driver ms, median", "worst", "worst but the prober's delay", "slowest call ms", "calls failed", "wrongly told",
            "acknowledged, missing",
        ];
        foreach (var column in figures)
            table.AddColumn(new TableColumn(column).RightAligned());
        foreach (var kind in kinds)
        {
            await using var cluster = await LabCluster.StartAsync(kind, stop);
            var contestants = Contestant.Of(kind, result.GetValue(provider)?.Split(','), Path.Combine(folder, "peers"));
            foreach (var happening in happens)
            {
                var results = contestants.ToDictionary(static one => one, static _ => new List<RoundResult>());
                for (var round = 1; round <= result.GetValue(rounds); round++)
                {
                    foreach (var contestant in contestants)
                    {
                        var one = await new Round(cluster, contestant, result.GetValue(writers), isAsync).RunAsync(happening, stop);
                        results[contestant].Add(one);
                        rows.Add(new { Cluster = kind.Word(), Event = happening.ToString(), contestant.Name, Round = round, Result = one });
                        Console.Error.WriteLine($"{kind.Word()} {happening} {contestant.Name} {round}: cluster {one.Cluster:0} ms, driver {one.Driver:0} ms, "
                            + $"slowest call {one.Slowest:0} ms, {one.Failed} failed");
                    }
                }

                foreach (var (contestant, all) in results)
                    table.AddRow(
                        kind.Word(), happening.ToString(), contestant.Name, $"{Median(all, static one => one.Cluster):0}",
                        $"{Median(all, static one => one.Driver):0}", $"{all.Max(static one => one.Driver):0}",
                        $"{all.Max(static one => one.Driver - Math.Max(0, one.ProberLate)):0}", $"{all.Max(static one => one.Slowest):0}",
                        $"{all.Sum(static one => one.Failed)}", $"{all.Sum(static one => one.WronglyTold)}", $"{all.Sum(static one => one.Missing)}");
            }
        }

        AnsiConsole.Write(table);
        AnsiConsole.WriteLine("cluster: from the event to the first write of the prober; driver: from then to the first write through the driver.");
        await SaveAsync(result.GetValue(json) ?? Path.Combine(folder, "failover.json"), rows, stop);
        return 0;
    }
    catch (ArgumentException exception)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}");
        return 2;
    }
    catch (LabUnavailableException exception)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}");
        return 1;
    }
});
return await root.Parse(args).InvokeAsync();

static async Task<int> ShowSteadyAsync(IEnumerable<ClusterKind> kinds, string file, CancellationToken stop)
{
    AnsiConsole.Profile.Width = Math.Max(AnsiConsole.Profile.Width, 160);
    var table = new Table().Border(TableBorder.Simple).AddColumn("cluster");
    string[] figures =
    [
        "lease, × one server", "bytes of a lease", "with one server", "probes/s", "CPU of the servers, ‰", "without probes, ‰", "reads on replicas",
        "stale with a token", "stale without",
    ];
    foreach (var column in figures)
        table.AddColumn(new TableColumn(column).RightAligned());
    List<object> rows = [];
    foreach (var kind in kinds)
    {
        await using var cluster = await LabCluster.StartAsync(kind, stop);
        var one = await new Steady(cluster).RunAsync(stop);
        rows.Add(new { Cluster = kind.Word(), Result = one });
        table.AddRow(
            kind.Word(), $"{one.LeaseRatio:0.00}", $"{one.LeaseBytes}", $"{one.LeaseBytesOfOne}", $"{one.ProbesPerSecond:0.0}", $"{one.ServerCpu:0.0}",
            $"{one.ServerCpuAlone:0.0}", $"{one.OnReplicas} of {one.Reads}", $"{one.Stale}", $"{one.StaleWithout}");
    }

    AnsiConsole.Write(table);
    await SaveAsync(file, rows, stop);
    return 0;
}

static async Task SaveAsync(string file, List<object> rows, CancellationToken stop)
{
    Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(file))!);
    await File.WriteAllTextAsync(file, JsonSerializer.Serialize(rows, Indented.Options), stop);
}

static double Median(List<RoundResult> all, Func<RoundResult, double> value) => Rounds.Median(all.Select(value));
