using Slipstream.Race.Measuring;

namespace Slipstream.Race.Report;

/// <summary>One row of race.json. The names and their order are the file's format. Null means not measured.</summary>
internal sealed record ReportRow
{
    public required string Scenario { get; init; }

    public required string Settings { get; init; }

    public required string Server { get; init; }

    public required string ServerVersion { get; init; }

    public required string Mode { get; init; }

    public required string Provider { get; init; }

    public required string ProviderVersion { get; init; }

    public required int Workers { get; init; }

    public double? WallMicroseconds { get; init; }

    public double? CpuMicroseconds { get; init; }

    public double? AllocatedBytes { get; init; }

    public double? Gen0Per1000 { get; init; }

    public double? RoundTrips { get; init; }

    public double? BytesSent { get; init; }

    public double? BytesReceived { get; init; }

    public double? OperationsPerSecond { get; init; }

    public double? P50Microseconds { get; init; }

    public double? P99Microseconds { get; init; }

    public required double LatencyMilliseconds { get; init; }

    public required int Rounds { get; init; }

    /// <summary>The first and third quartile of the wall time.</summary>
    public double[]? WallQuartiles { get; init; }

    public string? Error { get; init; }

    /// <summary>
    /// The wall time as a multiple of Slipstream's in the same round, median over the rounds, as tables and chart show it. Null for Slipstream itself.
    /// </summary>
    public double? WallRatio { get; init; }

    /// <summary>The CPU time as a multiple of Slipstream's, computed in the same way.</summary>
    public double? CpuRatio { get; init; }

    public static IReadOnlyList<ReportRow> From(IReadOnlyList<Cell> cells, TimeSpan latency) => [.. cells.Select(cell => From(cell, cells, latency))];

    private static ReportRow From(Cell cell, IReadOnlyList<Cell> cells, TimeSpan latency)
    {
        var slipstream = cells.FirstOrDefault(other => other.Contestant.Name == Contestants.Contestant.SlipstreamName
            && other.Scenario.Name == cell.Scenario.Name && other.ModeName == cell.ModeName && other.Track == cell.Track);
        var wall = cell.Median(sample => sample.Wall);
        return new ReportRow
        {
            Scenario = cell.Scenario.Name,
            Settings = cell.Track.Settings.ToString().ToLowerInvariant(),
            Server = cell.Track.ServerName,
            ServerVersion = cell.Track.ServerVersion,
            Mode = cell.ModeName,
            Provider = cell.Contestant.Name,
            ProviderVersion = cell.Contestant.Version,
            Workers = cell.Scenario.Workers,
            WallMicroseconds = Round(wall),
            CpuMicroseconds = Round(cell.Median(sample => sample.Cpu)),
            AllocatedBytes = Round(cell.Median(sample => sample.Allocated)),
            Gen0Per1000 = Round(cell.Gen0Per1000),
            RoundTrips = Round(cell.Traffic?.RoundTrips),
            BytesSent = Round(cell.Traffic?.BytesSent),
            BytesReceived = Round(cell.Traffic?.BytesReceived),
            OperationsPerSecond = wall > 0 ? Round(1e6 / wall) : null,
            P50Microseconds = Round(cell.Median(sample => sample.P50)),
            P99Microseconds = Round(cell.Median(sample => sample.P99)),
            LatencyMilliseconds = latency.TotalMilliseconds,
            Rounds = cell.Samples.Count,
            WallQuartiles =
                wall is null ? null : [Round(cell.Quantile(sample => sample.Wall, 0.25))!.Value, Round(cell.Quantile(sample => sample.Wall, 0.75))!.Value],
            Error = cell.Error,
            WallRatio = Round(Ratio(cell, slipstream, sample => sample.Wall)),
            CpuRatio = Round(Ratio(cell, slipstream, sample => sample.Cpu)),
        };
    }

    private static double? Ratio(Cell cell, Cell? slipstream, Func<Sample, double> figure)
    {
        if (slipstream is null || slipstream == cell)
            return null;
        var ratios = cell.Samples
            .Join(slipstream.Samples, sample => sample.Round, sample => sample.Round, (own, other) => figure(own) / figure(other))
            .Where(double.IsFinite).Order().ToArray();
        if (ratios.Length == 0)
            return null;
        var middle = ratios.Length / 2;
        return ratios.Length % 2 == 1 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2;
    }

    // More than three decimal places would exceed the precision of the measurements.
    private static double? Round(double? value) => value is null ? null : Math.Round(value.Value, 3);
}
