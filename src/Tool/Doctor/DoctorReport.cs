using Spectre.Console;
using Slipstream.Tool.Connections;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Doctor;

/// <summary>Prints what the doctor found.</summary>
internal static class DoctorReport
{
    /// <summary>The version of the JSON document's form. It changes when a member is removed or gets another meaning.</summary>
    private const int Schema = 1;

    public static void Print(Terminal terminal, Target target, string host, IReadOnlyList<Check> checks)
    {
        terminal.Table(
            ["check", "result", "finding and advice"],
            checks.Select(static check => (Cell[])[check.Id, new(WordOf(check.Level), ColorOf(check.Level)), TextOf(check)]),
            $"{target.ProviderName} at {(host.Length == 0 ? "localhost" : host)}");
        terminal.Line();
        terminal.Line(string.Join(
            ", ", Enum.GetValues<Level>().Reverse().Select(level => (level, Count: checks.Count(check => check.Level == level)))
                .Where(static one => one.Count > 0).Select(static one => $"{one.Count} {WordOf(one.level)}")) + ".");
    }

    public static void PrintJson(Terminal terminal, Target target, string host, IReadOnlyList<Check> checks, int exitCode) => terminal.Json(new
    {
        Schema,
        Command = "doctor",
        Connected = true,
        Provider = target.ProviderName,
        Host = host,
        Checks = checks.Select(static check => new
        {
            check.Id, check.Level, check.Finding, check.Advice, Docs = Pages.AddressOf(check.Docs), check.Figures,
        }),
        Summary = new
        {
            Ok = checks.Count(static check => check.Level == Level.Ok),
            Unknown = checks.Count(static check => check.Level == Level.Unknown),
            Advice = checks.Count(static check => check.Level == Level.Advice),
            Problem = checks.Count(static check => check.Level == Level.Problem),
        },
        ExitCode = exitCode,
    });

    /// <summary>Prints why there is no connection, or no longer one.</summary>
    public static void PrintFailure(Terminal terminal, Target target, Exception exception, string what, bool json)
    {
        var failure = Failure.Of(exception);
        if (json)
        {
            terminal.Json(new
            {
                Schema,
                Command = "doctor",
                Connected = false,
                Provider = target.ProviderName,
                Error = failure,
                ExitCode = ExitCodes.CannotRun,
            });
            return;
        }

        failure.Print(terminal, what);
    }

    private static string TextOf(Check check) =>
        check.Advice is { } advice ? $"{check.Finding.TrimEnd('.')}. {advice} ({Pages.AddressOf(check.Docs)})" : check.Finding;

    private static string WordOf(Level level) => level.ToString().ToLowerInvariant();

    private static Color ColorOf(Level level) => level switch
    {
        Level.Ok => Color.Green,
        Level.Advice => Color.Yellow,
        Level.Problem => Color.Red,
        _ => Color.Grey,
    };
}
