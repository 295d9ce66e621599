using System.CommandLine;
using System.Globalization;
using Slipstream.Bench;
using Slipstream.Lab;
using Slipstream.WebRace;

// ./race --web: TechEmpower's pages over HTTP. eng/help/race.txt describes the options, README.md how it measures.
var web = new Option<bool>("--web");
var page = new Option<string?>("--page");
var server = new Option<string>("--server") { DefaultValueFactory = _ => "mysql,postgresql" };
var connections = new Option<string>("--connections") { DefaultValueFactory = _ => "64,256" };
var seating = new Option<string?>("--seating");
var settings = new Option<string>("--settings") { DefaultValueFactory = _ => "default" };
var rounds = new Option<string>("--rounds") { DefaultValueFactory = _ => "5" };
var seconds = new Option<string>("--seconds") { DefaultValueFactory = _ => "2" };
var peer = new Option<string[]>("--peer");
var java = new Option<bool>("--peer-java");
var node = new Option<bool>("--peer-node");
var pool = new Option<string>("--pool") { DefaultValueFactory = _ => "32" };
var json = new Option<string?>("--json");
var root = new RootCommand { web, page, server, connections, seating, settings, rounds, seconds, peer, java, node, pool, json };
root.SetAction(async (result, stop) =>
{
    var folder = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "..", "artifacts", "race"));
    try
    {
        var plan = new Plan
        {
            Pages = Names.Choose(result.GetValue(page), Plan.AllPages, "--page"),
            Servers = Names.ChooseServers(result.GetValue(server), ServerKinds.All),
            Connections = Names.Numbers(result.GetValue(connections)!, "--connections", 10_000),
            Seatings = Names.ChooseSeatings(result.GetValue(seating)),
            Settings = Names.Choose(result.GetValue(settings) is "both" ? null : result.GetValue(settings), Plan.AllSettings, "--settings"),
            Rounds = Names.Number(result.GetValue(rounds)!, "--rounds", 1000),
            Seconds = Names.Number(result.GetValue(seconds)!, "--seconds", 600),
        };
        var ecosystems = new Ecosystems(
            folder, result.GetValue(java), result.GetValue(node), Names.Number(result.GetValue(pool)!, "--pool", 500), Environment.ProcessorCount);
        var rows = await new WebRaceRun(plan, Peers.Find(Path.Combine(folder, "peers"), result.GetValue(peer) ?? []), ecosystems).RunAsync(stop);
        Report.Print(rows, ecosystems.Missing);
        var file = Path.GetFullPath(result.GetValue(json) ?? Path.Combine(folder, "web.json"));
        await Report.WriteAsync(file, rows, ecosystems.Missing, stop);
        Console.WriteLine($"figures: {file}");
        return 0;
    }
    catch (ArgumentException exception)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}. See --help.");
        return 2;
    }
    catch (Exception exception) when (exception is LabUnavailableException or InvalidOperationException or System.ComponentModel.Win32Exception)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}");
        return 1;
    }
});
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
return await root.Parse(args).InvokeAsync();
