using System.CommandLine;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Measuring;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race;

/// <summary>The options of <c>./race</c>, which <c>eng/help/race.txt</c> describes.</summary>
internal static class CommandLine
{
    private const int StandardRounds = 9;
    private const int QuickRounds = 3;
    private const int JetRounds = 7;
    private const string JetServers = "mariadb,mysql";

    /// <summary>The folder in which <c>./race</c> stores the peers.</summary>
    public static string PeersFolder => Path.Combine(RepositoryRoot(), "artifacts", "race", "peers");

    public static RootCommand Create()
    {
        var full = new Option<bool>("--full");
        var quick = new Option<bool>("--quick");
        var jet = new Option<bool>("--jet");
        var ef = new Option<bool>("--ef");
        var failover = new Option<bool>("--failover");
        var killed = new Option<bool>("--killed");
        var model = new Option<bool>("--model");
        var web = new Option<bool>("--web");
        var peerJava = new Option<bool>("--peer-java");
        var peerNode = new Option<bool>("--peer-node");
        var scenario = new Option<string?>("--scenario");
        var server = new Option<string?>("--server");
        var provider = new Option<string?>("--provider");
        var mode = new Option<string?>("--mode");
        var settings = new Option<string?>("--settings");
        var rounds = new Option<int?>("--rounds");
        var scale = new Option<double>("--scale") { DefaultValueFactory = _ => 1.0 };
        var latency = new Option<string?>("--latency");
        var peer = new Option<string[]>("--peer");
        var variant = new Option<string[]>("--variant");
        var pin = new Option<string?>("--pin");
        var noPin = new Option<bool>("--no-pin");
        var json = new Option<string?>("--json");
        var list = new Option<bool>("--list");
        var root = new RootCommand
        {
            full, quick, jet, ef, failover, killed, model, web, peerJava, peerNode, scenario, server, provider, mode, settings, rounds, scale, latency, peer,
            variant, pin, noPin, json, list,
        };
        root.SetAction(async result =>
        {
            try
            {
                // The script starts another program for it.
                if (result.GetValue(ef))
                    throw new RequestException("--ef is a race of its own: start it with ./race --ef");
                if (result.GetValue(failover))
                    throw new RequestException("--failover is a race of its own: start it with ./race --failover");
                if (result.GetValue(killed))
                    throw new RequestException("--killed is a race of its own: start it with ./race --killed");
                if (result.GetValue(model))
                    throw new RequestException("--model is a program of its own: start it with ./race --model");
                if (result.GetValue(web))
                    throw new RequestException("--web is a race of its own: start it with ./race --web");
                if (result.GetValue(peerJava) || result.GetValue(peerNode))
                    throw new RequestException("--peer-java and --peer-node are a race of their own: start it with ./race --peer-java --peer-node");
                if (result.GetValue(list))
                {
                    List();
                    return 0;
                }

                var isFull = result.GetValue(full);
                var isQuick = result.GetValue(quick);
                var isJet = result.GetValue(jet);
                if (new[] { isFull, isQuick, isJet }.Count(set => set) > 1)
                    throw new RequestException("--full, --quick and --jet exclude each other");
                var folder = Path.Combine(RepositoryRoot(), "artifacts", "race");
                var file = Path.GetFullPath(result.GetValue(json) ?? Path.Combine(folder, "race.json"));
                using var run = new RaceRun(new Request
                {
                    Scenarios = Scenarios(
                        result.GetValue(scenario), isFull ? null : isQuick ? Catalogue.Quick : isJet ? Catalogue.Jet : Catalogue.Standard,
                        result.GetValue(scale)),
                    Servers = Servers(result.GetValue(server) ?? (isJet ? JetServers : null)),
                    Modes = Both("--mode", result.GetValue(mode) ?? "both", Mode.Sync, Mode.Async),
                    Settings = Both("--settings", result.GetValue(settings) ?? (isFull ? "both" : "seed"), Settings.Seed, Settings.Default),
                    Peers = [.. (result.GetValue(peer) ?? []).Select(PeerOption.Parse)],
                    Variants = Variant.ParseAll(result.GetValue(variant) ?? []),
                    Jet = isJet ? new JetOption(Path.Combine(folder, "jet"), result.GetValue(noPin) ? -1 : Pinning.Processor) : null,
                    FirstModeOnly = isJet && result.GetValue(mode) is null,
                    Providers = Names.Split(result.GetValue(provider)),
                    OnlyIfAsked = isJet ? [PeerLoader.ConnectorNet, Contestant.RawName] : [],
                    Rounds = Rounds(result.GetValue(rounds) ?? (isJet ? JetRounds : null)),
                    UsualRounds = isQuick ? QuickRounds : StandardRounds,
                    Pinning = result.GetValue(noPin) ? [false] : Pinnings(result.GetValue(pin) ?? (isFull || isQuick || isJet ? "on" : "both")),
                    BlockScale = isQuick ? 0.5 : 1,
                    Latency = Latency(result.GetValue(latency)),
                    Json = file,
                    Html = Path.Combine(Path.GetDirectoryName(file)!, "index.html"),
                    PeersFolder = PeersFolder,
                });
                return await run.RunAsync();
            }
            catch (Exception exception) when (exception is RequestException or PeerException)
            {
                await Console.Error.WriteLineAsync("race: " + exception.Message);
                return 2;
            }
        });
        return root.WithHelp(typeof(CommandLine).Assembly);
    }

    private static void List()
    {
        foreach (var scenario in Catalogue.All(1))
        {
            var sets = (Catalogue.Standard.Contains(scenario.Name) ? "*" : " ") + (Catalogue.Quick.Contains(scenario.Name) ? "q" : " ");
            Console.WriteLine($"{sets} {scenario.Name,-27} {scenario.Summary}");
        }

        Console.WriteLine();
        Console.WriteLine("* in the standard set (./race)   q in --quick   --full runs all");
    }

    /// <param name="set">The scenarios to run if <paramref name="names"/> is null; null means all.</param>
    private static Scenario[] Scenarios(string? names, string[]? set, double scale)
    {
        if (scale is not (> 0 and <= 1))
            throw new RequestException($"--scale: {scale} is not above 0 and at most 1");
        var all = Catalogue.All(scale);
        string[] chosen = names is not null ? [.. Names.Choose("--scenario", names, [.. all.Select(scenario => scenario.Name)])]
            : set ?? [.. all.Select(scenario => scenario.Name)];
        return [.. all.Where(scenario => chosen.Contains(scenario.Name))];
    }

    private static ServerKind[] Servers(string? names)
    {
        if (names is null)
            return [ServerKind.MariaDb, ServerKind.MySql, ServerKind.PostgreSql];
        var kinds = ServerKinds.All;
        var chosen = Names.Choose("--server", names, [.. kinds.Select(Track.NameOf)]).ToArray();
        return [.. kinds.Where(kind => chosen.Contains(Track.NameOf(kind)))];
    }

    private static T[] Both<T>(string option, string name, T first, T second)
        where T : struct, Enum
    {
        var words = new[] { first.ToString().ToLowerInvariant(), second.ToString().ToLowerInvariant(), "both" };
        var chosen = Names.Choose(option, name, words).ToArray();
        if (chosen is not [var one] || one == "both")
            return [first, second];
        return [one == words[0] ? first : second];
    }

    private static bool[] Pinnings(string name) => Names.Choose("--pin", name, ["on", "off", "both"]).ToArray() switch
    {
        ["on"] => [true],
        ["off"] => [false],
        _ => [true, false],
    };

    private static int? Rounds(int? rounds) => rounds is null or > 0 ? rounds : throw new RequestException($"--rounds: {rounds} is not above 0");

    private static TimeSpan Latency(string? text)
    {
        if (text is null)
            return TimeSpan.Zero;
        var number = text.TrimEnd('m', 'u', 's');
        var unit = text[number.Length..];
        return (unit is "ms" or "us") && double.TryParse(number, CultureInfo.InvariantCulture, out var value) && value is >= 0 and < 10_000_000
            ? unit == "ms" ? TimeSpan.FromMilliseconds(value) : TimeSpan.FromMicroseconds(value)
            : throw new RequestException($"--latency: '{text}' is not a number with ms or us behind it, such as 1ms");
    }

    private static string RepositoryRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
                return folder.FullName;
        }

        return Environment.CurrentDirectory;
    }
}
