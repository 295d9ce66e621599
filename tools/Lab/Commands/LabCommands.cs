using System.CommandLine;
using System.CommandLine.Parsing;

namespace Slipstream.Lab;

/// <summary>The command line of <c>./lab</c>; <c>eng/help/lab.txt</c> describes it.</summary>
internal static class LabCommands
{
    // Not a RootCommand: its messages would name the assembly, Slipstream.Lab.
    public static Command Create()
    {
        var root = new Command("./lab").WithHelp(typeof(LabCommands).Assembly);
        root.Subcommands.Add(Up());
        root.Subcommands.Add(Down());
        root.Subcommands.Add(Run());
        root.Subcommands.Add(Simple("status", StatusCommand.RunAsync));
        root.Subcommands.Add(Simple("env", EnvCommand.RunAsync));
        return root;
    }

    private static Command Up()
    {
        var kinds = Kinds();
        var command = new Command("up") { kinds };
        command.SetAction((result, ct) => UpCommand.RunAsync(OrAll(result.GetValue(kinds)), ct));
        return command;
    }

    private static Command Down()
    {
        var kinds = Kinds();
        var force = new Option<bool>("--force");
        var command = new Command("down") { kinds, force };
        command.SetAction((result, ct) => DownCommand.RunAsync(OrAll(result.GetValue(kinds)), result.GetValue(force), ct));
        return command;
    }

    private static Command Run()
    {
        var kinds = new Option<ServerKind[]>("--server", "--kind") { CustomParser = Parse };
        var program = new Argument<string[]>("command") { Arity = ArgumentArity.OneOrMore };
        var command = new Command("run") { kinds, program };
        command.SetAction((result, ct) => RunCommand.RunAsync(OrAll(result.GetValue(kinds)), result.GetValue(program)!, ct));
        return command;
    }

    private static Command Simple(string name, Func<IReadOnlyList<ServerKind>, CancellationToken, Task<int>> run)
    {
        var kinds = Kinds();
        var command = new Command(name) { kinds };
        command.SetAction((result, ct) => run(OrAll(result.GetValue(kinds)), ct));
        return command;
    }

    private static Argument<ServerKind[]> Kinds() => new("kind") { Arity = ArgumentArity.ZeroOrMore, CustomParser = Parse };

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
