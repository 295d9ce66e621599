using System.CommandLine;
using Slipstream.Lab;

try
{
    var parsed = LabCommands.Create().Parse(args.Length == 0 ? ["--help"] : args);
    if (CommandWords.Problem(parsed) is { } problem)
    {
        await Console.Error.WriteLineAsync($"lab: {problem}\n  What to do: see ./lab --help");
        return 2;
    }

    // Ctrl-C cancels. A running program, such as that of 'run', gets time to end by itself.
    return await parsed.InvokeAsync(new InvocationConfiguration
    {
        EnableDefaultExceptionHandler = false,
        ProcessTerminationTimeout = TimeSpan.FromSeconds(30),
    });
}
catch (OperationCanceledException)
{
    await Console.Error.WriteLineAsync("lab: interrupted; servers reported as up stay up until ./lab down, nothing else is left running");
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
