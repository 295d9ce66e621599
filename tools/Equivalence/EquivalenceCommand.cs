using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using Slipstream.Equivalence.Comparing;
using Slipstream.Lab;

namespace Slipstream.Equivalence;

/// <summary>The command line; <c>eng/help/equivalence.txt</c> describes it.</summary>
internal static class EquivalenceCommand
{
    private static readonly ServerKind[] AllKinds =
        [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.PostgreSql, ServerKind.PostgreSql18];

    public static RootCommand Create()
    {
        var programs = new Option<int>("--programs") { DefaultValueFactory = _ => 1000 };
        var seconds = new Option<double>("--seconds");
        var seed = new Option<long>("--seed") { DefaultValueFactory = _ => 1 };
        var server = new Option<string>("--server") { DefaultValueFactory = _ => "all" };
        var pair = new Option<string[]>("--pair") { DefaultValueFactory = _ => [] };
        var workers = new Option<int>("--workers") { DefaultValueFactory = _ => 4 };
        var findings = new Option<int>("--findings") { DefaultValueFactory = _ => 50 };
        var firstWorld = new Option<int>("--first-world") { DefaultValueFactory = _ => 1 };
        firstWorld.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int>() < 1)
                result.AddError("--first-world takes 1 or more");
        });
        server.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string>() is { } word && word != "all" && !ServerKinds.TryParse(word, out _))
                result.AddError($"there is no server '{word}': mysql, mariadb, mariadb11, postgresql, postgresql18 or all");
        });
        pair.Validators.Add(result =>
        {
            foreach (var token in result.Tokens)
                if (!Names.Contains(token.Value))
                    result.AddError($"there is no pair '{token.Value}': {string.Join(", ", Names)}");
        });
        var command = new RootCommand
        {
            programs, seconds, seed, server, pair, workers, findings, firstWorld,
        };
        command.SetAction(async (parsed, ct) =>
        {
            var word = parsed.GetRequiredValue(server);
            ServerKind[] kinds = word == "all" ? AllKinds : [Kind(word)];
            var found = await Task.WhenAll(kinds.Select(kind =>
            {
                var length = parsed.GetValue(seconds);
                return RunAsync(
                    new EquivalenceOptions(
                        kind, parsed.GetValue(programs), length > 0 ? TimeSpan.FromSeconds(length) : null, parsed.GetValue(seed), parsed.GetValue(pair) ?? [])
                    {
                        Workers = parsed.GetValue(workers),
                        MostFindings = parsed.GetValue(findings),
                        FirstWorld = parsed.GetValue(firstWorld),
                    },
                    ct);
            }));
            return found.Sum() == 0 ? 0 : 1;
        });
        return command.WithHelp(typeof(EquivalenceCommand).Assembly);
    }

    private static IEnumerable<string> Names => Pair.All(false).Concat(Pair.All(true)).Select(static pair => pair.Name).Distinct();

    private static ServerKind Kind(string word)
    {
        _ = ServerKinds.TryParse(word, out var kind);
        return kind;
    }

    private static async Task<int> RunAsync(EquivalenceOptions options, CancellationToken ct)
    {
        await using var server = await LabServer.StartAsync(options.Kind, ct);
        var present = Pair.All(options.Kind.IsPostgreSql()).Select(static pair => pair.Name).ToList();
        options = options with { Pairs = [.. options.Pairs.Where(present.Contains)] };
        var run = new EquivalenceRun(options, server, Console.WriteLine);
        await run.RunAsync(ct);
        var (elapsed, word) = (run.Elapsed.TotalSeconds, options.Kind.Word());
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"equivalence {word}: {run.Coverage}, {(options.Pairs.Count == 0 ? present.Count : options.Pairs.Count)} pairs of configurations, "
                + $"{run.Findings.Count} findings, {run.Repeated} repeated, {run.Unsteady} not reproduced, {elapsed:0.0} s, "
                + $"{run.Coverage.Programs / elapsed:0.0} programs/s, {run.Refusals}, seed {options.Seed}"));
        Console.WriteLine("summary " + JsonSerializer.Serialize(new
        {
            server = word,
            seed = options.Seed,
            programs = run.Coverage.Programs,
            steps = run.Coverage.Steps,
            kinds = run.Coverage.Kinds,
            neighbours = run.Coverage.Neighbours,
            findings = run.Findings.Count,
            repeated = run.Repeated,
            unsteady = run.Unsteady,
            refusals = run.Refusals.Again + run.Refusals.Reported,
            executedAgain = run.Refusals.Again,
            seconds = Math.Round(elapsed, 1),
            programsPerSecond = Math.Round(run.Coverage.Programs / elapsed, 1),
        }));
        return run.Findings.Count;
    }
}
