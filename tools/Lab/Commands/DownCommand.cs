namespace Slipstream.Lab;

internal static class DownCommand
{
    public static async Task<int> RunAsync(LabTargets targets, bool force, CancellationToken ct)
    {
        var lab = LabFolder.Open();
        var left = 0;
        foreach (var kind in targets.Servers)
        {
            var instance = LabInstance.Shared(lab, kind);
            if (!instance.IsRunning)
            {
                instance.Release();
                Console.WriteLine($"{kind.Word()}: not running");
                continue;
            }

            var users = instance.Users();
            instance.Release();
            if (users.Count > 0 && !force)
            {
                left++;
                Console.WriteLine($"{kind.Word()}: in use by {string.Join(", ", users.Select(u => $"{u.Name} ({u.Id})"))}; "
                                  + $"it ends with the last of them, or now with: ./lab down {kind.Word()} --force");
                continue;
            }

            if (force && users.Count > 0)
                await instance.StopAsync();
            if (await instance.WaitForEndAsync(TimeSpan.FromSeconds(35), ct))
            {
                Console.WriteLine($"{kind.Word()}: stopped");
                continue;
            }

            left++;
            await Console.Error.WriteLineAsync($"{kind.Word()}: still runs as process {instance.Server.Id}\n  What to do: ./lab down {kind.Word()} --force");
        }

        foreach (var kind in targets.Clusters)
            left += await ClusterCommand.DownAsync(kind, targets.IsDefault, ct);
        return left == 0 ? 0 : 1;
    }
}
