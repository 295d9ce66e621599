using Slipstream.Bench;

namespace Slipstream.EfRace;

/// <summary>The figures of a contestant in a scenario.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Mode">sync, async, or - where there is one form only.</param>
/// <param name="Server">The server.</param>
/// <param name="Provider">The contestant.</param>
/// <param name="Samples">A sample for each round.</param>
/// <param name="Ours">Slipstream's samples of the same rounds; null for Slipstream itself.</param>
/// <param name="RoundTrips">Round trips of an operation; null if they are not counted.</param>
internal sealed record Row(
    string Scenario, string Mode, string Server, string Provider, IReadOnlyList<Sample> Samples, IReadOnlyList<Sample>? Ours, double? RoundTrips)
{
    public double Wall => Median(Samples, static sample => sample.Wall);

    public double Cpu => Median(Samples, static sample => sample.Cpu);

    public double Bytes => Median(Samples, static sample => sample.Bytes);

    /// <summary>Slipstream's time as a multiple of this one: the median of the rounds' ratios.</summary>
    public double? WallRatio => Ratio(static sample => sample.Wall);

    public double? CpuRatio => Ratio(static sample => sample.Cpu);

    public double? BytesRatio => Ratio(static sample => sample.Bytes);

    private double? Ratio(Func<Sample, double> figure) => Ours is null ? null : Median(
        Samples.Zip(Ours), pair => figure(pair.First) > 0 ? figure(pair.Second) / figure(pair.First) : double.NaN);

    private static double Median<T>(IEnumerable<T> samples, Func<T, double> figure) => Rounds.Median(samples.Select(figure));
}
