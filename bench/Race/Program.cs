using System.CommandLine;
using Slipstream.Lab;
using Slipstream.Race;
using Slipstream.Race.Contestants;
using Slipstream.Race.Servers;

// Roles that other programs start come first: FirstRow measures a start-up that must not include a command-line parser.
return args switch
{
    [FirstRow.Argument, _, _, _] => FirstRow.Child(args),
    [Repeat.Argument, _, _, _, _, _, ..] => await Repeat.RunAsync(args, CommandLine.PeersFolder),
    [LatencyProxy.Argument, _, _, _] => await LatencyProxy.ChildAsync(args),
    _ => await RunAsync(CommandLine.Create().Parse(args)),
};

static async Task<int> RunAsync(ParseResult parsed)
{
    if (CommandWords.Problem(parsed) is not { } problem)
        return await parsed.InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null });
    await Console.Error.WriteLineAsync($"race: {problem}\n  What to do: see ./race --help");
    return 2;
}
