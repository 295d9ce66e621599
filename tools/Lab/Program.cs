using System.CommandLine;
using Slipstream.Lab;

try
{
    // Ctrl-C cancels; what is under way, such as a program of 'run', gets time to end by itself.
    return await LabCommands.Create().Parse(args).InvokeAsync(new InvocationConfiguration
    {
        EnableDefaultExceptionHandler = false,
        ProcessTerminationTimeout = TimeSpan.FromSeconds(30),
    });
}
catch (OperationCanceledException)
{
    await Console.Error.WriteLineAsync("lab: interrupted; a server that was being started and has no other user is stopped");
    return 130;
}
catch (LabUnavailableException e)
{
    await Console.Error.WriteLineAsync($"lab: {e.Reason}\n  What to do: {e.Command}");
    return 1;
}
catch (UnauthorizedAccessException e)
{
    await Console.Error.WriteLineAsync($"lab: {e.Message}\n  What to do: set {LabFolder.Variable} to a folder of your own, or run this as the folder's owner");
    return 1;
}
