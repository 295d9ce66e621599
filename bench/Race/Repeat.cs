using System.Globalization;
using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Measuring;
using Slipstream.Race.Scenarios;
using Slipstream.Race.Servers;

namespace Slipstream.Race;

/// <summary>
/// <c>repeat PROVIDER SCENARIO SERVER sync|async COUNT [PEER|VARIANT]</c>: one contestant repeats one scenario COUNT times under seed settings, without output,
/// for tools
/// that observe a process from outside (strace, perf, a profiler). See <c>bench/Race/syscalls</c>.
/// </summary>
internal static class Repeat
{
    public const string Argument = "repeat";

    public static async Task<int> RunAsync(string[] arguments, string peersFolder)
    {
        try
        {
            var kind = Enum.GetValues<ServerKind>().Single(kind => Track.NameOf(kind) == arguments[3]);
            var mode = arguments[4] == "async" ? Mode.Async : Mode.Sync;
            var count = int.Parse(arguments[5], CultureInfo.InvariantCulture);
            var dialect = kind.IsPostgreSql() ? Dialect.PostgreSql : Dialect.MySql;
            var extra = arguments.Length > 6 ? arguments[6] : null;
            var isPeer = extra is not null && extra.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);
            var peers = isPeer ? new[] { PeerOption.Parse(extra!) } : [];
            var variants = extra is not null && !isPeer ? new[] { Variant.Parse(extra) } : [];
            var contestant = ContestantList.Gather(peersFolder, peers, variants, null).Contestants.First(
                contestant => contestant.Name == arguments[1] && contestant.Dialect == dialect);
            var scenario = Catalogue.All(1).Single(scenario => scenario.Name == arguments[2]);
            await using var servers = await RaceServers.StartAsync([kind], TimeSpan.Zero, _ => { }, CancellationToken.None);
            using var operation = contestant.Create(scenario, servers.Tracks[0], mode);
            if (mode is Mode.Sync)
                operation.Open();
            else
                await operation.OpenAsync();
            await operation.BeforeAsync(mode, count);
            if (mode is Mode.Sync)
                operation.Run(count);
            else
                await operation.RunAsync(count);
            await operation.AfterAsync(mode);
            return 0;
        }
        catch (InvalidOperationException exception)
        {
            await Console.Error.WriteLineAsync($"repeat {string.Join(' ', arguments.Skip(1))}: {ScenarioRun.Describe(exception)}");
            return 2;
        }
    }
}
