using Slipstream.Lab;

try
{
    return await LabCommands.Create().Parse(args).InvokeAsync();
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
