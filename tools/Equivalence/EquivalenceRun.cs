using System.Diagnostics;
using System.Globalization;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;
using Slipstream.Lab;
using Trace = Slipstream.Equivalence.Running.Trace;

namespace Slipstream.Equivalence;

/// <summary>What a run does.</summary>
/// <param name="Kind">The server.</param>
/// <param name="Programs">How many; 0 for no limit.</param>
/// <param name="Duration">How long; null for no limit.</param>
/// <param name="Seed">The first program's; the others follow.</param>
/// <param name="Pairs">The pairs to take turns; empty for all.</param>
internal sealed record EquivalenceOptions(ServerKind Kind, int Programs, TimeSpan? Duration, long Seed, IReadOnlyList<string> Pairs)
{
    /// <summary>Worlds at the same time.</summary>
    public int Workers { get; init; } = 2;

    /// <summary>Findings after which the run ends.</summary>
    public int MostFindings { get; init; } = 5;

    /// <summary>Databases with this number and above are this run's.</summary>
    public int FirstWorld { get; init; } = 1;
}

/// <summary>One difference, as small as it could be made.</summary>
internal sealed record Finding(Pair Pair, EquivalenceProgram Program, Difference Difference, string Test);

/// <summary>Generates programs, runs each under two configurations, compares, and shrinks what differs.</summary>
internal sealed class EquivalenceRun(EquivalenceOptions options, LabServer server, Action<string> say)
{
    private static readonly TimeSpan LongestProgram = TimeSpan.FromSeconds(90);

    private readonly List<Finding> _findings = [];
    private readonly HashSet<string> _known = [];
    private readonly Lock _gate = new();
    private long _next;

    public Coverage Coverage { get; } = new();

    public IReadOnlyList<Finding> Findings => _findings;

    private bool IsPostgreSql => options.Kind == ServerKind.PostgreSql;

    public async Task RunAsync(CancellationToken ct)
    {
        var all = Pair.All(IsPostgreSql);
        var pairs = options.Pairs.Count == 0 ? all : [.. options.Pairs.Select(name => all.First(pair => pair.Name == name))];
        var began = Stopwatch.GetTimestamp();
        var worlds = new List<World>();
        try
        {
            for (var i = 0; i < options.Workers; i++)
                worlds.Add(await World.CreateAsync(server, options.FirstWorld + i));
            await Task.WhenAll(worlds.Select(world => Task.Run(async () =>
            {
                while (!ct.IsCancellationRequested && Findings.Count < options.MostFindings && !(options.Duration is { } limit && Stopwatch.GetElapsedTime(began) > limit))
                {
                    var number = Interlocked.Increment(ref _next) - 1;
                    if (options.Programs > 0 && number >= options.Programs)
                        return;
                    await Check(world, pairs[(int)(number % pairs.Count)], options.Seed + number);
                }
            }, CancellationToken.None)));
        }
        finally
        {
            foreach (var world in worlds)
                await world.DisposeAsync();
        }
    }

    private Generator GeneratorFor(World world, Pair pair) =>
        Generator.For(new(world.Database, world.Settings, options.Kind is ServerKind.MariaDb or ServerKind.MariaDb11, pair.IsPeer, pair.Second.Options.Contains("Batching=false", StringComparison.Ordinal) || pair.Second.Options.Contains("Pipelining", StringComparison.Ordinal)), IsPostgreSql);

    private async Task Check(World world, Pair pair, long seed)
    {
        var program = GeneratorFor(world, pair).Create(seed);
        Coverage.Add(program);
        var began = Stopwatch.GetTimestamp();
        var found = await DifferenceOf(world, pair, program);
        if (Stopwatch.GetElapsedTime(began) is { TotalSeconds: > 5 } slow)
            say(string.Create(CultureInfo.InvariantCulture, $"seed {seed}, pair {pair.Name}: {slow.TotalSeconds:0.0} s: {string.Join(", ", program.Steps.Select(static step => step.Kind))}"));
        if (found is not { } difference)
            return;
        say(string.Create(CultureInfo.InvariantCulture, $"seed {seed}, pair {pair.Name}: a difference; it is made smaller"));
        var smaller = await new Shrinker(async candidate => await DifferenceOf(world, pair, candidate) is not null).ShrinkAsync(program);
        // The one that is left must show it again: what timing alone has done is told as that.
        var again = await DifferenceOf(world, pair, smaller);
        Report(new(pair, smaller, again ?? difference, CSharpText.Test(smaller, IsPostgreSql, world.SetUp, pair.First.Options, pair.Second.Options)), again is not null, seed);
    }

    /// <summary>Runs a program on both sides.</summary>
    public static async Task<Difference?> DifferenceOf(World world, Pair pair, EquivalenceProgram program)
    {
        var first = await Traced(world, pair.First, program, pair.IsPeer);
        var second = await Traced(world, pair.Second, program, pair.IsPeer);
        return first is null || second is null
            ? new(Trace.AtEnd, first is null ? "it has not ended" : "", second is null ? "it has not ended" : "")
            : Difference.Between(first, second, pair);
    }

    private static async Task<Trace?> Traced(World world, Side side, EquivalenceProgram program, bool isAgainstPeer)
    {
        // Of its own, because a blocking step that never ends must not hold the run.
        var running = Task.Run(() => new Execution(program, side, world, isAgainstPeer).RunAsync());
        return await Task.WhenAny(running, Task.Delay(LongestProgram)) == running ? await running : null;
    }

    private void Report(Finding finding, bool isSteady, long seed)
    {
        lock (_gate)
        {
            var steps = string.Join(", ", finding.Program.Steps.Select(static step => step.Kind));
            // The same again tells nothing more.
            if (!_known.Add(string.Concat((finding.Difference.First + finding.Difference.Second).Where(static letter => !char.IsDigit(letter)))))
                return;
            _findings.Add(finding);
            say(string.Create(CultureInfo.InvariantCulture, $"""

                FINDING {_findings.Count} ({options.Kind.Word()}, seed {seed}, pair {finding.Pair.Name}{(isSteady ? "" : "; not shown again: timing may have decided")})
                  steps: {steps}
                  at step {(finding.Difference.Step == Trace.AtEnd ? "the end" : finding.Difference.Step.ToString(CultureInfo.InvariantCulture))}:
                    {finding.Pair.First.Name}: {finding.Difference.First}
                    {finding.Pair.Second.Name}: {finding.Difference.Second}
                {finding.Test}
                """));
        }
    }
}
