using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;

namespace Slipstream.Lab;

/// <summary>The command line of <c>./lab</c>.</summary>
internal static class LabCommands
{
    private const string Choices = "mariadb|mariadb11|mysql|postgresql";

    // A RootCommand would call itself after the assembly, Slipstream.Lab, in its help.
    public static Command Create()
    {
        var root = new Command("./lab",
            """
            Private, throwaway MariaDB (10.11 and 11.8), MySQL and PostgreSQL servers for tests and benchmarks.

            Everything lies in one folder (artifacts/lab, or the one SLIPSTREAM_LAB names), on TCP ports of 127.0.0.1 and unix sockets of their own;
            no service of this machine is started or changed. Tests and the race start what they need by themselves, and a server ends with its last user;
            'lab up' keeps them running until 'lab down'.

            To use servers that exist already, set SLIPSTREAM_MARIADB, SLIPSTREAM_MARIADB11, SLIPSTREAM_MYSQL or SLIPSTREAM_POSTGRESQL to a URL such as
            mariadb://user:password@host:3306/database
            """) { new HelpOption() };
        root.Subcommands.Add(Up());
        root.Subcommands.Add(Down());
        root.Subcommands.Add(Run());
        root.Subcommands.Add(Simple("status", "Say which servers run, where, and for whom.", StatusCommand.RunAsync));
        root.Subcommands.Add(Simple("env", "Print the running servers' settings as shell 'export' lines: eval \"$(./lab env)\"", EnvCommand.RunAsync));
        return root;
    }

    private static Command Up()
    {
        var kinds = Kinds();
        var command = new Command("up", "Install what is missing, start the servers and keep them running until 'lab down'.") { kinds };
        command.SetAction((result, ct) => UpCommand.RunAsync(OrAll(result.GetValue(kinds)), ct));
        return command;
    }

    private static Command Down()
    {
        var kinds = Kinds();
        var force = new Option<bool>("--force") { Description = "Stop servers that other programs are using, too." };
        var command = new Command("down", "Stop keeping the servers up. One that is in use ends with its last user.") { kinds, force };
        command.SetAction((result, ct) => DownCommand.RunAsync(OrAll(result.GetValue(kinds)), result.GetValue(force), ct));
        return command;
    }

    private static Command Run()
    {
        var kinds = new Option<ServerKind[]>("--kind")
        {
            Description = "The servers to start; all four when not given. May be repeated.",
            CustomParser = Parse,
            HelpName = Choices,
        };
        var program = new Argument<string[]>("command") { Description = "The command and its arguments, behind '--'.", Arity = ArgumentArity.OneOrMore };
        var command = new Command("run", "Run a command while the servers are up: ./lab run -- COMMAND ARGUMENTS") { kinds, program };
        command.SetAction((result, ct) => RunCommand.RunAsync(OrAll(result.GetValue(kinds)), result.GetValue(program)!, ct));
        return command;
    }

    private static Command Simple(string name, string description, Func<IReadOnlyList<ServerKind>, CancellationToken, Task<int>> run)
    {
        var kinds = Kinds();
        var command = new Command(name, description) { kinds };
        command.SetAction((result, ct) => run(OrAll(result.GetValue(kinds)), ct));
        return command;
    }

    private static Argument<ServerKind[]> Kinds() => new("kind")
    {
        Description = "Which servers; all four when none is given.",
        Arity = ArgumentArity.ZeroOrMore,
        CustomParser = Parse,
        HelpName = Choices,
    };

    private static ServerKind[] Parse(ArgumentResult result)
    {
        var kinds = new List<ServerKind>();
        foreach (var token in result.Tokens)
        {
            if (ServerKinds.TryParse(token.Value, out var kind))
                kinds.Add(kind);
            else if (token.Value.StartsWith('-'))
                result.AddError($"There is no option '{token.Value}'.");
            else
                result.AddError($"There is no server kind '{token.Value}'. The kinds are {string.Join(", ", ServerKinds.All.Select(k => k.Word()))}.");
        }

        return [.. kinds.Distinct()];
    }

    private static IReadOnlyList<ServerKind> OrAll(ServerKind[]? kinds) => kinds is { Length: > 0 } ? kinds : ServerKinds.All;
}
