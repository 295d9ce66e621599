using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.Soak.Checks;
using Slipstream.Soak.Clusters;
using Slipstream.Soak.Faults;
using Slipstream.Soak.Report;
using Slipstream.Soak.Simulation;
using Slipstream.Soak.Work;

namespace Slipstream.Soak;

/// <summary>The command line; <c>eng/help/soak.txt</c> describes it.</summary>
internal static class SoakCommand
{
    public static RootCommand Create()
    {
        var minutes = new Option<double>("--minutes") { DefaultValueFactory = _ => 1, CustomParser = Minutes };
        var server = new Option<string>("--server") { DefaultValueFactory = _ => "all" };
        var cluster = new Option<string?>("--cluster");
        cluster.Validators.Add(static result =>
        {
            if (result.GetValueOrDefault<string?>() is { } word && !ClusterKinds.TryParse(word, out _))
                result.AddError($"there is no cluster '{word}': {string.Join(", ", ClusterKinds.All.Select(static kind => kind.Word()))}");
        });
        var partitions = new Option<bool>("--partitions");
        var seed = new Option<int?>("--seed");
        var withoutFaults = new Option<bool>("--no-faults");
        var work = new Option<string[]>("--work") { DefaultValueFactory = _ => [] };
        var simulate = new Option<int?>("--simulate");
        simulate.Validators.Add(static result =>
        {
            if (result.GetValueOrDefault<int?>() is <= 0)
                result.AddError("--simulate is a number of clusters above 0, such as 10000");
        });
        var faults = new Option<string[]>("--fault") { DefaultValueFactory = _ => [] };
        work.Validators.Add(result => Check(result, Operation.All.Select(static operation => operation.Name)));
        faults.Validators.Add(
            result => Check(result, [.. Fault.All.Select(static fault => fault.Name), .. ClusterFault.All.Select(static fault => fault.Name)]));
        // The program that starts one run for each server ends them by closing their input, which also happens if it is killed.
        var child = new Option<bool>("--until-input-ends") { Hidden = true };
        server.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string>() is { } word && word != "all" && !ServerKinds.TryParse(word, out _))
                result.AddError($"there is no server '{word}': mysql, mariadb, mariadb11, postgresql, postgresql18 or all");
        });
        var command = new RootCommand
        {
            minutes, server, cluster, partitions, seed, withoutFaults, work, faults, simulate, child,
        };
        command.Validators.Add(result =>
        {
            if (result.GetValue(cluster) is not null && result.GetResult(server) is { Implicit: false })
                result.AddError("--server and --cluster exclude each other");
            if (result.GetValue(partitions) && result.GetValue(cluster) is null)
                result.AddError("--partitions needs --cluster");
            var cuts = ClusterFault.All.Where(static fault => fault.IsPartition).Select(static fault => fault.Name);
            if (!result.GetValue(partitions) && result.GetValue(faults)?.Intersect(cuts).FirstOrDefault() is { } cut)
                result.AddError($"'{cut}' needs --partitions");
        });
        command.SetAction(async (parsed, ct) =>
        {
            var chosen = parsed.GetValue(seed) ?? Random.Shared.Next(1, 1_000_000);
            if (parsed.GetValue(simulate) is { } clusters)
                return SimulationRun.Report(clusters, chosen, Console.Out, ct);
            var word = parsed.GetRequiredValue(server);
            ClusterKind? several = ClusterKinds.TryParse(parsed.GetValue(cluster) ?? "", out var one) ? one : null;
            if (word == "all" && several is null)
                return await SideBySide.RunAsync(parsed.GetValue(minutes), chosen, parsed.GetValue(withoutFaults), ct);
            _ = ServerKinds.TryParse(word, out var kind);
            var isChild = parsed.GetValue(child);
            using var end = CancellationTokenSource.CreateLinkedTokenSource(ct);
            if (isChild)
                _ = Task.Run(() => EndWithInput(end), CancellationToken.None);
            var withPartitions = parsed.GetValue(partitions);
            if (withPartitions && !LabNetwork.IsPrivate)
            {
                if (await LabNetwork.WhyUnavailableAsync(end.Token) is not { } reason)
                {
                    IEnumerable<string> options = parsed.Tokens.Select(static token => token.Value).Where(static option => option != "--until-input-ends");
                    if (parsed.GetValue(seed) is null)
                        options = [.. options, "--seed", chosen.ToString(CultureInfo.InvariantCulture)];
                    return await RunInNetworkAsync(several!.Value, options, isChild, end.Token);
                }

                Console.Out.WriteLine($"soak {several!.Value.Word()}: the partitions are skipped. {reason}");
                withPartitions = false;
            }

            return await RunAsync(new SoakOptions(kind, TimeSpan.FromMinutes(parsed.GetValue(minutes)), chosen)
            {
                Cluster = several,
                // Three servers need more of the machine than one.
                AsyncWorkers = several is null ? 64 : 24,
                BlockingWorkers = several is null ? 16 : 8,
                WithPartitions = withPartitions,
                WithFaults = !parsed.GetValue(withoutFaults),
                Work = parsed.GetValue(work) ?? [],
                Faults = parsed.GetValue(faults) ?? [],
            }, isChild, end.Token);
        });
        return command.WithHelp(typeof(SoakCommand).Assembly);
    }

    private static double Minutes(ArgumentResult result) =>
        CommandWords.Number(result, static number => number is > 0 and <= 10_000, "--minutes is a number above 0, such as 10 or 0.5");

    private static void Check(OptionResult result, IEnumerable<string> names)
    {
        foreach (var token in result.Tokens)
        {
            if (!names.Contains(token.Value))
                result.AddError($"there is no '{token.Value}': {string.Join(", ", names)}");
        }
    }

    private static async Task<int> RunAsync(SoakOptions options, bool isChild, CancellationToken ct)
    {
        var journal = new Journal(Console.Out, "");
        journal.Say(string.Create(CultureInfo.InvariantCulture,
            $"soak {options.Name}: {options.Duration.TotalMinutes:0.##} minutes, {options.AsyncWorkers} asynchronous and {options.BlockingWorkers} "
                + $"blocking workers, seed {options.Seed}"));
        using var progress = ProgressLine.Create(options.Name, isChild);
        var run = new SoakRun(options, journal, progress.Report);
        var violations = await (options.Cluster is null ? run.RunAsync(ct) : run.RunClusterAsync(ct));
        return violations == 0 ? 0 : 1;
    }

    // Nothing can be installed from inside.
    private static async Task<int> RunInNetworkAsync(ClusterKind cluster, IEnumerable<string> options, bool isChild, CancellationToken ct)
    {
        await LabCluster.InstallAsync(cluster, ct);
        using var progress = ProgressLine.Create(cluster.Word(), isChild);
        return await ChildRun.RunAsync(LabNetwork.Inside, options, line =>
        {
            if (line.StartsWith(ProgressLine.Mark, StringComparison.Ordinal))
                progress.Report(line[ProgressLine.Mark.Length..]);
            else
                Console.Out.WriteLine(line);
        }, ct);
    }

    private static void EndWithInput(CancellationTokenSource end)
    {
        while (Console.In.ReadLine() is not null)
        {
        }

        end.Cancel();
    }
}
