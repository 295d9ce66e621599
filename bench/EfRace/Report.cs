using System.Text.Json;
using Spectre.Console;

namespace Slipstream.EfRace;

/// <summary>The table and the file of a run.</summary>
internal static class Report
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    public static void Print(IReadOnlyList<Row> rows)
    {
        // Wide enough for a file.
        AnsiConsole.Profile.Width = Math.Max(AnsiConsole.Profile.Width, 160);
        var table = new Table().Border(TableBorder.Simple);
        foreach (var column in (string[])["scenario", "mode", "server", "provider"])
            table.AddColumn(column);
        foreach (var column in (string[])["wall µs", "CPU µs", "bytes", "round trips", "ours × wall", "ours × CPU", "ours × bytes"])
            table.AddColumn(new TableColumn(column).RightAligned());
        foreach (var row in rows)
            table.AddRow(
                row.Scenario, row.Mode, row.Server, row.Provider, $"{row.Wall:N1}", $"{row.Cpu:N1}", $"{row.Bytes:N0}", $"{row.RoundTrips:0.#}",
                $"{row.WallRatio:0.00}", $"{row.CpuRatio:0.00}", $"{row.BytesRatio:0.00}");
        AnsiConsole.Write(table);
        AnsiConsole.WriteLine(
            "ours ×: Slipstream's figure as a multiple of the row's, the median of the rounds' ratios; on another server, of Slipstream on the first one.");
    }

    public static async Task WriteAsync(string file, IReadOnlyList<Row> rows, CancellationToken stop)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        await using var stream = File.Create(file);
        await JsonSerializer.SerializeAsync(
            stream,
            rows.Select(static row => new
            {
                row.Scenario, row.Mode, row.Server, row.Provider, row.Wall, row.Cpu, row.Bytes, row.RoundTrips, row.WallRatio, row.CpuRatio, row.BytesRatio,
                Rounds = row.Samples.Count,
            }),
            Indented, stop);
    }
}
