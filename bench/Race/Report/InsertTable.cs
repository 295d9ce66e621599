using System.Globalization;
using Slipstream.Race.Measuring;

namespace Slipstream.Race.Report;

/// <summary>The insert race in rows per second, each figure under the name of its rule.</summary>
internal static class InsertTable
{
    private static readonly string[] Titles = ["rule", "mode", "contestant", "rows/s", "× C", "× strict C", "CPU ns/row"];

    // The words are left-aligned, the figures right-aligned.
    private const int Words = 3;

    public static void Print(IReadOnlyList<Cell> cells)
    {
        foreach (var group in cells.Where(cell => cell.Scenario.Rule is not null && cell.Samples.Count > 0).GroupBy(
            cell => (cell.Track.ServerName, cell.Track.ServerVersion, cell.Track.Settings)))
        {
            string[][] lines = [Titles, .. Lines([.. group])];
            var widths = Enumerable.Range(0, Titles.Length).Select(column => lines.Max(line => line[column].Length)).ToArray();
            Console.WriteLine(
                $"The insert race, {group.Key.ServerName} {group.Key.ServerVersion}, {group.Key.Settings.ToString().ToLowerInvariant()} settings, medians");
            foreach (var line in lines)
                Console.WriteLine(
                    string.Join("  ", line.Select((cell, column) => column < Words ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column]))).TrimEnd());
            Console.WriteLine();
        }
    }

    /// <summary>
    /// Returns one line per cell. "× C": rows per second as a multiple of C's by the same rule; "× strict C": as a multiple of C's strict loop.
    /// </summary>
    public static IEnumerable<string[]> Lines(IReadOnlyList<Cell> cells)
    {
        var strict = cells.FirstOrDefault(cell => IsC(cell) && cell.Scenario.Rule!.Name == "strict");
        foreach (var cell in cells)
        {
            var same = cells.FirstOrDefault(other => IsC(other) && other.Scenario.Name == cell.Scenario.Name);
            yield return
            [
                cell.Scenario.Rule!.Name,
                cell.Mode.ToString().ToLowerInvariant(),
                cell.Contestant.Name,
                RowsPerSecond(cell).ToString("N0", CultureInfo.InvariantCulture),
                Multiple(cell, same),
                Multiple(cell, strict),
                (cell.Median(sample => sample.Cpu)!.Value * 1e3 / cell.Scenario.Rule.Rows).ToString("N0", CultureInfo.InvariantCulture),
            ];
        }
    }

    private static bool IsC(Cell cell) => cell.Contestant is Contestants.JetContestant;

    private static double RowsPerSecond(Cell cell) => cell.Scenario.Rule!.Rows * 1e6 / cell.Median(sample => sample.Wall)!.Value;

    private static string Multiple(Cell cell, Cell? c) =>
        c is null || c == cell ? "" : (RowsPerSecond(cell) / RowsPerSecond(c)).ToString("F2", CultureInfo.InvariantCulture);
}
