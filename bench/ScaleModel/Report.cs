using System.Globalization;
using System.Text.Json;
using Slipstream.ScaleModel.Measuring;

namespace Slipstream.ScaleModel;

/// <summary>The tables, in Markdown.</summary>
internal static class Report
{
    public static JsonSerializerOptions Json { get; } = new() { WriteIndented = true };

    // A prediction that is wrong by more than this is marked.
    private const double Tolerance = 0.25;

    /// <summary>Returns how many operations of a cell are simulated: enough for every caller, and for the tail.</summary>
    public static int Operations(Setting cell) => Math.Max(100_000, cell.Callers * 20);

    public static void Predict(IReadOnlyList<Setting> cells, IReadOnlyList<Outcome> outcomes)
    {
        Console.WriteLine(
            "| server | processors | callers | pool | operations/s | median ms | p99 ms | client busy | server busy | engine threads | limited by |");
        Console.WriteLine("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
        for (var i = 0; i < cells.Count; i++)
        {
            var (cell, one) = (cells[i], outcomes[i]);
            Console.WriteLine(
                $"| {Key(cell)} | {Number(one.PerSecond)} | {Milliseconds(one.Median)} | {Milliseconds(one.P99)} | {Percent(one.ClientBusy)} | "
                    + $"{Percent(one.ServerBusy)} | {one.Engines} | {one.Limit} |");
        }
    }

    public static void Compare(IReadOnlyList<Setting> cells, IReadOnlyList<Outcome> predicted, Dictionary<Setting, Sample> measured)
    {
        Console.WriteLine(
            "| server | processors | callers | pool | operations/s predicted | measured | error | p99 ms predicted | measured | error | "
                + "CPU measured, client + server |");
        Console.WriteLine("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
        for (var i = 0; i < cells.Count; i++)
        {
            var (cell, one, other) = (cells[i], predicted[i], measured[cells[i]]);
            Console.WriteLine(
                $"| {Key(cell)} | {Number(one.PerSecond)} | {Number(other.PerSecond)} | {Error(one.PerSecond, other.PerSecond)} | {Milliseconds(one.P99)} | "
                    + $"{Milliseconds(other.P99)} | {Error(one.P99, other.P99)} | {other.ClientCpu:0.0} + {other.ServerCpu:0.0} µs |");
        }
    }

    private static string Key(Setting cell) => $"{cell.Server} | {cell.Processors} | {Number(cell.Callers)} | {Number(cell.Pool)}";

    private static string Number(double value) => value.ToString("#,##0", CultureInfo.InvariantCulture);

    private static string Milliseconds(double microseconds) => (microseconds / 1000).ToString("0.00", CultureInfo.InvariantCulture);

    private static string Percent(double share) => (share * 100).ToString("0 '%'", CultureInfo.InvariantCulture);

    private static string Error(double predicted, double measured)
    {
        var error = (predicted / measured) - 1;
        var text = (error * 100).ToString("+0 '%';-0 '%';0 '%'", CultureInfo.InvariantCulture);
        return Math.Abs(error) > Tolerance ? $"**{text}**" : text;
    }
}
