using System.CommandLine;
using System.Data.Common;
using Slipstream.Tool.Connections;
using Slipstream.Tool.Doctor;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Commands;

/// <summary><c>slipstream doctor</c>.</summary>
internal static class DoctorCommand
{
    private const string Description = """
        Connects as the application would, and reports what is wrong or slow: server, authentication, TLS, latency, round trips, pool, server settings, proxies and privileges.

        It only reads, unless --write is given. Each check is ok, unknown (the server does not tell), advice or problem. The password is never printed.

        Exit codes: 0 no problem, 1 at least one problem, 2 the command line is wrong or there is no connection.
        """;

    private const int DefaultSamples = 21;

    public static Command Create(Terminal terminal, TextReader input)
    {
        var source = new ConnectionSource();
        var samples = new Option<int>("--samples")
        {
            Description = "How many round trips are measured. Default: 21.",
            DefaultValueFactory = static _ => DefaultSamples,
            HelpName = "N",
        };
        samples.Validators.Add(static result =>
        {
            if (result.GetValueOrDefault<int>() is < 1 or > 100_000)
                result.AddError("--samples must be from 1 to 100000.");
        });
        var write = new Option<bool>("--write") { Description = "Also measures a COMMIT, in a table that it creates and drops." };
        var json = new Option<bool>("--json") { Description = "Prints one JSON document instead of a table." };
        var command = new Command("doctor", Description);
        source.AddTo(command);
        foreach (var option in (Option[])[samples, write, json])
            command.Options.Add(option);
        command.SetAction(async (result, cancellationToken) =>
        {
            var target = source.Read(result, input, terminal.Secrets);
            var isJson = result.GetValue(json);
            Patient patient;
            try
            {
                patient = await Patient.OpenAsync(target, cancellationToken);
            }
            catch (Exception exception) when (
                exception is DbException or ArgumentException or InvalidOperationException or NotSupportedException or TimeoutException)
            {
                DoctorReport.PrintFailure(terminal, target, exception, "no connection", isJson);
                return ExitCodes.CannotRun;
            }

            await using (patient)
            {
                var run = new DoctorRun(patient, terminal);
                try
                {
                    await run.RunAsync(result.GetValue(samples), result.GetValue(write), cancellationToken);
                }
                catch (DbException exception)
                {
                    // The connection was lost on the way: what was found until then is of no use without the rest.
                    DoctorReport.PrintFailure(terminal, target, exception, "a check failed", isJson);
                    return ExitCodes.CannotRun;
                }

                var code = run.Checks.Any(static check => check.Level == Level.Problem) ? ExitCodes.Found : ExitCodes.Ok;
                if (isJson)
                    DoctorReport.PrintJson(terminal, target, patient.Host, run.Checks, code);
                else
                    DoctorReport.Print(terminal, target, patient.Host, run.Checks);
                return code;
            }
        });
        return command;
    }
}
