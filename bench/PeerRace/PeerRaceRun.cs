using System.Globalization;
using Slipstream.Bench;
using Slipstream.Lab;
using Slipstream.Race.Measuring;
using Slipstream.WebRace;

namespace Slipstream.PeerRace;

/// <summary>Runs the scenarios: a block of each contestant in each round, in another order each time.</summary>
internal sealed class PeerRaceRun(Plan plan, Field field)
{
    private const string ClientProcessor = "0";

    // Without TLS and resets: Node's pools and JDBC have neither by themselves.
    private const string Settings = "seed";

    public async Task<IReadOnlyList<Row>> RunAsync(CancellationToken stop)
    {
        var rows = new List<Row>();
        LabServer.Progress = Console.Error.WriteLine;
        foreach (var kind in plan.Servers)
        {
            await using var server = await LabServer.StartAsync(kind, stop);
            await Tables.CreateAsync(server, stop);
            var expected = await Expected.ReadAsync(server, stop);
            var load = MachineLoad.Begin([server.ProcessId]);
            foreach (var seating in plan.Seatings)
                rows.AddRange(await RunAsync(server, seating, expected, stop));
            if (MachineLoad.Warning(load?.Others(), isOver: true) is { } warning)
                await Console.Error.WriteLineAsync($"{kind.Word()}: {warning}");
        }

        return rows;
    }

    private async Task<List<Row>> RunAsync(LabServer server, Seating seating, Expected expected, CancellationToken stop)
    {
        var isDivided = seating == Seating.Divided && Environment.ProcessorCount > 1;
        var all = string.Create(CultureInfo.InvariantCulture, $"0-{Environment.ProcessorCount - 1}");
        var others = string.Create(CultureInfo.InvariantCulture, $"1-{Environment.ProcessorCount - 1}");
        await Affinity.SetAsync(server.ProcessId, isDivided ? others : all);
        var rows = new List<Row>();
        var contestants = new List<Contestant>();
        try
        {
            var isPostgreSql = server.Kind.IsPostgreSql();
            var variables = ForeignProgram.ServerVariables(isPostgreSql, server.Host, server.Port, server.User, server.Password, Tables.Database);
            foreach (var entry in field.For(isPostgreSql, seating, Tables.ConnectionString(server, Settings)))
            {
                try
                {
                    contestants.Add(entry.Missing is null
                        ? await Contestant.StartAsync(entry, variables, isDivided ? ClientProcessor : null)
                        : throw new InvalidOperationException(entry.Missing));
                }
                catch (InvalidOperationException exception)
                {
                    rows.Add(new(new(server.Kind.Word(), "all", 0, seating), entry.Name, entry.Mode, null, [], null, null, exception.Message));
                    await Console.Error.WriteLineAsync($"{entry.Name} does not take part: {exception.Message}");
                }
            }

            foreach (var scenario in plan.Scenarios)
                foreach (var callers in plan.Callers)
                    rows.AddRange(await RunAsync(new(server.Kind.Word(), scenario, callers, seating), contestants, expected, stop));
            return rows;
        }
        finally
        {
            foreach (var contestant in contestants)
                await contestant.DisposeAsync();
            await Affinity.SetAsync(server.ProcessId, all);
        }
    }

    private async Task<IEnumerable<Row>> RunAsync(Cell cell, IEnumerable<Contestant> contestants, Expected expected, CancellationToken stop)
    {
        await Console.Error.WriteLineAsync($"{cell.Server} {cell.Scenario} {cell.Callers} {cell.Seating}");
        var lanes = contestants.Where(one => one.Entry.LeastCallers <= cell.Callers).Select(static one => new Lane(one)).ToArray();
        foreach (var lane in lanes)
            await lane.OpenAsync(cell);
        // Long enough for the compilers of .NET, Java and Node.
        foreach (var lane in lanes)
            await lane.RunAsync(plan.WarmUp, IsRight, counts: false);
        for (var round = 0; round < plan.Rounds; round++)
        {
            for (var index = 0; index < lanes.Length; index++)
            {
                stop.ThrowIfCancellationRequested();
                await lanes[(index + round) % lanes.Length].RunAsync(plan.Seconds, IsRight, counts: true);
            }
        }

        foreach (var lane in lanes)
            await lane.CloseAsync();
        var (sync, async) = (Ours(Plan.Sync), Ours(Plan.Async));
        return lanes.Select(lane => lane.ToRow(cell, sync, async));

        bool IsRight(string check) => expected.IsRight(cell.Scenario, check);

        IReadOnlyList<Sample>? Ours(string mode) =>
            Array.Find(lanes, lane => lane.Contestant.Entry.Name == Entry.Ours && lane.Contestant.Entry.Mode == mode && lane.Error is null)?.Samples;
    }
}
