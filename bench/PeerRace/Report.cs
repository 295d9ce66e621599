using System.Text.Json;
using Spectre.Console;

namespace Slipstream.PeerRace;

/// <summary>The table and the file of a run.</summary>
internal static class Report
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    public static void Print(IReadOnlyList<Row> rows)
    {
        // Wide enough for a file.
        AnsiConsole.Profile.Width = Math.Max(AnsiConsole.Profile.Width, 220);
        var table = new Table().Border(TableBorder.Simple);
        foreach (var column in (string[])["server", "scenario", "callers", "processors", "contestant", "mode"])
            table.AddColumn(column);
        string[] figures =
            ["operations/s", "CPU µs", "wake-ups", "sync × operations/s", "sync × CPU", "async × operations/s", "async × CPU"];
        foreach (var column in figures)
            table.AddColumn(new TableColumn(column).RightAligned());
        foreach (var row in rows.Where(static row => row.Error is not null))
            table.AddRow(
                row.Cell.Server, row.Cell.Scenario, "", row.Cell.Seating.ToString().ToLowerInvariant(), row.Name, row.Mode,
                Markup.Escape($"does not take part: {row.Error}"));
        foreach (var row in rows.Where(static row => row.Error is null))
            table.AddRow(
                row.Cell.Server, row.Cell.Scenario, $"{row.Cell.Callers}", row.Cell.Seating.ToString().ToLowerInvariant(), row.Name, row.Mode,
                $"{row.PerSecond:N0}", $"{row.Cpu:0.0}", $"{row.WakeUps:0.00}", $"{row.SyncPerSecond}", $"{row.SyncCpu}", $"{row.AsyncPerSecond}",
                $"{row.AsyncCpu}");
        AnsiConsole.Write(table);
        AnsiConsole.WriteLine(
            "sync ×, async ×: the figure of Slipstream's blocking and of its asynchronous calls as a multiple of the row's: the median of the rounds' ratios "
                + "(the lowest and the highest).");
        foreach (var line in Behind(rows))
            AnsiConsole.WriteLine(line);
    }

    /// <summary>
    /// Returns a line for each contestant that Slipstream is not ahead of, in operations or in processor time. The minimal driver does not count.
    /// </summary>
    public static IEnumerable<string> Behind(IReadOnlyList<Row> rows) =>
        from row in rows
        where row.Name != Entry.Minimal
        from ours in (IEnumerable<(string Mode, Spread? Operations, Spread? Cpu)>)
            [(Plan.Sync, row.SyncPerSecond, row.SyncCpu), (Plan.Async, row.AsyncPerSecond, row.AsyncCpu)]
        where ours.Operations is { Median: <= 1 } || ours.Cpu is { Median: >= 1 }
        select $"not ahead: {row.Cell.Server} {row.Cell.Scenario} {row.Cell.Callers}: {ours.Mode} against {row.Name} {row.Mode}: "
            + $"operations {ours.Operations}, CPU {ours.Cpu}";

    public static string Json(IReadOnlyList<Row> rows) => JsonSerializer.Serialize(
        rows.Select(static row => new
        {
            row.Cell.Server, row.Cell.Scenario, row.Cell.Callers, Seating = row.Cell.Seating.ToString(), row.Name, row.Mode,
            row.Version,
            PerSecond = OrNull(row.PerSecond), Cpu = OrNull(row.Cpu), WakeUps = OrNull(row.WakeUps), row.SyncPerSecond, row.SyncCpu, row.AsyncPerSecond,
            row.AsyncCpu, Rounds = row.Samples.Count, row.Error,
        }),
        Indented);

    // The median of no figures is no number, which JSON does not have.
    private static double? OrNull(double figure) => double.IsFinite(figure) ? figure : null;

    public static async Task WriteAsync(string file, IReadOnlyList<Row> rows, CancellationToken stop)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        await File.WriteAllTextAsync(file, Json(rows), stop);
    }
}
