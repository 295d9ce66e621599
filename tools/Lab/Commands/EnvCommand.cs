namespace Slipstream.Lab;

internal static class EnvCommand
{
    public static async Task<int> RunAsync(IReadOnlyList<ServerKind> kinds, CancellationToken ct)
    {
        var lab = LabFolder.Open();
        var missing = 0;
        foreach (var kind in kinds)
        {
            if (Environment.GetEnvironmentVariable(kind.Variable()) is { Length: > 0 } url)
            {
                Print(kind, url);
                continue;
            }

            var instance = LabInstance.Shared(lab, kind);
            if (instance.IsRunning)
            {
                Print(kind, instance.ReadSettings().ToUrl());
                continue;
            }

            missing++;
            await Console.Error.WriteLineAsync($"{kind.Word()}: not running\n  What to do: ./lab up {kind.Word()}");
        }

        return missing == 0 ? 0 : 1;
    }

    // Single quotes keep every character but themselves from the shell.
    private static void Print(ServerKind kind, string url) =>
        Console.WriteLine($"export {kind.Variable()}='{url.Replace("'", "'\\''", StringComparison.Ordinal)}'");
}
