using Slipstream.Fuzzing;
using Slipstream.Fuzzing.Targets.Conversations;
using Slipstream.Lab;

// "record" records the seeds of the conversation targets again with the lab's servers.
if (args is ["record", .. var names])
{
    await SeedRecorder.RecordAsync(names);
    return 0;
}

var parsed = FuzzCommand.Create().Parse(args);
if (CommandWords.Problem(parsed) is { } problem)
{
    await Console.Error.WriteLineAsync($"fuzz: {problem}\n  What to do: see ./fuzz --help");
    return 2;
}

return await parsed.InvokeAsync();
