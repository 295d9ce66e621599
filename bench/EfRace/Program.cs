using System.CommandLine;
using System.Globalization;
using Slipstream.Bench;
using Slipstream.EfRace;
using Slipstream.Lab;

// ./race --ef: the providers of EF Core, interleaved. eng/help/race.txt describes the options, README.md how it measures.
var ef = new Option<bool>("--ef");
var scenario = new Option<string?>("--scenario");
var server = new Option<string>("--server") { DefaultValueFactory = _ => "mariadb11,mysql" };
var mode = new Option<string?>("--mode");
var rounds = new Option<int>("--rounds") { DefaultValueFactory = _ => 9 };
var latency = new Option<string?>("--latency");
var json = new Option<string?>("--json");
var list = new Option<bool>("--list");
var root = new RootCommand { ef, scenario, server, mode, rounds, latency, json, list };
root.SetAction(async (result, stop) =>
{
    if (result.GetValue(list))
    {
        Console.WriteLine(string.Join(Environment.NewLine, Plan.AllScenarios));
        return 0;
    }

    var folder = Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "..", "artifacts", "race");
    try
    {
        var plan = new Plan
        {
            Scenarios = Names.Choose(result.GetValue(scenario), Plan.AllScenarios, "--scenario"),
            Servers = Names.ChooseServers(result.GetValue(server), Plan.AllServers),
            Modes = Names.Choose(result.GetValue(mode), ["sync", "async"], "--mode"),
            Rounds = result.GetValue(rounds) is > 0 and <= 1000 and var number ? number : throw new ArgumentException("--rounds takes 1 to 1000"),
            Latency = Plan.ParseLatency(result.GetValue(latency)),
            Folder = Path.GetFullPath(Path.Combine(folder, "ef")),
        };
        await using var race = new Race(plan);
        var rows = await race.RunAsync(stop);
        if (rows.Count == 0)
            return 1;
        Report.Print(rows);
        var file = Path.GetFullPath(result.GetValue(json) ?? Path.Combine(folder, "ef.json"));
        await Report.WriteAsync(file, rows, stop);
        Console.WriteLine($"figures: {file}");
        return 0;
    }
    catch (ArgumentException exception)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}. See --help.");
        return 2;
    }
});
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
return await root.Parse(args).InvokeAsync();
