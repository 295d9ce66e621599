using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Measuring;

/// <summary>About how long heats take, told before they start.</summary>
internal static class Estimate
{
    // Warming and calibrating of a short scenario, in blocks.
    private const double Preparation = 2.5;

    // Connecting, and threads and collections between slices.
    private static readonly TimeSpan PerCell = TimeSpan.FromMilliseconds(60);

    // One operation through the counting proxy.
    private static readonly TimeSpan Counted = TimeSpan.FromMilliseconds(0.6);

    public static TimeSpan Of(IEnumerable<IReadOnlyList<Cell>> heats, Func<Scenario, int> rounds) =>
        heats.SelectMany(cells => cells).Aggregate(TimeSpan.Zero, (sum, cell) => sum + Of(cell, rounds(cell.Scenario)));

    private static TimeSpan Of(Cell cell, int rounds)
    {
        var scenario = cell.Scenario;
        var preparation = scenario.Count is null && !scenario.OwnProcess ? Preparation : 0;
        return PerCell + scenario.Block * (rounds + preparation) + Counted * scenario.Counted;
    }
}
