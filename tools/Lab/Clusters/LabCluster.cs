using System.Diagnostics;

namespace Slipstream.Lab;

/// <summary>Several servers that replicate. Each one has its own address, which it keeps when it starts again.</summary>
public abstract class LabCluster : IAsyncDisposable
{
    /// <summary>The time limit for everything that a cluster does by itself; a loaded machine needs much more time than a quiet one.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private protected static readonly TimeSpan QueryLimit = TimeSpan.FromSeconds(2);

    private readonly List<LabServer> _servers = [];

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
