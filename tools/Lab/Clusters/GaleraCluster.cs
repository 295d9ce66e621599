using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// A private Galera cluster of MariaDB: every node takes writes, and a majority of the nodes must be there. The nodes notice the end of another one faster than
/// with Galera's defaults.
/// </summary>
public sealed class GaleraCluster : LabCluster
{
    internal static readonly TimeSpan DefaultSuspectTimeout = TimeSpan.FromSeconds(1);

    private const string StatusQuery =
        "SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME IN "
        + "('wsrep_ready', 'wsrep_cluster_size', 'wsrep_cluster_status', 'wsrep_local_state_comment')";

    private readonly GaleraPorts[] _ports;

    private GaleraCluster(GaleraPorts[] ports) => _ports = ports;

    public override ClusterKind Kind => ClusterKind.Galera;

    /// <summary>Starts a cluster.</summary>
    /// <param name="nodes">The number of nodes.</param>
    /// <param name="suspectTimeout">
    /// The time (<c>evs.suspect_timeout</c>) after which the other nodes exclude one that does not answer; the default is one second, Galera's own is five.
    /// </param>
    /// <param name="ct">Cancels the start.</param>
    /// <exception cref="LabUnavailableException">The servers are unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static Task<GaleraCluster> StartAsync(int nodes = 3, TimeSpan? suspectTimeout = null, CancellationToken ct = default) =>
        StartAsync(ClusterHome.Private(ClusterKind.Galera), nodes, suspectTimeout ?? DefaultSuspectTimeout, ct);

    internal static async Task<GaleraCluster> StartAsync(ClusterHome home, int nodes, TimeSpan suspectTimeout, CancellationToken ct)
    {
        var inside = FreePort.ChooseInside(2 * nodes);
        var ports = GaleraPorts.Of(inside);
        home.Write(inside);
        var cluster = new GaleraCluster(ports);
        try
        {
            for (var number = 1; number <= nodes; number++)
            {
                var recipe = new GaleraRecipe(number, ports, suspectTimeout) { FoundsCluster = number == 1 };
                cluster.Add(await home.StartAsync(number, recipe, [], ct));
                recipe.FoundsCluster = false;
                await cluster.WaitForSizeAsync(number, ct);
            }

            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Opens the cluster that <c>lab up</c> has started, or returns null.</summary>
    internal static GaleraCluster? Open(ClusterHome home)
    {
        if (home.Read() is not { } plan)
            return null;
        var ports = GaleraPorts.Of(plan);
        var cluster = new GaleraCluster(ports);
        for (var number = 1; number <= ports.Length; number++)
            cluster.Add(home.Open(number, new GaleraRecipe(number, ports, DefaultSuspectTimeout), []));
        return cluster;
    }

    /// <summary>Waits until all running nodes report that they are ready, and that the cluster has this number of nodes.</summary>
    public Task WaitForSizeAsync(int size, CancellationToken ct = default) => WaitAsync(
        () => Servers.Where(IsRunning).All(server => IsReady(server, size)),
        string.Create(CultureInfo.InvariantCulture, $"every running node is ready in a cluster of {size}"),
        ct);

    /// <summary>
    /// Starts a node after <see cref="LabCluster.KillAsync"/> or <see cref="LabCluster.StopAsync"/>. It gets the writes that it missed from another node; if no
    /// node has all of them any more, all data. It is ready when this returns. At least one node must be running.
    /// </summary>
    public override async Task RejoinAsync(LabServer server, CancellationToken ct = default)
    {
        await Own(server).StartAgainAsync(ct);
        await WaitForSizeAsync(Servers.Count(IsRunning), ct);
    }

    /// <summary>A Galera cluster has no primary.</summary>
    /// <exception cref="NotSupportedException">Always.</exception>
    public override Task PromoteAsync(LabServer server, CancellationToken ct = default) =>
        throw new NotSupportedException("A Galera cluster has no primary: every node takes writes.");

    public override string Describe(LabServer server)
    {
        if (Status(Own(server)) is not { } status)
            return Silence(server);
        return $"{status["wsrep_local_state_comment"]}, {status["wsrep_cluster_status"]} of {status["wsrep_cluster_size"]}, "
            + (status["wsrep_ready"] == "ON" ? "ready" : "not ready");
    }

    private protected override IReadOnlyList<int> GroupPorts(LabServer server) => Servers.ToList().IndexOf(server) is var index and >= 0
        ? [_ports[index].Group, _ports[index].Transfer]
        : [];

    private static bool IsReady(LabServer server, int size) =>
        Status(server) is { } status && status["wsrep_ready"] == "ON" && status["wsrep_cluster_status"] == "Primary"
        && status["wsrep_local_state_comment"] == "Synced" && status["wsrep_cluster_size"] == size.ToString(CultureInfo.InvariantCulture);

    private static Dictionary<string, string>? Status(LabServer server) =>
        Ask(server, StatusQuery)?.ToDictionary(
            static row => row[0]!, static row => row[1] ?? "", StringComparer.OrdinalIgnoreCase) is { Count: 4 } all ? all : null;
}
