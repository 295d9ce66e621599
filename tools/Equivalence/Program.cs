using System.CommandLine;
using Slipstream.Equivalence;
using Slipstream.Lab;

try
{
    var parsed = EquivalenceCommand.Create().Parse(args);
    if (CommandWords.Problem(parsed) is { } problem)
    {
        await Console.Error.WriteLineAsync($"equivalence: {problem}\n  What to do: see ./equivalence --help");
        return 2;
    }

    return await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = TimeSpan.FromMinutes(2) });
}
catch (OperationCanceledException)
{
    await Console.Error.WriteLineAsync("equivalence: interrupted before it began");
    return 130;
}
catch (LabUnavailableException e)
{
    await Console.Error.WriteLineAsync($"equivalence: {e.Reason}\n  What to do: {e.Command}");
    return 1;
}
