using System.Diagnostics;

namespace Slipstream.Lab;

/// <summary>Several servers that replicate. Each one has its own address, which it keeps when it starts again.</summary>
public abstract class LabCluster : IAsyncDisposable
{
    /// <summary>The time limit for everything that a cluster does by itself; a loaded machine needs much more time than a quiet one.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private protected static readonly TimeSpan QueryLimit = TimeSpan.FromSeconds(2);

    private readonly List<LabServer> _servers = [];
    private readonly LabPartition _partition = new();

    private protected LabCluster()
    {
    }

    public abstract ClusterKind Kind { get; }

    /// <summary>Gets the servers, in the order of their first start.</summary>
    public IReadOnlyList<LabServer> Servers => _servers;

    /// <summary>Gets a connection string with all servers.</summary>
    public string ConnectionString => ServerSettings.ToConnectionString([.. _servers.Select(static server => server.Settings)]);

    /// <summary>Starts a private cluster of three servers. Disposing it deletes it.</summary>
    /// <exception cref="LabUnavailableException">The servers are unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static Task<LabCluster> StartAsync(ClusterKind kind, CancellationToken ct = default) => StartAsync(ClusterHome.Private(kind), kind, ct);

    /// <summary>Installs the programs of a cluster's servers, if they are missing. A program in a network of its own cannot.</summary>
    /// <exception cref="LabUnavailableException">The servers are unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static async Task InstallAsync(ClusterKind kind, CancellationToken ct = default)
    {
        ServerRecipe recipe = kind switch
        {
            ClusterKind.Galera => new GaleraRecipe(1, [], GaleraCluster.DefaultSuspectTimeout),
            ClusterKind.GroupReplication => new MySqlRecipe(),
            ClusterKind.PgReplication => new PostgreSqlRecipe(),
            _ => new MariaDbRecipe(),
        };
        var lab = LabFolder.Open();
        using (await FileLock.ExclusiveAsync(lab["install.lock"], ct))
            await Task.Run(() => recipe.Install(lab, ct), ct);
    }

    internal static async Task<LabCluster> StartAsync(ClusterHome home, ClusterKind kind, CancellationToken ct) => kind switch
    {
        ClusterKind.Galera => await GaleraCluster.StartAsync(home, 3, GaleraCluster.DefaultSuspectTimeout, ct),
        ClusterKind.GroupReplication => await GroupReplicationCluster.StartAsync(
            home, 3, GroupReplicationCluster.DefaultExpelTimeout, grantsMembers: true, ct),
        ClusterKind.PgReplication => await PgReplication.StartAsync(home, 2, ct),
        _ => await MariaDbReplication.StartAsync(home, 2, ct),
    };

    /// <summary>Returns whether a server's process exists. One that is paused counts, too.</summary>
    public bool IsRunning(LabServer server) => Own(server).Instance.IsRunning;

    /// <summary>Kills a server with SIGKILL.</summary>
    public Task KillAsync(LabServer server) => Own(server).KillAsync();

    /// <summary>Freezes a server with SIGSTOP: its connections stay open and new ones are accepted, but it does not answer.</summary>
    public void Pause(LabServer server) => Own(server).Pause();

    /// <summary>Ends <see cref="Pause"/>.</summary>
    public void Continue(LabServer server) => Own(server).Continue();

    /// <summary>Gets whether <see cref="CutFromGroup"/> is possible.</summary>
    public bool CanCutFromGroup => LabNetwork.TellsNodesApart && GroupPorts(_servers[0]).Count > 0;

    /// <summary>
    /// Cuts the network between a server and its clients, in both directions, until <see cref="Heal"/>. The servers of <see cref="PgReplication"/> and
    /// <see cref="MariaDbReplication"/> are clients of the primary: if it is cut, nothing is replicated. The group of the other clusters does not notice it.
    /// </summary>
    /// <exception cref="LabUnavailableException">This program does not run in a network of its own: <see cref="LabNetwork.Inside"/>.</exception>
    public void CutFromClients(LabServer server, CutKind kind = CutKind.Drop) => _partition.CutClients(Own(server), kind);

    /// <summary>
    /// Cuts the network between a node and the others of its group, in both directions, until <see cref="Heal"/>. Its clients still reach it. Only Galera and
    /// Group Replication have a group.
    /// </summary>
    /// <exception cref="NotSupportedException">The cluster has no group.</exception>
    /// <exception cref="LabUnavailableException">
    /// This program does not run in a network of its own (<see cref="LabNetwork.Inside"/>), or not as root: <see cref="CanCutFromGroup"/>.
    /// </exception>
    public void CutFromGroup(LabServer server)
    {
        if (GroupPorts(Own(server)) is not { Count: > 0 } own)
            throw new NotSupportedException($"The servers of {Kind.Word()} have no group.");
        _partition.CutGroup(server, _servers.IndexOf(server) + 1, own, _servers.Where(other => other != server).SelectMany(GroupPorts));
    }

    /// <summary>Ends <see cref="CutFromClients"/> and <see cref="CutFromGroup"/>.</summary>
    public void Heal(LabServer server) => _partition.Heal(Own(server));

    /// <summary>Shuts a server down cleanly.</summary>
    public Task StopAsync(LabServer server) => Own(server).StopAsync();

    /// <summary>
    /// Starts a server after <see cref="KillAsync"/> or <see cref="StopAsync"/>. When this returns, the server is a member of the cluster again.
    /// </summary>
    public abstract Task RejoinAsync(LabServer server, CancellationToken ct = default);

    /// <summary>Makes a server the primary, and the others follow it.</summary>
    /// <exception cref="NotSupportedException">The cluster has no primary.</exception>
    public abstract Task PromoteAsync(LabServer server, CancellationToken ct = default);

    /// <summary>Returns the role and the state of a server in its own words, such as <c>primary</c> or <c>SECONDARY, ONLINE</c>.</summary>
    public abstract string Describe(LabServer server);

    /// <summary>Stops the servers. Those of a private cluster are deleted.</summary>
    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        foreach (var server in _servers)
            await server.DisposeAsync();
    }

    /// <summary>Returns the ports over which the other nodes talk to this one; empty if they use its port for clients.</summary>
    private protected virtual IReadOnlyList<int> GroupPorts(LabServer server) => [];

    private protected bool IsCut(LabServer server) => _partition.IsCut(server);

    private protected void Add(LabServer server) => _servers.Add(server);

    private protected LabServer Own(LabServer server) =>
        _servers.Contains(server) ? server : throw new ArgumentException("The server does not belong to this cluster.", nameof(server));

    /// <summary>Waits until the cluster is in a state.</summary>
    /// <param name="isSo">Asks the servers. If one of them does not answer, it is not in the state.</param>
    /// <param name="state">The state as the end of a sentence, for the message.</param>
    /// <param name="ct">Cancels the wait.</param>
    private protected async Task WaitAsync(Func<bool> isSo, string state, CancellationToken ct)
    {
        for (var waited = Stopwatch.StartNew(); ; await Task.Delay(50, ct))
        {
            if (await Task.Run(isSo, ct))
                return;
            if (waited.Elapsed > Patience)
            {
                throw new LabUnavailableException(
                    $"After {Patience.TotalSeconds} seconds, {Kind.Word()} is not in the state '{state}': "
                    + string.Join("; ", _servers.Select(server => $"port {server.Port}: {Describe(server)}")) + ".",
                    $"see the logs of the servers: {string.Join(", ", _servers.Select(static server => server.Instance.LogFile))}");
            }
        }
    }

    /// <summary>Runs a query on a server of MySQL's family. Returns null if the server does not answer or refuses it.</summary>
    private protected static List<string?[]>? Ask(LabServer server, string query)
    {
        try
        {
            return LabSql.Run(server.Settings, QueryLimit, query);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>Returns why a server that does not answer is silent.</summary>
    private protected static string Silence(LabServer server) =>
        !server.Instance.IsRunning ? "not running" : server.Process.IsStopped ? "paused" : "does not answer";
}
