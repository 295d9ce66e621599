using Slipstream.Bench;

namespace Slipstream.PeerRace;

/// <summary>The figures of a contestant in a cell.</summary>
/// <param name="Cell">Where and how it was measured.</param>
/// <param name="Name">The contestant.</param>
/// <param name="Mode">sync or async.</param>
/// <param name="Version">The driver's version; null if it did not start.</param>
/// <param name="Samples">A sample for each round.</param>
/// <param name="Sync">The samples of Slipstream's blocking calls in the same rounds; null if they did not take part, and for Slipstream itself.</param>
/// <param name="Async">The same of its asynchronous calls.</param>
/// <param name="Error">Why there are no figures; null if there are.</param>
internal sealed record Row(
    Cell Cell, string Name, string Mode, string? Version, IReadOnlyList<Sample> Samples, IReadOnlyList<Sample>? Sync, IReadOnlyList<Sample>? Async,
    string? Error)
{
    public double PerSecond => Rounds.Median(Samples.Select(static one => one.PerSecond));

    public double Cpu => Rounds.Median(Samples.Select(static one => one.Cpu));

    public double WakeUps => Rounds.Median(Samples.Select(static one => one.WakeUps));

    /// <summary>The operations per second of Slipstream's blocking calls, as a multiple of the row's.</summary>
    public Spread? SyncPerSecond => Ratio(Sync, static one => one.PerSecond);

    /// <summary>The processor time of Slipstream's blocking calls, as a multiple of the row's.</summary>
    public Spread? SyncCpu => Ratio(Sync, static one => one.Cpu);

    public Spread? AsyncPerSecond => Ratio(Async, static one => one.PerSecond);

    public Spread? AsyncCpu => Ratio(Async, static one => one.Cpu);

    private Spread? Ratio(IReadOnlyList<Sample>? ours, Func<Sample, double> figure) =>
        ours is null || Samples.Count == 0 ? null : Spread.Of([.. Samples.Zip(ours, (theirs, own) => figure(own) / figure(theirs))]);
}

/// <summary>Where and how an operation was measured.</summary>
internal sealed record Cell(string Server, string Scenario, int Callers, Seating Seating);
