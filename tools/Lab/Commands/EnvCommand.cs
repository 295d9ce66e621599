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
                Print(kind, url, ServerSettings.Parse(kind, url));
                continue;
            }

            var instance = LabInstance.Shared(lab, kind);
            if (instance.IsRunning)
            {
                var settings = instance.ReadSettings();
                Print(kind, settings.ToUrl(), settings);
                continue;
            }

            missing++;
            await Console.Error.WriteLineAsync($"{kind.Word()}: not running\n  What to do: ./lab up {kind.Word()}");
        }

        return missing == 0 ? 0 : 1;
    }

    // The URL is for the lab and the tests, and contains all users. Drivers need the connection string.
    private static void Print(ServerKind kind, string url, ServerSettings settings)
    {
        Print(kind.Variable(), url);
        Print(kind.Variable() + "_CONNECTION", settings.ToConnectionString());
    }

    // In single quotes, the shell interprets no character but the single quote.
    private static void Print(string variable, string value) =>
        Console.WriteLine($"export {variable}='{value.Replace("'", "'\\''", StringComparison.Ordinal)}'");
}
