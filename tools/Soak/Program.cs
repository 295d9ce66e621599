using System.CommandLine;
using Slipstream.Lab;
using Slipstream.Soak;

try
{
    var parsed = SoakCommand.Create().Parse(args);
    if (CommandWords.Problem(parsed) is { } problem)
    {
        await Console.Error.WriteLineAsync($"soak: {problem}\n  What to do: see ./soak --help");
        return 2;
    }

    // Ctrl-C cancels the run, which then ends with its last checks and its summary.
    return await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = TimeSpan.FromMinutes(3) });
}
catch (OperationCanceledException)
{
    await Console.Error.WriteLineAsync("soak: interrupted before it began");
    return 130;
}
catch (LabUnavailableException e)
{
    await Console.Error.WriteLineAsync($"soak: {e.Reason}\n  What to do: {e.Command}");
    return 1;
}
