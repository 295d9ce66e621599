using System.CommandLine;
using Slipstream.Race;
using Slipstream.Race.Contestants;
using Slipstream.Race.Servers;

// Roles that other programs start come first: FirstRow measures a start-up that must not include a command-line parser.
return args switch
{
    [FirstRow.Argument, _, _, _] => FirstRow.Child(args),
    [Repeat.Argument, _, _, _, _, _, ..] => await Repeat.RunAsync(args, CommandLine.PeersFolder),
    [LatencyProxy.Argument, _, _, _] => await LatencyProxy.ChildAsync(args),
    _ => await CommandLine.Create().Parse(args).InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null }),
};
