using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.EfRace;

/// <summary>Runs the scenarios: a block of each contestant in each round, in another order each time.</summary>
internal sealed class Race(Plan plan) : IAsyncDisposable
{
    private const string Ours = "Slipstream";
    private const string BlockTime = "150";
    private const string LoadTime = "400";
    private const int Counted = 10;

    private readonly List<IAsyncDisposable> _servers = [];
    private readonly List<Contestant> _contestants = [];
    private readonly Dictionary<Contestant, LabServer> _serverOf = [];

    public async Task<IReadOnlyList<Row>> RunAsync(CancellationToken stop)
    {
        await StartAsync(stop);
        var rows = new List<Row>();
        foreach (var scenario in plan.Scenarios)
            foreach (var mode in scenario is Plan.Pooled64 or Plan.ColdStart ? ["-"] : plan.Modes)
            {
                Console.Error.WriteLine($"{scenario} {mode}");
                rows.AddRange(await RunAsync(scenario, mode, stop));
            }

        return rows;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var contestant in _contestants)
        {
            await contestant.DisposeAsync();
            await contestant.DropAsync();
        }

        foreach (var server in _servers.AsEnumerable().Reverse())
            await server.DisposeAsync();
    }

    private async Task StartAsync(CancellationToken stop)
    {
        foreach (var kind in plan.Servers)
        {
            var server = await AddServerAsync(kind, stop);
            foreach (var name in (string[])[Ours, "Pomelo"])
                await AddAsync(name, server, Text(server, name));
        }

        await AddAsync("Npgsql", await AddServerAsync(ServerKind.PostgreSql, stop), null);
        await AddAsync("Sqlite", null, $"Data Source={Path.Combine(plan.Folder, "race.db")}");
    }

    private async Task<LabServer> AddServerAsync(ServerKind kind, CancellationToken stop)
    {
        LabServer.Progress = Console.Error.WriteLine;
        var server = await LabServer.StartAsync(kind, stop);
        _servers.Add(server);
        return server;
    }

    private async Task AddAsync(string name, LabServer? server, string? text)
    {
        var (host, port) = (server?.Host, server?.Port ?? 0);
        if (server is not null && plan.Latency > TimeSpan.Zero)
        {
            var proxy = LabProxy.Start(server.Host, server.Port);
            proxy.Latency = plan.Latency;
            _servers.Add(proxy);
            (host, port) = (proxy.Host, proxy.Port);
        }

        text = server is null ? text : Text(server, name, host, port);
        var (contestant, missing) = await Contestant.StartAsync(name, server is null ? "file" : server.Kind.Word(), plan.Folder, text!);
        if (contestant is null)
        {
            Console.Error.WriteLine(missing);
            return;
        }

        _contestants.Add(contestant);
        if (server is not null)
            _serverOf.Add(contestant, server);
    }

    // Each provider's own defaults: TLS as each chooses it.
    private static string Text(LabServer server, string name, string? host = null, int port = 0)
    {
        (host, port) = (host ?? server.Host, port == 0 ? server.Port : port);
        return server.Kind is ServerKind.PostgreSql
            ? string.Create(CultureInfo.InvariantCulture, $"Host={host};Port={port};Username={server.User};Password={server.Password};Database=ef_race")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"Server={host};Port={port};User ID={server.User};Password={server.Password};AllowPublicKeyRetrieval=true;"
                    + $"Database=ef_race_{name.ToLowerInvariant()}");
    }

    private async Task<IReadOnlyList<Row>> RunAsync(string scenario, string mode, CancellationToken stop)
    {
        var running = new List<(Contestant Contestant, List<Sample> Samples)>();
        foreach (var contestant in _contestants)
            if (scenario is Plan.Pooled64 or Plan.ColdStart || (await contestant.ScenariosAsync()).Contains(scenario))
                running.Add((contestant, []));
        var time = scenario == Plan.Pooled64 ? LoadTime : BlockTime;
        // The first blocks compile: the runtime's tiers, EF Core's queries.
        for (var block = 0; block < 3 && scenario != Plan.ColdStart; block++)
            foreach (var (contestant, _) in running)
                await contestant.RunAsync(scenario, mode, time);
        for (var round = 0; round < plan.Rounds; round++)
        {
            stop.ThrowIfCancellationRequested();
            for (var index = 0; index < running.Count; index++)
            {
                var (contestant, samples) = running[(index + round) % running.Count];
                samples.Add(await contestant.RunAsync(scenario, mode, time));
            }
        }

        var rows = new List<Row>();
        foreach (var (contestant, samples) in running)
        {
            var ours = running.Find(one => one.Contestant.Name == Ours && one.Contestant.Server == contestant.Server).Samples
                ?? running.Find(static one => one.Contestant.Name == Ours).Samples;
            rows.Add(new(
                scenario, mode, contestant.Server, contestant.Name, samples, contestant.Name == Ours ? null : ours,
                await CountAsync(contestant, scenario, mode)));
        }

        return rows;
    }

    // In an untimed run of a second process through a proxy.
    private async Task<double?> CountAsync(Contestant contestant, string scenario, string mode)
    {
        if (!_serverOf.TryGetValue(contestant, out var server) || scenario is Plan.Pooled64 or Plan.ColdStart)
            return null;
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var counting = contestant.By(Text(server, contestant.Name, proxy.Host, proxy.Port));
        await counting.RunAsync(scenario, mode, $"{Counted}!");
        await counting.ScenariosAsync();
        proxy.Counters.Reset();
        await counting.RunAsync(scenario, mode, $"{Counted}!");
        // Insert scenarios delete their rows after each run, by one more command.
        var extra = scenario.StartsWith("Insert", StringComparison.Ordinal) ? 1 : 0;
        await counting.ScenariosAsync();
        return Math.Max(0, proxy.Counters.RoundTrips - extra) / (double)Counted;
    }
}
