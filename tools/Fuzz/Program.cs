using Slipstream.Fuzzing;
using Slipstream.Fuzzing.Targets.Conversations;

// "record": the seeds of the conversation targets anew, with the lab's servers.
if (args is ["record", .. var names])
{
    await SeedRecorder.RecordAsync(names);
    return 0;
}

var parsed = FuzzCommand.Create().Parse(args);
if (parsed.Errors.Count > 0)
{
    // Of several errors the last is about the word that was typed, the others follow from it.
    await Console.Error.WriteLineAsync($"fuzz: {parsed.Errors[^1].Message}\n  What to do: see ./fuzz --help");
    return 2;
}

return await parsed.InvokeAsync();
