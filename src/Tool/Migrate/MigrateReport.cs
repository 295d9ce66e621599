using Spectre.Console;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Migrate;

/// <summary>Prints what a migration found.</summary>
internal static class MigrateReport
{
    /// <summary>The version of the JSON document's form. It changes when a member is removed or gets another meaning.</summary>
    private const int Schema = 1;

    public static void Print(Terminal terminal, Migration migration, bool applied, int written)
    {
        var findings = migration.Findings.ToList();
        if (findings.Count == 0)
        {
            terminal.Line(migration.Drivers == Drivers.None
                ? $"No reference to MySqlConnector, MySql.Data, Pomelo or Npgsql in {Count(migration.Projects, "project")}."
                : "Nothing is left to change.");
            return;
        }

        terminal.Table(
            ["place", "by", "what changes"],
            findings.Select(static one => (Cell[])[new($"{one.File}:{one.Line}:{one.Column}:"), new(WordOf(one), ColorOf(one.Kind)), TextOf(one)]));
        terminal.Line();
        var automatic = findings.Count(static one => one.Kind == FindingKind.Automatic);
        var manual = findings.Count(static one => one.Kind == FindingKind.Manual);
        var review = findings.Count(static one => one.Kind == FindingKind.Review);
        terminal.Line(applied
            ? $"{Count(automatic, "change")} made in {Count(written, "file")}; {manual} to make by hand; {Count(review, "difference")} to review."
            : $"{Count(automatic, "change")} that --apply makes; {manual} to make by hand; {Count(review, "difference")} to review. Nothing was written.");
        if (applied && (automatic > 0 || manual > 0))
            terminal.Line("Next: make the changes by hand, build the solution, and run its tests.");
    }

    public static void PrintJson(Terminal terminal, Migration migration, bool applied, int written, int exitCode)
    {
        var findings = migration.Findings.ToList();
        terminal.Json(new
        {
            Schema,
            Command = "migrate",
            migration.Root,
            migration.Projects,
            Files = migration.FilesRead,
            Drivers = Enum.GetValues<Drivers>().Where(one => Single(one) && migration.Drivers.HasFlag(one)).Select(static one => one.ToString()),
            PackageVersion = Migration.Version,
            Applied = applied,
            FilesWritten = written,
            Summary = new
            {
                Automatic = findings.Count(static one => one.Kind == FindingKind.Automatic),
                Manual = findings.Count(static one => one.Kind == FindingKind.Manual),
                Review = findings.Count(static one => one.Kind == FindingKind.Review),
            },
            Findings = findings.Select(static one => new
            {
                one.File, one.Line, one.Column, one.Kind, one.Rule, one.What, Docs = one.Docs is null ? null : Pages.AddressOf(one.Docs), one.Applied,
            }),
            ExitCode = exitCode,
        });
    }

    private static bool Single(Drivers driver) => driver is Drivers.MySqlConnector or Drivers.MySqlData or Drivers.Npgsql or Drivers.Pomelo;

    private static string WordOf(Finding finding) => finding.Kind switch
    {
        FindingKind.Automatic => finding.Applied ? "done" : "auto",
        FindingKind.Manual => "by hand",
        _ => "review",
    };

    private static Color ColorOf(FindingKind kind) => kind switch
    {
        FindingKind.Automatic => Color.Green,
        FindingKind.Manual => Color.Red,
        _ => Color.Yellow,
    };

    // What is applied explains itself.
    private static string TextOf(Finding finding) =>
        finding.Docs is { } docs && finding.Kind != FindingKind.Automatic ? $"{finding.What} ({Pages.AddressOf(docs)})" : finding.What;

    private static string Count(int number, string noun) => number == 1 ? $"1 {noun}" : $"{number} {noun}s";
}
