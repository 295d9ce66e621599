namespace Slipstream.Lab;

internal static class UpCommand
{
    public static async Task<int> RunAsync(LabTargets targets, CancellationToken ct)
    {
        var failed = 0;
        foreach (var kind in targets.Servers)
        {
            LabServer.Progress = text => Console.Error.WriteLine($"{kind.Word()}: {text}");
            try
            {
                await using var server = await LabServer.StartAsync(kind, ct);
                if (Environment.GetEnvironmentVariable(kind.Variable()) is { Length: > 0 })
                {
                    Console.WriteLine($"{kind.Word()}: {kind.Variable()} names {server.Host}:{server.Port}; the lab starts none");
                    continue;
                }

                LabInstance.Shared(LabFolder.Open(), kind).Keep();
                Console.WriteLine($"{kind.Word()}: {server.Version} on {server.Host}:{server.Port}, socket {server.UnixSocket}");
                // User, password and certificate are the lab's own: a user who may run this command may also read them in its folder.
                Console.WriteLine($"  {server.Settings.ToConnectionString()}");
            }
            catch (LabUnavailableException e)
            {
                failed++;
                await Console.Error.WriteLineAsync($"{kind.Word()}: {e.Reason}\n  What to do: {e.Command}");
            }
        }

        foreach (var kind in targets.Clusters)
            failed += await ClusterCommand.UpAsync(kind, ct);
        return failed == 0 ? 0 : 1;
    }
}
