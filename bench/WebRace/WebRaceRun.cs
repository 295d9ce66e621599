using System.Globalization;
using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.WebRace;

/// <summary>Runs the pages: a block of each contestant in each round, in another order each time.</summary>
/// <param name="plan">What is measured.</param>
/// <param name="peers">The peers' assemblies by name, and whether they are for PostgreSQL.</param>
/// <param name="ecosystems">The sites of other ecosystems.</param>
internal sealed class WebRaceRun(Plan plan, IReadOnlyList<(string Name, string Assembly, bool IsPostgreSql)> peers, Ecosystems ecosystems)
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
            var rows = new List<Row>();
            foreach (var site in Field(server, settings, seating))
                await AddAsync(site, isDivided ? SiteProcessor : null, contestants, stop);
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

    private async Task AddAsync(SiteProgram site, string? processors, List<Contestant> contestants, CancellationToken stop)
    {
        if (await Contestant.StartAsync(site, processors) is not { } contestant)
        {
            Console.Error.WriteLine($"{site.Name} does not take part: its site ended at its start.");
            return;
        }

        // The floor has other texts.
        var ours = contestants.Find(static one => one.Name == Contestant.Ours);
        var fortunes = ours is null || site.Name == Contestant.Floor ? null : await ours.ReadAsync("fortunes", stop);
        foreach (var page in plan.Pages)
        {
            if ((await contestant.ReadAsync(page, stop)).Problem(page, fortunes) is not { } problem)
                continue;
            Console.Error.WriteLine($"{site.Name} does not take part: {problem}");
            await contestant.DisposeAsync();
            return;
        }

        contestants.Add(contestant);
    }

    private IEnumerable<SiteProgram> Field(LabServer server, string settings, Seating seating)
    {
        yield return SiteProgram.OfDotNet(Contestant.Floor, null, null);
        var own = server.Kind.IsPostgreSql() ? "Slipstream.PostgreSql.dll" : "Slipstream.MySql.dll";
        var text = Tables.ConnectionString(server, settings);
        yield return SiteProgram.OfDotNet(Contestant.Ours, Path.Combine(Contestant.SiteFolder, own), text);
        foreach (var peer in peers)
            if (peer.IsPostgreSql == server.Kind.IsPostgreSql())
                yield return SiteProgram.OfDotNet(peer.Name, peer.Assembly, text);
        foreach (var site in ecosystems.For(server, seating))
            yield return site;
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
