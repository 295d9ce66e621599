using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Commands;

/// <summary>The program <c>slipstream</c>.</summary>
internal static class ToolProgram
{
    private const string Name = "slipstream";

    /// <summary>Runs a command line and returns the exit code (<see cref="ExitCodes"/>).</summary>
    /// <param name="arguments">The words of the command line.</param>
    /// <param name="output">Where the results go.</param>
    /// <param name="error">Where errors and progress go.</param>
    /// <param name="input">Where a connection string is read from if the argument is a hyphen.</param>
    /// <param name="isRedirected">Whether the output is a file or another program instead of a terminal.</param>
    public static async Task<int> RunAsync(string[] arguments, TextWriter output, TextWriter error, TextReader input, bool isRedirected)
    {
        var terminal = new Terminal(output, error, isRedirected);
        foreach (var word in arguments)
            terminal.Secrets.AddFrom(word);
        // Not a RootCommand, whose name would be that of the assembly.
        var root = new Command(Name, "Checks connections, migrates solutions to Slipstream, benchmarks queries, and creates the table of a cache.")
        {
            new HelpOption(),
            new VersionOption(),
            DoctorCommand.Create(terminal, input),
            MigrateCommand.Create(terminal),
            BenchCommand.Create(terminal, input),
            CacheCommand.Create(terminal, input),
        };
        root.SetAction(result =>
        {
            error.WriteLine("slipstream: name a command: doctor, migrate, bench or cache. 'slipstream --help' describes them.");
            return ExitCodes.CannotRun;
        });
        var parsed = root.Parse(arguments);
        if (parsed.Errors.Count > 0)
        {
            foreach (var one in parsed.Errors)
                terminal.Error("slipstream: " + one.Message);
            terminal.Error($"'{PathOf(parsed.CommandResult)} --help' describes the command line.");
            return ExitCodes.CannotRun;
        }

        try
        {
            return await parsed.InvokeAsync(new InvocationConfiguration { Output = output, Error = error, EnableDefaultExceptionHandler = false });
        }
        catch (ToolException exception)
        {
            terminal.Error("slipstream: " + exception.Message);
            if (exception.Advice is { } advice)
                terminal.Error("  What to do: " + advice);
            return ExitCodes.CannotRun;
        }
        catch (OperationCanceledException)
        {
            terminal.Error("slipstream: interrupted");
            return ExitCodes.CannotRun;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            terminal.Error("slipstream: " + exception.Message);
            return ExitCodes.CannotRun;
        }
    }

    // The words of the command, such as "slipstream cache create".
    private static string PathOf(CommandResult command) =>
        command.Parent is CommandResult parent ? $"{PathOf(parent)} {command.Command.Name}" : command.Command.Name;
}
