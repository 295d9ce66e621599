using System.CommandLine;
using Slipstream.Tool.Migrate;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Commands;

/// <summary><c>slipstream migrate</c>.</summary>
internal static class MigrateCommand
{
    private const string Description = """
        Lists what changes when a solution moves from MySqlConnector, MySql.Data, Pomelo's EF Core provider or Npgsql to Slipstream, with file and line.

        Each place is marked: 'auto' is changed by --apply, 'by hand' must be changed by you, 'review' is a difference in behaviour that may matter.
        Without --apply, nothing is written.

        Exit codes: 0 nothing is left to change (differences to review do not count), 1 changes are left, 2 the solution cannot be read.
        """;

    public static Command Create(Terminal terminal)
    {
        var path = new Argument<string>("path")
        {
            Description = "A solution (.sln, .slnx), a project (.csproj), or a folder that contains projects. Default: the current folder.",
            DefaultValueFactory = static _ => ".",
        };
        var apply = new Option<bool>("--apply") { Description = "Makes the automatic changes. Encoding, line ends and everything else stay as they are." };
        var json = new Option<bool>("--json") { Description = "Prints one JSON document instead of a table." };
        var command = new Command("migrate", Description) { path, apply, json };
        command.SetAction(result =>
        {
            var migration = Migration.Read(result.GetValue(path)!);
            var applies = result.GetValue(apply);
            var written = applies ? migration.Apply() : 0;
            var left = migration.Findings.Any(one => one.Kind == FindingKind.Manual || (one.Kind == FindingKind.Automatic && !applies));
            var code = left ? ExitCodes.Found : ExitCodes.Ok;
            if (result.GetValue(json))
                MigrateReport.PrintJson(terminal, migration, applies, written, code);
            else
                MigrateReport.Print(terminal, migration, applies, written);
            return code;
        });
        return command;
    }
}
