using System.Globalization;

namespace Slipstream.Lab;

/// <summary>The clusters in <c>up</c>, <c>status</c> and <c>down</c>, and <c>cluster</c>, which does something to one node.</summary>
internal static class ClusterCommand
{
    public static IReadOnlyList<string> Verbs { get; } = ["kill", "stop", "start", "pause", "continue", "promote", "leave", "expel"];

    /// <summary>Starts a cluster unless it is there. Returns the number of failures.</summary>
    public static async Task<int> UpAsync(ClusterKind kind, CancellationToken ct)
    {
        LabServer.Progress = text => Console.Error.WriteLine($"{kind.Word()}: {text}");
        var lab = LabFolder.Open();
        using var _ = await KeptClusters.LockAsync(lab, kind, ct);
        try
        {
            if (KeptClusters.Open(lab, kind) is { } present && present.Servers.Any(present.IsRunning))
            {
                Print(present);
                return 0;
            }

            await using var cluster = await KeptClusters.StartAsync(lab, kind, ct);
            Print(cluster);
            return 0;
        }
        catch (LabUnavailableException e)
        {
            await Console.Error.WriteLineAsync($"{kind.Word()}: {e.Reason}\n  What to do: {e.Command}");
            return 1;
        }
    }

    /// <summary>Prints the state of a cluster.</summary>
    public static async Task StatusAsync(ClusterKind kind, bool onlyIfRunning)
    {
        await Task.Yield();
        if (KeptClusters.Open(LabFolder.Open(), kind) is { } cluster && cluster.Servers.Any(cluster.IsRunning))
            Print(cluster);
        else if (!onlyIfRunning)
            Console.WriteLine($"{kind.Word()}: not running");
    }

    /// <summary>Stops a cluster. Returns the number of failures.</summary>
    public static async Task<int> DownAsync(ClusterKind kind, bool onlyIfRunning, CancellationToken ct)
    {
        var lab = LabFolder.Open();
        if (onlyIfRunning && !Directory.Exists(lab[kind.Word()]))
            return 0;
        using var _ = await KeptClusters.LockAsync(lab, kind, ct);
        var isRunning = KeptClusters.Open(lab, kind) is { } cluster && cluster.Servers.Any(cluster.IsRunning);
        // Even if no server runs, a program may be left that keeps one.
        var isStopped = await KeptClusters.StopAsync(lab, kind);
        if (!isStopped)
            await Console.Error.WriteLineAsync($"{kind.Word()}: still runs\n  What to do: ./lab status {kind.Word()} names the processes");
        else if (isRunning || !onlyIfRunning)
            Console.WriteLine($"{kind.Word()}: {(isRunning ? "stopped" : "not running")}");
        return isStopped ? 0 : 1;
    }

    /// <summary>Does something to one node.</summary>
    public static async Task<int> RunAsync(ClusterKind kind, string verb, int node, CancellationToken ct)
    {
        LabServer.Progress = text => Console.Error.WriteLine($"{kind.Word()}: {text}");
        var lab = LabFolder.Open();
        using var _ = await KeptClusters.LockAsync(lab, kind, ct);
        var cluster = KeptClusters.Open(lab, kind);
        if (cluster is null || !cluster.Servers.Any(cluster.IsRunning))
            throw new LabUnavailableException($"{kind.Word()} is not running.", $"./lab up {kind.Word()}");
        if (node > cluster.Servers.Count)
            throw new LabUnavailableException($"{kind.Word()} has no node {node}.", $"./lab status {kind.Word()}   shows its nodes");
        var server = cluster.Servers[node - 1];
        if (verb != "start" && !cluster.IsRunning(server))
            throw new LabUnavailableException($"Node {node} is not running.", $"./lab cluster {kind.Word()} start {node}");
        try
        {
            await DoAsync(cluster, verb, server, ct);
        }
        catch (Exception e) when (e is NotSupportedException or InvalidOperationException or IOException)
        {
            throw new LabUnavailableException($"{verb} of node {node}: {e.Message}", $"./lab status {kind.Word()}   shows the state of the nodes", e);
        }

        Print(cluster);
        return 0;
    }

    private static Task DoAsync(LabCluster cluster, string verb, LabServer server, CancellationToken ct)
    {
        switch (verb)
        {
            case "kill":
                return cluster.KillAsync(server);
            case "stop":
                return cluster.StopAsync(server);
            case "start":
                server.Instance.Keep();
                return cluster.RejoinAsync(server, ct);
            case "pause":
                cluster.Pause(server);
                return Task.CompletedTask;
            case "continue":
                cluster.Continue(server);
                return Task.CompletedTask;
            case "promote":
                return cluster.PromoteAsync(server, ct);
            default:
                if (cluster is not GroupReplicationCluster group)
                    throw new NotSupportedException($"only a node of {ClusterKind.GroupReplication.Word()} can do this.");
                return verb == "leave" ? group.LeaveAsync(server, ct) : group.ExpelAsync(server, ct);
        }
    }

    private static void Print(LabCluster cluster)
    {
        Console.WriteLine($"{cluster.Kind.Word()}: {cluster.Servers[0].Version}");
        for (var at = 0; at < cluster.Servers.Count; at++)
        {
            var server = cluster.Servers[at];
            var process = cluster.IsRunning(server) ? string.Create(CultureInfo.InvariantCulture, $", process {server.ProcessId}") : "";
            Console.WriteLine($"  node{at + 1}   {cluster.Describe(server)} on {server.Host}:{server.Port}{process}");
            // User, password and certificate are the lab's own: a user who may run this command may also read them in its folder.
            Console.WriteLine($"    connect {server.Settings.ToConnectionString()}");
            Console.WriteLine($"    log     {server.Instance.LogFile}");
        }

        Console.WriteLine($"  all     {cluster.ConnectionString}");
    }
}
