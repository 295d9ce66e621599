using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.WebRace;

/// <summary>Runs the pages: a block of each contestant in each round, in another order each time.</summary>
/// <param name="plan">What is measured.</param>
/// <param name="peers">The peers' assemblies by name, and whether they are for PostgreSQL.</param>
internal sealed class WebRaceRun(Plan plan, IReadOnlyList<(string Name, string Assembly, bool IsPostgreSql)> peers)
{
    private const string SiteProcessor = "0";

    public async Task<IReadOnlyList<Row>> RunAsync(CancellationToken stop)
    {
        var rows = new List<Row>();
        LabServer.Progress = Console.Error.WriteLine;
        foreach (var kind in plan.Servers)
        {
            await using var server = await LabServer.StartAsync(kind, stop);
            await Tables.CreateAsync(server, stop);
            foreach (var settings in plan.Settings)
                foreach (var seating in plan.Seatings)
                    rows.AddRange(await RunAsync(server, settings, seating, stop));
        }

        return rows;
    }

    private async Task<List<Row>> RunAsync(LabServer server, string settings, Seating seating, CancellationToken stop)
    {
        var isDivided = seating == Seating.Divided && Environment.ProcessorCount > 1;
        var others = isDivided ? string.Create(CultureInfo.InvariantCulture, $"1-{Environment.ProcessorCount - 1}") : null;
        var all = string.Create(CultureInfo.InvariantCulture, $"0-{Environment.ProcessorCount - 1}");
        await Affinity.SetAsync(server.ProcessId, others ?? all);
        var contestants = new List<Contestant>();
        try
        {
            foreach (var (name, assembly) in Field(server))
            {
                var text = assembly is null ? null : Tables.ConnectionString(server, settings);
                if (await Contestant.StartAsync(name, assembly, text, isDivided ? SiteProcessor : null) is { } contestant)
                    contestants.Add(contestant);
                else
                    Console.Error.WriteLine($"{name} does not take part: its site ended at its start.");
            }

            var rows = new List<Row>();
            foreach (var page in plan.Pages)
                foreach (var connections in plan.Connections)
                    rows.AddRange(await RunAsync(new(server.Kind.Word(), settings, page, connections, seating), contestants, others, stop));
            return rows;
        }
        finally
        {
            foreach (var contestant in contestants)
                await contestant.DisposeAsync();
            await Affinity.SetAsync(server.ProcessId, all);
        }
    }

    private IEnumerable<(string Name, string? Assembly)> Field(LabServer server)
    {
        yield return (Contestant.Floor, null);
        var own = server.Kind.IsPostgreSql() ? "Slipstream.PostgreSql.dll" : "Slipstream.MySql.dll";
        yield return (Contestant.Ours, Path.Combine(Contestant.SiteFolder, own));
        foreach (var peer in peers)
            if (peer.IsPostgreSql == server.Kind.IsPostgreSql())
                yield return (peer.Name, peer.Assembly);
    }

    private async Task<IEnumerable<Row>> RunAsync(Cell cell, List<Contestant> contestants, string? others, CancellationToken stop)
    {
        Console.Error.WriteLine($"{cell.Server} {cell.Settings} {cell.Page} {cell.Connections} {cell.Seating}");
        var samples = contestants.ToDictionary(static one => one, static _ => new List<Sample>());
        // The first block opens connections and compiles.
        foreach (var contestant in contestants)
            await contestant.RunAsync(cell.Page, cell.Connections, plan.Seconds, others, stop);
        for (var round = 0; round < plan.Rounds; round++)
        {
            for (var index = 0; index < contestants.Count; index++)
            {
                var contestant = contestants[(index + round) % contestants.Count];
                samples[contestant].Add(await contestant.RunAsync(cell.Page, cell.Connections, plan.Seconds, others, stop));
            }
        }

        var (ours, floor) = (Of(Contestant.Ours), Of(Contestant.Floor));
        return contestants.Select(one => new Row(
            cell, one.Name, samples[one], one.Name is Contestant.Ours or Contestant.Floor ? null : ours, floor));

        List<Sample>? Of(string name) => contestants.Find(one => one.Name == name) is { } found ? samples[found] : null;
    }
}
