using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Gateways;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;
using Slipstream.Lab;
using Trace = Slipstream.Equivalence.Running.Trace;

namespace Slipstream.Equivalence;

/// <summary>The settings of a run.</summary>
/// <param name="Kind">The server.</param>
/// <param name="Programs">The number of programs; 0: no limit.</param>
/// <param name="Duration">The duration; null: no limit.</param>
/// <param name="Seed">The seed of the first program; the others follow.</param>
/// <param name="Pairs">The names of the pairs; empty: all.</param>
internal sealed record EquivalenceOptions(ServerKind Kind, int Programs, TimeSpan? Duration, long Seed, IReadOnlyList<string> Pairs)
{
    /// <summary>Gets the number of programs that run at the same time, each in its own world (default: 2).</summary>
    public int Workers { get; init; } = 2;

    /// <summary>Gets the number of findings after which the run ends (default: 5).</summary>
    public int MostFindings { get; init; } = 5;

    /// <summary>Gets the number of the run's first database (default: 1).</summary>
    public int FirstWorld { get; init; } = 1;
}

/// <summary>A difference, with the reduced program that shows it.</summary>
internal sealed record Finding(Pair Pair, EquivalenceProgram Program, Difference Difference, string Test);

/// <summary>Generates programs, runs each under two configurations, compares the answers, and reduces the programs that show a difference.</summary>
internal sealed class EquivalenceRun(EquivalenceOptions options, LabServer server, Action<string> say)
{
    // The number of programs of a pair that run one after another in the same pools.
    private const int InARow = 48;

    private static readonly TimeSpan LongestProgram = TimeSpan.FromSeconds(90);
    private static readonly TimeSpan LongestNewTables = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LongestShrinking = TimeSpan.FromMinutes(3);

    private readonly List<Finding> _findings = [];
    private readonly HashSet<string> _known = [];
    private readonly Lock _gate = new();
    private readonly long _began = Stopwatch.GetTimestamp();
    private long _nextRow;
    private int _worlds;

    public Coverage Coverage { get; } = new();

    /// <summary>Gets what became of refused commands.</summary>
    public RefusalCounts Refusals { get; } = new();

    public IReadOnlyList<Finding> Findings => _findings;

    /// <summary>Gets the number of differences that repeat a finding.</summary>
    public int Repeated { get; private set; }

    /// <summary>
    /// Gets the number of differences that did not occur again, with or without the earlier programs. Timing or the check itself caused them.
    /// </summary>
    public int Unsteady { get; private set; }

    /// <summary>Gets the time since the start of the run.</summary>
    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_began);

    private bool IsPostgreSql => options.Kind.IsPostgreSql();

    private bool IsCompleted(CancellationToken ct) => ct.IsCancellationRequested || Findings.Count >= options.MostFindings || Elapsed > options.Duration;

    public async Task RunAsync(CancellationToken ct)
    {
        var all = Pair.All(IsPostgreSql);
        var pairs = options.Pairs.Count == 0 ? all : [.. options.Pairs.Select(name => all.First(pair => pair.Name == name))];
        using var ended = new CancellationTokenSource();
        var telling = ReportProgress(ended.Token);
        await Task.WhenAll(Enumerable.Range(0, options.Workers).Select(_ => Task.Run(() => Work(pairs, ct), CancellationToken.None)));
        await ended.CancelAsync();
        await telling;
    }

    private async Task ReportProgress(CancellationToken ended)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMinutes(1));
        try
        {
            while (await timer.WaitForNextTickAsync(ended))
                say(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{options.Kind.Word()}, {Elapsed.TotalMinutes:0} min: {Coverage}, {_findings.Count} findings, "
                            + $"{Coverage.Programs / Elapsed.TotalSeconds:0.0} programs/s"));
        }
        catch (OperationCanceledException)
        {
        }
    }

    private Task<World> NewWorld() => World.CreateAsync(server, options.FirstWorld + Interlocked.Increment(ref _worlds) - 1, Refusals);

    // Program n has pair n modulo the number of pairs. A worker takes a series of programs of the same pair, so that they can share pools.
    private async Task Work(IReadOnlyList<Pair> pairs, CancellationToken ct)
    {
        await using var usual = new Place(NewWorld);
        // After a program that changes the types of the database, every data source must be made anew. A world of their own spares the other programs that.
        await using var changing = new Place(NewWorld);
        while (!IsCompleted(ct))
        {
            var row = Interlocked.Increment(ref _nextRow) - 1;
            var pair = pairs[(int)(row % pairs.Count)];
            var first = row / pairs.Count * InARow * pairs.Count + row % pairs.Count;
            if (options.Programs > 0 && row / pairs.Count * InARow * pairs.Count >= options.Programs)
                return;
            for (var i = 0; i < InARow && !IsCompleted(ct); i++)
            {
                var number = first + (long)i * pairs.Count;
                if (options.Programs > 0 && number >= options.Programs)
                    break;
                await Check(usual, changing, pair, options.Seed + number);
            }

            await usual.ClosePoolsAsync();
            await changing.ClosePoolsAsync();
        }
    }

    private Generator GeneratorFor(World world, Pair pair)
    {
        var oneByOne =
            pair.Second.Options.Contains("Batching=false", StringComparison.Ordinal) || pair.Second.Options.Contains("Pipelining", StringComparison.Ordinal);
        return Generator.For(
            new(world.Database, world.Settings, options.Kind is ServerKind.MariaDb or ServerKind.MariaDb11, pair.IsPeer, oneByOne, pair.Merges), IsPostgreSql);
    }

    private EquivalenceProgram ProgramOf(World world, Pair pair, long seed)
    {
        var program = GeneratorFor(world, pair).Create(seed);
        return pair.Refuses ? Refusing.Plant(program, IsPostgreSql) : program;
    }

    private async Task Check(Place usual, Place changing, Pair pair, long seed)
    {
        var place = usual;
        var world = await usual.WorldAsync();
        var program = ProgramOf(world, pair, seed);
        if (world.ChangesTypes(program))
        {
            place = changing;
            world = await changing.WorldAsync();
            program = ProgramOf(world, pair, seed);
        }

        Coverage.Add(program);
        try
        {
            await world.BeforeProgramAsync();
            var pools = await place.PoolsAsync(pair);
            var began = Stopwatch.GetTimestamp();
            var earlier = pools.Earlier(program.PoolSize);
            var found = await pools.DifferenceOf(program, LongestProgram);
            if (Stopwatch.GetElapsedTime(began) is { TotalSeconds: > 20 } slow)
                say(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{options.Kind.Word()}, seed {seed}, pair {pair.Name}: {slow.TotalSeconds:0.0} s: "
                            + $"{string.Join(", ", program.Steps.Select(static step => step.Kind))}"));
            if (found is not { } difference)
                return;
            await place.ClosePoolsAsync();
            await Examine(world, pair, program, earlier, difference);
        }
        catch (Exception exception) when (exception is DbException or InvalidOperationException or TimeoutException or IOException)
        {
            Report(
                new(pair, program, new(Trace.AtEnd, "", ""), pair.AsCSharp(program, world.Stage)),
                $"it did not end: {exception.GetType().Name}: {exception.Message}", seed);
            place.Abandon();
        }
    }

    // Runs the program again, alone or after the earlier programs of its pool, and with thorough or normal comparison.
    private async Task Examine(World world, Pair pair, EquivalenceProgram program, IReadOnlyList<EquivalenceProgram> earlier, Difference difference)
    {
        if (IsKnown(difference))
            return;
        say(string.Create(CultureInfo.InvariantCulture, $"{options.Kind.Word()}, seed {program.Seed}, pair {pair.Name}: a difference; reducing the program"));
        EquivalenceProgram[] candidates = earlier.Count == 0 ? [program] : [program, Behind(program, earlier)];
        foreach (var manner in (Manner[])[new(IsThorough: true), default])
        {
            foreach (var candidate in candidates)
            {
                if (await DifferenceOf(world, pair, candidate, manner with { Anew = true, InDetail = true }) is null)
                    continue;
                var began = Stopwatch.GetTimestamp();
                var smaller = await new Shrinker(
                    async fewer => Stopwatch.GetElapsedTime(began) < LongestShrinking && await DifferenceOf(world, pair, fewer, manner) is not null)
                        .ShrinkAsync(candidate);
                // The reduced program must show the difference again; otherwise timing may have caused it.
                var again = await DifferenceOf(world, pair, smaller, manner with { Anew = true, InDetail = true });
                Report(
                    new(pair, smaller, again ?? difference, pair.AsCSharp(smaller, world.Stage)),
                    again is not null ? "" : "not reproduced: timing may have caused it", program.Seed);
                return;
            }
        }

        lock (_gate)
            Unsteady++;
        say(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{options.Kind.Word()}, seed {program.Seed}, pair {pair.Name}: not reproduced: {difference.First} <> {difference.Second}\n  steps: "
                    + $"{string.Join(", ", program.Steps.Select(static step => step.Kind))}"));
    }

    /// <summary>Returns a program that starts with earlier programs of the same pool.</summary>
    public static EquivalenceProgram Behind(EquivalenceProgram program, IReadOnlyList<EquivalenceProgram> earlier) => program with
    {
        Steps = [.. earlier.SelectMany(static before => before.Steps.Append(new NewTablesStep())), .. program.Steps],
    };

    /// <summary>
    /// Returns the time limit of a program. On a busy server, making the tables anew takes seconds, and after the earlier programs of its pool it is done up to
    /// 47 times.
    /// </summary>
    public static TimeSpan LongestOf(EquivalenceProgram program) =>
        LongestProgram + LongestNewTables * program.Steps.Count(static step => step is NewTablesStep);

    /// <summary>Runs a program on both sides, each with its own sessions.</summary>
    public static Task<Difference?> DifferenceOf(World world, Pair pair, EquivalenceProgram program, Manner manner = default) =>
        DifferenceOf(pair, program, (run, side) => Traced(new(run, side, world, pair.IsPeer, manner), null, LongestOf(program)), world.Stage.IsPostgreSql);

    /// <summary>Runs a program on both sides.</summary>
    /// <param name="pair">The sides.</param>
    /// <param name="program">The program.</param>
    /// <param name="run">Runs a program on one side.</param>
    /// <param name="isPostgreSql">Whether the server is PostgreSQL.</param>
    public static async Task<Difference?> DifferenceOf(
        Pair pair, EquivalenceProgram program, Func<EquivalenceProgram, Side, Task<Trace>> run, bool isPostgreSql)
    {
        if (!pair.Refuses)
            return Difference.Between(await run(program, pair.First), await run(program, pair.Second), pair);
        // What the driver reports about the refusals decides what the reference must do.
        var refused = await run(program, pair.Second);
        var reference = await run(Refusing.Reference(program, refused, isPostgreSql), pair.First);
        return Difference.Between(reference.Without(refused.Refusals.Keys), refused.Without(refused.Refusals.Keys), pair);
    }

    /// <summary>Returns the trace of one side, or throws if the program does not end in time.</summary>
    public static async Task<Trace> Traced(Execution execution, SharedSource? source, TimeSpan longest)
    {
        // On another thread, because a blocking step that never ends must not hold the run.
        var running = Task.Run(() => execution.RunAsync(source));
        if (await Task.WhenAny(running, Task.Delay(longest)) == running)
            return await running;
        throw new TimeoutException(string.Create(CultureInfo.InvariantCulture, $"{execution.Where} after {longest.TotalSeconds:0} s"));
    }

    private static string Words(Difference difference) => string.Concat((difference.First + difference.Second).Where(static letter => !char.IsDigit(letter)));

    // A repeated difference is only counted.
    private bool IsKnown(Difference difference)
    {
        lock (_gate)
        {
            if (_known.Add(Words(difference)))
                return false;
            Repeated++;
            return true;
        }
    }

    private void Report(Finding finding, string remark, long seed)
    {
        lock (_gate)
        {
            if (_findings.Any(known => Words(known.Difference) == Words(finding.Difference) && remark.Length == 0))
            {
                Repeated++;
                return;
            }

            _known.Add(Words(finding.Difference));
            _findings.Add(finding);
            var steps = string.Join(", ", finding.Program.Steps.Select(static step => step.Kind));
            say(string.Create(CultureInfo.InvariantCulture, $"""

                FINDING {_findings.Count} ({options.Kind.Word()}, seed {seed}, pair {finding.Pair.Name}{(remark.Length == 0 ? "" : "; " + remark)})
                  steps: {steps}
                  at step {(finding.Difference.Step == Trace.AtEnd ? "the end" : finding.Difference.Step.ToString(CultureInfo.InvariantCulture))}:
                    {finding.Pair.First.Name}: {finding.Difference.First}
                    {finding.Pair.Second.Name}: {finding.Difference.Second}
                {finding.Test}
                """));
        }
    }
}
