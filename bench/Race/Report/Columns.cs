using System.Globalization;

namespace Slipstream.Race.Report;

/// <summary>The columns of every table, on the screen and on the page.</summary>
internal static class Columns
{
    public static readonly string[] Titles =
        [
            "scenario", "mode", "provider", "wall µs", "quartiles", "× wall", "CPU µs", "× CPU", "B/op", "gen0/1000", "trips", "sent B", "recv B", "ops/s",
            "p50 µs", "p99 µs"
        ];

    /// <summary>The number of leading columns that contain words. The others contain figures and are right-aligned.</summary>
    public const int Words = 3;

    public const string Legend =
        "Per operation, medians over the rounds. ×: multiple of Slipstream's figure in the same round (above 1: more than Slipstream); as the median of the "
            + "rounds' multiples "
        + "it may differ from the quotient of the two medians beside it. trips: round trips, counted separately.";

    /// <summary>Returns the columns in which at least one of the rows has a value.</summary>
    public static int[] Used(IReadOnlyList<string[]> lines) =>
        [.. Enumerable.Range(0, Titles.Length).Where(column => column < Words || lines.Any(cells => cells[column].Length > 0))];

    public static string Title(ReportRow row) =>
        $"{row.Server} {row.ServerVersion}, {row.Settings} settings" + (row.LatencyMilliseconds > 0 ? $", {row.LatencyMilliseconds} ms per direction" : "");

    public static string[] Of(ReportRow row) =>
    [
        row.Scenario,
        row.Mode,
        row.Provider,
        Figure(row.WallMicroseconds),
        row.WallQuartiles is [var first, var third] ? Figure(first) + "–" + Figure(third) : "",
        Ratio(row.WallRatio),
        Figure(row.CpuMicroseconds),
        Ratio(row.CpuRatio),
        Whole(row.AllocatedBytes),
        row.Gen0Per1000 is > 0 and var gen0 ? gen0.ToString("F2", CultureInfo.InvariantCulture) : "",
        row.RoundTrips is { } trips ? trips.ToString("0.##", CultureInfo.InvariantCulture) : "",
        Whole(row.BytesSent),
        Whole(row.BytesReceived),
        row.Workers > 1 ? Whole(row.OperationsPerSecond) : "",
        Figure(row.P50Microseconds),
        Figure(row.P99Microseconds),
    ];

    private static string Ratio(double? value) => value is { } ratio ? ratio.ToString(ratio < 10 ? "F2" : "N0", CultureInfo.InvariantCulture) : "";

    private static string Whole(double? value) => value is { } number ? number.ToString("N0", CultureInfo.InvariantCulture) : "";

    private static string Figure(double? value) => value switch
    {
        null => "",
        < 10 => value.Value.ToString("F2", CultureInfo.InvariantCulture),
        < 100 => value.Value.ToString("F1", CultureInfo.InvariantCulture),
        _ => value.Value.ToString("N0", CultureInfo.InvariantCulture),
    };
}
