namespace Slipstream.Lab;

internal static class StatusCommand
{
    public static async Task<int> RunAsync(LabTargets targets, CancellationToken ct)
    {
        var lab = LabFolder.Open();
        Console.WriteLine(lab.MovedFrom is null ? $"folder: {lab.Path}" : $"folder: {lab.Path} (the servers' user cannot enter {lab.MovedFrom})");
        foreach (var kind in targets.Servers)
        {
            if (Environment.GetEnvironmentVariable(kind.Variable()) is { Length: > 0 })
                Console.WriteLine($"{kind.Word()}: {kind.Variable()} names an existing server, which is used instead of the lab's own");

            var instance = LabInstance.Shared(lab, kind);
            if (!instance.IsRunning)
            {
                Console.WriteLine($"{kind.Word()}: not running");
                continue;
            }

            var settings = instance.ReadSettings();
            var users = instance.Users();
            var usedBy = users.Count == 0 ? "no program" : string.Join(", ", users.Select(u => $"{u.Name} ({u.Id})"));
            Console.WriteLine($"{kind.Word()}: {settings.Version} on {settings.Host}:{settings.Port}, process {instance.Server.Id}, "
                              + $"{(instance.Keeper.IsAlive ? "kept up" : "ends with its last user")}, used by {usedBy}");
            Console.WriteLine($"  connect {settings.ToConnectionString()}");
            Console.WriteLine($"  socket  {settings.UnixSocket}");
            Console.WriteLine($"  log     {instance.LogFile}");
        }

        foreach (var kind in targets.Clusters)
            await ClusterCommand.StatusAsync(kind, targets.IsDefault);
        return 0;
    }
}
