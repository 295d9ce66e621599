using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

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
        root.Subcommands.Add(Status());
        root.Subcommands.Add(Env());
        root.Subcommands.Add(Cluster());
        return root;
    }

    private static Command Up()
    {
        var targets = Targets();
        var command = new Command("up") { targets };
        // Clusters take much memory, so they start only if they are named.
        command.SetAction((result, ct) => UpCommand.RunAsync(result.GetValue(targets) ?? new LabTargets(ServerKinds.All, [], IsDefault: true), ct));
        return command;
    }

    private static Command Down()
    {
        var targets = Targets();
        var force = new Option<bool>("--force");
        var command = new Command("down") { targets, force };
        command.SetAction((result, ct) => DownCommand.RunAsync(result.GetValue(targets) ?? LabTargets.All, result.GetValue(force), ct));
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

    private static Command Status()
    {
        var targets = Targets();
        var command = new Command("status") { targets };
        command.SetAction((result, ct) => StatusCommand.RunAsync(result.GetValue(targets) ?? LabTargets.All, ct));
        return command;
    }

    private static Command Env()
    {
        var kinds = new Argument<ServerKind[]>("kind") { Arity = ArgumentArity.ZeroOrMore, CustomParser = Parse };
        var command = new Command("env") { kinds };
        command.SetAction((result, ct) => EnvCommand.RunAsync(OrAll(result.GetValue(kinds)), ct));
        return command;
    }

    private static Command Cluster()
    {
        var kind = new Argument<ClusterKind>("cluster") { CustomParser = ParseCluster };
        var verb = new Argument<string>("verb");
        verb.AcceptOnlyFromAmong([.. ClusterCommand.Verbs]);
        var node = new Argument<int>("node") { CustomParser = ParseNode };
        var command = new Command("cluster") { kind, verb, node };
        command.SetAction((result, ct) => ClusterCommand.RunAsync(result.GetValue(kind), result.GetValue(verb)!, result.GetValue(node), ct));
        return command;
    }

    private static Argument<LabTargets?> Targets() => new("kind") { Arity = ArgumentArity.ZeroOrMore, CustomParser = ParseTargets };

    private static LabTargets? ParseTargets(ArgumentResult result)
    {
        var (servers, clusters) = (new List<ServerKind>(), new List<ClusterKind>());
        foreach (var token in result.Tokens)
        {
            if (ClusterKinds.TryParse(token.Value, out var cluster))
                clusters.Add(cluster);
            else if (ServerKinds.TryParse(token.Value, out var server))
                servers.Add(server);
            else if (token.Value.StartsWith('-'))
                result.AddError($"There is no option '{token.Value}'.");
            else
                result.AddError($"There is no server kind '{token.Value}'. The kinds are {Names()}; the clusters are {ClusterNames()}.");
        }

        return result.Tokens.Count == 0 ? null : new LabTargets([.. servers.Distinct()], [.. clusters.Distinct()], IsDefault: false);
    }

    private static ClusterKind ParseCluster(ArgumentResult result)
    {
        if (!ClusterKinds.TryParse(result.Tokens[0].Value, out var kind))
            result.AddError($"There is no cluster '{result.Tokens[0].Value}'. The clusters are {ClusterNames()}.");
        return kind;
    }

    // 2 or node2, as the status shows it.
    private static int ParseNode(ArgumentResult result)
    {
        var text = result.Tokens[0].Value;
        var number = text.StartsWith("node", StringComparison.Ordinal) ? text[4..] : text;
        if (int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var node) && node > 0)
            return node;
        result.AddError($"'{text}' is not the number of a node: the first is 1.");
        return 0;
    }

    private static string Names() => string.Join(", ", ServerKinds.All.Select(static kind => kind.Word()));

    private static string ClusterNames() => string.Join(", ", ClusterKinds.All.Select(static kind => kind.Word()));

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
                result.AddError($"There is no server kind '{token.Value}'. The kinds are {Names()}.");
        }

        return [.. kinds.Distinct()];
    }

    private static IReadOnlyList<ServerKind> OrAll(ServerKind[]? kinds) => kinds is { Length: > 0 } ? kinds : ServerKinds.All;
}
