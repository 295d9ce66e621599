using System.CommandLine;
using System.Diagnostics;
using Slipstream.Fuzzing.Engine;
using Slipstream.Lab;

namespace Slipstream.Fuzzing;

/// <summary>The command line; <c>eng/help/fuzz.txt</c> describes it.</summary>
internal static class FuzzCommand
{
    private const int Clean = 0, Found = 1, Misused = 2;

    public static RootCommand Create()
    {
        var seconds = new Option<double?>("--seconds");
        var executions = new Option<long?>("--executions");
        var target = new Option<string[]>("--target");
        var level = new Option<FuzzLevel?>("--level");
        var seed = new Option<ulong?>("--seed");
        var list = new Option<bool>("--list");
        var replay = new Option<FileInfo?>("--replay");
        var collect = new Option<bool>("--collect-crashes") { Hidden = true };
        var command = new RootCommand
        {
            seconds, executions, target, level, seed, list, replay, collect,
        };
        command.SetAction((parsed, stop) => Task.FromResult(parsed.GetValue(collect)
            ? CollectCrashes()
            : Act(
                parsed.GetValue(seconds), parsed.GetValue(executions), parsed.GetValue(target) ?? [], parsed.GetValue(level), parsed.GetValue(seed),
                parsed.GetValue(list), parsed.GetValue(replay), stop)));
        return command.WithHelp(typeof(FuzzCommand).Assembly);
    }

    private static int Act(
        double? seconds, long? executions, string[] names, FuzzLevel? level, ulong? seed, bool list, FileInfo? replay, CancellationToken stop)
    {
        if (Choose(names, level) is not { } targets)
            return Misused;
        if (list)
        {
            foreach (var target in targets)
                Console.WriteLine($"{target.Name,-32} {target.Level.ToString().ToLowerInvariant()}");
            return Clean;
        }

        if (seconds is <= 0 or > 1e7 || double.IsNaN(seconds ?? 0) || executions is <= 0)
            return Misuse("--seconds and --executions must be above 0.");
        if (replay is not null)
            return targets.Count != 1 ? Misuse("--replay needs the one --target whose input the file holds.") : Replay(targets[0], replay);
        return Run(targets, seconds, executions, seed ?? (ulong)Random.Shared.NextInt64(1, 1L << 31), stop);
    }

    private static int Run(List<IFuzzTarget> targets, double? seconds, long? executions, ulong seed, CancellationToken stop)
    {
        var limits = new FuzzLimits(
            seconds is { } given ? TimeSpan.FromSeconds(given) : executions is null ? TimeSpan.FromSeconds(10) : TimeSpan.MaxValue, executions ?? long.MaxValue,
            seed);
        Console.WriteLine($"seed {seed}; {targets.Count} targets, {Math.Min(Environment.ProcessorCount, targets.Count)} at a time");
        var clock = Stopwatch.StartNew();
        var results = new FuzzRun(limits)
        {
            Ended = Show,
            Found = static finding => Console.WriteLine($"FINDING {finding}"),
            Hung = static finding =>
            {
                Console.WriteLine($"FINDING {finding}\nfuzz: stopped by an execution that hangs, 1 finding at least");
                Environment.Exit(Found);
            },
        }.Run(targets, stop);
        var findings = results.Sum(static result => result.Findings.Count);
        var interrupted = stop.IsCancellationRequested ? "interrupted; " : "";
        Console.WriteLine(
            $"fuzz: {interrupted}{results.Count} of {targets.Count} targets, {results.Sum(static result => result.Executions):N0} executions, "
                + $"{results.Sum(static result => result.States):N0} states, "
            + $"{findings} finding{(findings == 1 ? "" : "s")} in {clock.Elapsed.TotalSeconds:N1} s (seed {seed})");
        return findings > 0 || results.Count == 0 ? Found : Clean;
    }

    private static void Show(TargetResult result) => Console.WriteLine(
        $"{result.Target,-32} {result.Executions,13:N0} executions {result.Executions / result.Elapsed.TotalSeconds,11:N0}/s {result.States,7:N0} states "
            + $"{result.Findings.Count,3} findings {result.Elapsed.TotalSeconds,8:N1} s");

    private static int Replay(IFuzzTarget target, FileInfo file)
    {
        if (!file.Exists)
            return Misuse($"there is no file {file.FullName}.");
        var input = File.ReadAllBytes(file.FullName);
        if (input.Length > Mutator.MostLength)
            return Misuse($"{file.FullName} has {input.Length:N0} bytes; inputs have at most {Mutator.MostLength:N0}.");
        using var memory = new GuardedMemory(FindingStore.Running, target.Name);
        using var watchdog = new Timer(_ =>
        {
            Console.WriteLine($"FINDING {target.Name}: one execution does not end");
            Environment.Exit(Found);
        }, null, TimeSpan.FromSeconds(30), Timeout.InfiniteTimeSpan);
        var executor = new Executor(target, memory);
        if (executor.Execute(input, twice: true) is not { } fault)
        {
            Console.WriteLine($"fuzz: {target.Name} does nothing wrong with {input.Length:N0} bytes ({executor.States.Count} states)");
            return Clean;
        }

        Console.WriteLine($"FINDING {target.Name}: {fault.Text}\nfuzz: 1 finding");
        return Found;
    }

    private static int CollectCrashes()
    {
        var findings = FindingStore.CollectCrashes();
        foreach (var finding in findings)
            Console.WriteLine($"FINDING {finding}");
        Console.WriteLine($"fuzz: the process died; {findings.Count} input{(findings.Count == 1 ? " was" : "s were")} under way");
        return Found;
    }

    private static List<IFuzzTarget>? Choose(string[] names, FuzzLevel? level)
    {
        var chosen = new List<IFuzzTarget>();
        foreach (var name in names)
        {
            if (!FuzzTargets.All.Any(target => IsMeant(target, name)))
            {
                Misuse($"there is no target '{name}'; ./fuzz --list shows those there are.");
                return null;
            }
        }

        foreach (var target in FuzzTargets.All)
        {
            if ((names.Length == 0 || names.Any(name => IsMeant(target, name))) && (level is null || target.Level == level))
                chosen.Add(target);
        }

        return chosen;
    }

    private static bool IsMeant(IFuzzTarget target, string name) =>
        name.EndsWith('*') ? target.Name.StartsWith(name[..^1], StringComparison.Ordinal) : target.Name == name;

    private static int Misuse(string what)
    {
        Console.Error.WriteLine($"fuzz: {what}\n  What to do: see ./fuzz --help");
        return Misused;
    }
}
