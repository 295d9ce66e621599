using Slipstream.Bench;

namespace Slipstream.WebRace;

/// <summary>The figures of a contestant on one page.</summary>
/// <param name="Cell">Where and how it was measured.</param>
/// <param name="Name">The contestant.</param>
/// <param name="Samples">A sample for each round.</param>
/// <param name="Ours">Slipstream's samples of the same rounds; null for Slipstream itself and for the floor.</param>
/// <param name="Floor">The floor's samples of the same rounds; null if it does not take part.</param>
internal sealed record Row(Cell Cell, string Name, IReadOnlyList<Sample> Samples, IReadOnlyList<Sample>? Ours, IReadOnlyList<Sample>? Floor)
{
    public double PerSecond => Rounds.Median(Samples.Select(static one => one.PerSecond));

    public double MedianLatency => Rounds.Median(Samples.Select(static one => one.Median));

    public double SlowestLatency => Rounds.Median(Samples.Select(static one => one.Slowest));

    public double Cpu => Rounds.Median(Samples.Select(static one => one.Cpu));

    public double Bytes => Rounds.Median(Samples.Select(static one => one.Bytes));

    public double WakeUps => Rounds.Median(Samples.Select(static one => one.WakeUps));

    public long Failed => Samples.Sum(static one => one.Failed);

    /// <summary>Slipstream's processor time beyond the floor's, as a multiple of this contestant's.</summary>
    public double? CpuBeyondFloor => BeyondFloor(static one => one.Cpu);

    /// <summary>Slipstream's wake-ups beyond the floor's, as a multiple of this contestant's.</summary>
    public double? WakeUpsBeyondFloor => BeyondFloor(static one => one.WakeUps);

    /// <summary>Slipstream's requests per second as a multiple of this contestant's.</summary>
    public double? Measured => Ratio(static one => one.PerSecond);

    /// <summary>The same, as the processor times of the sites predict it: a site that is the bottleneck answers as many requests as its time allows.</summary>
    public double? Predicted => Ratio(static one => 1 / one.Cpu);

    /// <summary>Slipstream's slowest latency as a multiple of this contestant's.</summary>
    public double? SlowestRatio => Ratio(static one => one.Slowest);

    private double? Ratio(Func<Sample, double> figure) =>
        Ours is null ? null : Rounds.Median(Samples.Zip(Ours, (theirs, ours) => figure(ours) / figure(theirs)));

    private double? BeyondFloor(Func<Sample, double> figure) => Ours is null || Floor is null ? null
        : Rounds.Median(Samples.Zip(Ours, Floor).Select(one => (figure(one.Second) - figure(one.Third)) / (figure(one.First) - figure(one.Third))));
}

/// <summary>Where and how a page was measured.</summary>
internal sealed record Cell(string Server, string Settings, string Page, int Connections, Seating Seating);
