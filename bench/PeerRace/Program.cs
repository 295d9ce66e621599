using System.Globalization;
using Slipstream.PeerRace;
using Slipstream.Race.Measuring;

// ./race --peer-java --peer-node: the same reads in other ecosystems. eng/help/race.txt and README.md describe it.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
return await CommandLine.Create(RunAsync).Parse(args).InvokeAsync();

static async Task<int> RunAsync(Plan plan, string? json, CancellationToken stop)
{
    var folder = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "..", "artifacts", "race"));
    var load = MachineLoad.Now();
    if (MachineLoad.Warning(load, isOver: false) is { } warning)
        await Console.Error.WriteLineAsync(warning);
    var rows = await new PeerRaceRun(plan, new Field(plan, folder, Environment.ProcessorCount)).RunAsync(stop);
    Report.Print(rows);
    var file = Path.GetFullPath(json ?? Path.Combine(folder, "peers.json"));
    await Report.WriteAsync(file, rows, stop);
    Console.WriteLine($"figures: {file}");
    return 0;
}
