using Slipstream.Race.Measuring;
using Slipstream.Tool.Connections;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Bench;

/// <summary>Prints the figures of a bench.</summary>
internal static class BenchReport
{
    /// <summary>The version of the JSON document's form. It changes when a member is removed or gets another meaning.</summary>
    private const int Schema = 1;

    private static readonly (string Name, Func<Sample, double?> Of)[] Figures =
    [
        ("wall", static sample => sample.Wall),
        ("cpu", static sample => sample.Cpu),
        ("allocated", static sample => sample.Allocated),
    ];

    public static void Print(Terminal terminal, IReadOnlyList<BenchResult> results, int rounds)
    {
        terminal.Table(
            ["driver", "calls", "wall µs", "CPU µs", "bytes", "wall ×", "CPU ×", "bytes ×"],
            results.Select(one => RowOf(one, Base(results, one))),
            $"Per execution, medians of {rounds} interleaved rounds; × is the driver as a multiple of Slipstream, with the 95 % interval");
        foreach (var contender in results.Select(static one => one.Contender).Distinct())
        {
            if (contender.Error is { } error)
                terminal.Error($"slipstream: {contender.Name}: {error}");
            if (contender.LeftOut.Count > 0)
                terminal.Error($"slipstream: {contender.Name} runs without options that it does not know: {string.Join(", ", contender.LeftOut)}");
        }

        terminal.Line();
        terminal.Line("Compare ratios, not times: other work on this machine affects all drivers of a run alike. Every value of every row is read.");
    }

    public static void PrintJson(Terminal terminal, Target target, IReadOnlyList<BenchResult> results, int rounds, int exitCode) => terminal.Json(new
    {
        Schema,
        Command = "bench",
        Provider = target.ProviderName,
        Rounds = rounds,
        Results = results.Select(one => new
        {
            Driver = one.Contender.Name,
            one.Contender.Version,
            Calls = CallsOf(one),
            one.Contender.Error,
            OptionsLeftOut = one.Contender.LeftOut,
            Operations = one.Samples.Sum(static sample => sample.Count),
            Microseconds = Finite(one.Median(static sample => sample.Wall)),
            CpuMicroseconds = Finite(one.Median(static sample => sample.Cpu)),
            Bytes = Finite(one.Median(static sample => sample.Allocated)),
            Ratios = Base(results, one) is { } reference && reference != one
                ? Figures.ToDictionary(static figure => figure.Name, figure => Finite(one.Ratio(reference, figure.Of)))
                : null,
        }),
        ExitCode = exitCode,
    });

    // JSON has no NaN.
    private static object? Finite(Interval interval) => double.IsNaN(interval.Median) ? null : new { interval.Median, interval.Low, interval.High };

    private static BenchResult? Base(IReadOnlyList<BenchResult> results, BenchResult one) => results.FirstOrDefault(other => other.IsAsync == one.IsAsync);

    private static string CallsOf(BenchResult result) => result.IsAsync ? "async" : "sync";

    private static Cell[] RowOf(BenchResult one, BenchResult? reference)
    {
        var row = new List<Cell> { $"{one.Contender.Name} {one.Contender.Version}", CallsOf(one) };
        foreach (var (_, of) in Figures)
            row.Add(one.Median(of) is { Median: not double.NaN } median ? $"{median.Median:0.0}" : "-");
        foreach (var (_, of) in Figures)
            row.Add(reference is null || reference == one || one.Ratio(reference, of) is not { Median: not double.NaN } ratio
                ? "-"
                : $"{ratio.Median:0.00} ({ratio.Low:0.00}–{ratio.High:0.00})");
        return [.. row];
    }
}
