namespace Slipstream.Race.Measuring;

/// <summary>The measurement of one slice, for all its operations together. Times are in microseconds, sizes in bytes.</summary>
/// <param name="Latencies">The durations of the single operations in microseconds, if the scenario records them.</param>
internal sealed record Lap(int Count, double Wall, double Cpu, double? Allocated, int? Gen0, double[] Latencies);

/// <summary>
/// One round of one contestant. Times are in microseconds per operation, sizes in bytes per operation, and collections are those of the whole round.
/// </summary>
internal sealed record Sample(int Round, int Count, double Wall, double Cpu, double? Allocated, int? Gen0, double? P50, double? P99)
{
    /// <summary>Returns the slices of a round as one sample.</summary>
    public static Sample Of(int round, IReadOnlyList<Lap> laps)
    {
        var count = laps.Sum(lap => lap.Count);
        var latencies = laps.SelectMany(lap => lap.Latencies).Order().ToArray();
        return new Sample(
            round,
            count,
            laps.Sum(lap => lap.Wall) / count,
            laps.Sum(lap => lap.Cpu) / count,
            laps.Any(lap => lap.Allocated is null) ? null : laps.Sum(lap => lap.Allocated) / count,
            laps.Any(lap => lap.Gen0 is null) ? null : laps.Sum(lap => lap.Gen0),
            Percentile(latencies, 0.50),
            Percentile(latencies, 0.99));
    }

    private static double? Percentile(double[] sorted, double percentile) => sorted.Length == 0 ? null : sorted[(int)((sorted.Length - 1) * percentile)];
}
