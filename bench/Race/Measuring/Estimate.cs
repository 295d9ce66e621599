using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>Estimates the duration of heats before they start.</summary>
internal static class Estimate
{
    // The warm-up and calibration of a short scenario, in blocks.
    private const double Preparation = 2.5;

    // Connecting, and threads and collections between slices.
    private static readonly TimeSpan PerCell = TimeSpan.FromMilliseconds(60);

    // Opening the sessions of one contestant again, for each of its workers, and their first operations.
    private static readonly TimeSpan PerWorker = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan PerSeating = TimeSpan.FromMilliseconds(15);

    // One operation through the counting proxy.
    private static readonly TimeSpan Counted = TimeSpan.FromMilliseconds(0.6);

    public static TimeSpan Of(IEnumerable<IReadOnlyList<Cell>> heats, Func<Scenario, int> rounds) =>
        heats.SelectMany(cells => cells, (cells, cell) => Of(cell, rounds(cell.Scenario), cells.Count)).Aggregate(TimeSpan.Zero, (sum, one) => sum + one);

    private static TimeSpan Of(Cell cell, int rounds, int contestants)
    {
        var scenario = cell.Scenario;
        var reopened = Seatings.Of(scenario, contestants) - 1;
        var preparation = scenario.Count is null && !scenario.OwnProcess ? Preparation : 0;
        return PerCell + reopened * (PerSeating + PerWorker * scenario.Workers) + scenario.Block * (rounds + preparation) + Counted * scenario.Counted;
    }
}
