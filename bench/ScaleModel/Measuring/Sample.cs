using Slipstream.Bench;

namespace Slipstream.ScaleModel.Measuring;

/// <summary>The figures of a block: processor times and sleeps per operation, times in microseconds.</summary>
internal sealed record Sample(
    double PerSecond, double Median, double P99, double ClientCpu, double ServerCpu, double Sleeps, double Collections, double Collection, double Bytes)
{
    /// <summary>Returns the medians of several samples.</summary>
    public static Sample MedianOf(IReadOnlyList<Sample> samples)
    {
        double Of(Func<Sample, double> figure) => Rounds.Median(samples.Select(figure));
        return new(
            Of(static one => one.PerSecond), Of(static one => one.Median), Of(static one => one.P99), Of(static one => one.ClientCpu),
            Of(static one => one.ServerCpu), Of(static one => one.Sleeps), Of(static one => one.Collections), Of(static one => one.Collection),
            Of(static one => one.Bytes));
    }

    /// <summary>
    /// Returns the best figure of several samples, each by itself: other programs only ever make times longer. Collections are rare, so they are a mean.
    /// </summary>
    public static Sample BestOf(IReadOnlyList<Sample> samples) => MedianOf(samples) with
    {
        PerSecond = samples.Max(static one => one.PerSecond),
        Median = samples.Min(static one => one.Median),
        P99 = samples.Min(static one => one.Median) * samples.Min(static one => one.P99 / one.Median),
        ClientCpu = samples.Min(static one => one.ClientCpu),
        ServerCpu = samples.Min(static one => one.ServerCpu),
        Collections = samples.Average(static one => one.Collections),
        Collection = samples.Select(static one => one.Collection).Where(static one => one > 0).DefaultIfEmpty().Min(),
    };
}
