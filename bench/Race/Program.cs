using System.CommandLine;
using Slipstream.Race;
using Slipstream.Race.Contestants;
using Slipstream.Race.Servers;

// Two roles of this program as a child of itself come first: FirstRow measures a start-up that must not include a command-line parser.
return args switch
{
    [FirstRow.Argument, _, _, _] => FirstRow.Child(args),
    [LatencyProxy.Argument, _, _, _] => await LatencyProxy.ChildAsync(args),
    _ => await CommandLine.Create().Parse(args).InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null }),
};
