using System.Text.Json;
using System.Text.Json.Serialization;
using Spectre.Console;

namespace Slipstream.WebRace;

/// <summary>The table and the file of a run.</summary>
internal static class Report
{
    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true, NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    public static void Print(IReadOnlyList<Row> rows, IReadOnlyDictionary<string, string> missing)
    {
        // Wide enough for a file.
        AnsiConsole.Profile.Width = Math.Max(AnsiConsole.Profile.Width, 220);
        var table = new Table().Border(TableBorder.Simple);
        foreach (var column in (string[])["server", "settings", "page", "connections", "processors", "driver"])
            table.AddColumn(column);
        string[] figures =
        [
            "requests/s", "p50 ms", "p99 ms", "CPU µs", "wake-ups", "bytes", "ours × requests/s", "predicted", "ours × p99", "ours × CPU beyond floor",
            "ours × wake-ups beyond floor", "failed",
        ];
        foreach (var column in figures)
            table.AddColumn(new TableColumn(column).RightAligned());
        foreach (var row in rows)
            table.AddRow(
                row.Cell.Server, row.Cell.Settings, row.Cell.Page, $"{row.Cell.Connections}", row.Cell.Seating.ToString().ToLowerInvariant(), row.Name,
                $"{row.PerSecond:N0}", $"{row.MedianLatency:0.00}", $"{row.SlowestLatency:0.00}", $"{row.Cpu:0.0}", $"{row.WakeUps:0.00}",
                double.IsNaN(row.Bytes) ? "" : $"{row.Bytes:N0}",
                $"{row.Measured:0.00}", $"{row.Predicted:0.00}", $"{row.SlowestRatio:0.00}", $"{row.CpuBeyondFloor:0.00}", $"{row.WakeUpsBeyondFloor:0.00}",
                $"{row.Failed}");
        foreach (var (name, why) in missing)
            table.AddRow("all", "", "", "", "", name, Markup.Escape($"does not take part: {why}"));
        AnsiConsole.Write(table);
        AnsiConsole.WriteLine(
            "ours ×: Slipstream's figure as a multiple of the row's, the median of the rounds' ratios. predicted: what the sites' processor times predict for "
                + "the requests. floor: the same page without a database.");
    }

    public static async Task WriteAsync(
        string file, IReadOnlyList<Row> rows, IReadOnlyDictionary<string, string> missing, CancellationToken stop)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        await using var stream = File.Create(file);
        await JsonSerializer.SerializeAsync(
            stream,
            rows.Select(static object (row) => new
            {
                row.Cell.Server, row.Cell.Settings, row.Cell.Page, row.Cell.Connections, Seating = row.Cell.Seating.ToString(), row.Name, row.PerSecond,
                row.MedianLatency, row.SlowestLatency, row.Cpu, row.WakeUps,
                Bytes = double.IsNaN(row.Bytes) ? (double?)null : row.Bytes, row.Measured, row.Predicted, row.SlowestRatio, row.CpuBeyondFloor,
                row.WakeUpsBeyondFloor, row.Failed, Rounds = row.Samples.Count,
            }).Concat(missing.Select(static one => new { Name = one.Key, Error = one.Value })),
            Indented, stop);
    }
}
