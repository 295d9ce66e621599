using Slipstream.Fuzzing;

var parsed = FuzzCommand.Create().Parse(args);
if (parsed.Errors.Count > 0)
{
    // Of several errors the last is about the word that was typed, the others follow from it.
    await Console.Error.WriteLineAsync($"fuzz: {parsed.Errors[^1].Message}\n  What to do: see ./fuzz --help");
    return 2;
}

return await parsed.InvokeAsync();
