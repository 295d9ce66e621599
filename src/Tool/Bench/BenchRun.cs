using System.Diagnostics;
using Slipstream.Race.Measuring;

namespace Slipstream.Tool.Bench;

/// <summary>The measurements of a contender in one way of calling.</summary>
internal sealed record BenchResult(Contender Contender, bool IsAsync, IReadOnlyList<Sample> Samples)
{
    /// <summary>Returns a figure of this contender as a multiple of the same round of another.</summary>
    public Interval Ratio(BenchResult other, Func<Sample, double?> figure)
    {
        var theirs = other.Samples.ToDictionary(static sample => sample.Round);
        return Interval.Of(
            from sample in Samples
            where theirs.ContainsKey(sample.Round)
            let mine = figure(sample)
            let reference = figure(theirs[sample.Round])
            where mine is not null && reference is > 0
            select mine.Value / reference.Value);
    }

    public Interval Median(Func<Sample, double?> figure) => Interval.Of(Samples.Select(figure).OfType<double>());
}

/// <summary>
/// Runs all contenders interleaved in one process, as the race does: a round gives each the same time, in slices that alternate (A B C, C B A, …), so that
/// other work on the machine affects all alike.
/// </summary>
internal sealed class BenchRun(BenchQuery query, IReadOnlyList<Contender> contenders, int rounds, TimeSpan block)
{
    private const int SlicesPerRound = 8;
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(400);

    public IReadOnlyList<BenchResult> Run(bool isAsync, CancellationToken cancellationToken)
    {
        Prepare(isAsync);
        var laps = contenders.ToDictionary(static one => one, _ => Enumerable.Range(0, rounds).Select(static _ => new List<Lap>()).ToList());
        for (var round = 0; round < rounds; round++)
        {
            var sizes = contenders.Select(static one => Slices.Of(one.Count, SlicesPerRound, least: 1)).ToArray();
            GC.Collect();
            for (var slice = 0; slice < sizes.Max(static size => size.Length); slice++)
            {
                for (var turn = 0; turn < contenders.Count; turn++)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    var place = Slices.Contestant(round, slice, turn, contenders.Count);
                    var contender = contenders[place];
                    if (slice < sizes[place].Length && contender.Error is null)
                        Try(contender, () => laps[contender][round].Add(contender.Measure(query, isAsync, sizes[place][slice])));
                }
            }
        }

        return
        [
            .. contenders.Select(contender => new BenchResult(
                contender, isAsync,
                [.. laps[contender].Select(static (of, round) => (of, round)).Where(static one => one.of.Count > 0).Select(static one =>
                    Sample.Of(one.round, one.of))])),
        ];
    }

    // Each contender must return as many rows as Slipstream. Then all run in turn until the runtime has compiled what they use.
    private void Prepare(bool isAsync)
    {
        var expected = -1;
        foreach (var contender in contenders)
            Try(contender, () =>
            {
                var rows = isAsync ? Task.Run(() => contender.RunAsync(query, 1)).GetAwaiter().GetResult() : contender.Run(query, 1);
                if (expected < 0)
                    expected = rows;
                else if (rows != expected)
                    contender.Error = $"returned {rows} rows, Slipstream {expected}";
            });
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < WarmUp * contenders.Count)
            foreach (var contender in contenders.Where(static one => one.Error is null))
                Try(contender, () => contender.Measure(query, isAsync, 1));
        foreach (var contender in contenders.Where(static one => one.Error is null))
            Try(contender, () =>
            {
                var lap = contender.Measure(query, isAsync, SlicesPerRound);
                contender.Count = Math.Max((int)(block.TotalMicroseconds / Math.Max(lap.Wall / lap.Count, 1)), 1);
            });
    }

    // A contender that fails leaves the run; without Slipstream there is nothing to compare with.
    private static void Try(Contender contender, Action action)
    {
        if (contender.Error is not null)
            return;
        try
        {
            action();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            contender.Error = $"{exception.GetType().Name}: {exception.Message.ReplaceLineEndings(" ")}";
        }
    }
}
