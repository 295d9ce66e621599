namespace Slipstream.Lab;

/// <summary>
/// A private PostgreSQL cluster with streaming replication: one primary, and standbys that are copies of it. There is no automatic failover: a test promotes
/// a standby when it needs to. The servers' addresses stay the same.
/// </summary>
public sealed class PgReplication : IAsyncDisposable
{
    // The standbys have no replication slots, so the primary keeps this much of its log for a standby that is behind.
    private static readonly string[] Settings = ["-c", "wal_keep_size=256MB", "-c", "hot_standby_feedback=on", "-c", "wal_receiver_status_interval=1s"];

    private readonly List<(LabServer Server, PgReplicationRecipe Recipe)> _nodes = [];

    private PgReplication()
    {
    }

    /// <summary>Gets the servers. At the start, the first one is the primary.</summary>
    public IReadOnlyList<LabServer> Servers => [.. _nodes.Select(static node => node.Server)];

    /// <summary>Starts a primary and its standbys.</summary>
    /// <exception cref="LabUnavailableException">The servers are unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static async Task<PgReplication> StartAsync(int standbys = 2, CancellationToken ct = default)
    {
        var cluster = new PgReplication();
        try
        {
            for (var at = 0; at <= standbys; at++)
            {
                var recipe = new PgReplicationRecipe();
                if (at > 0)
                    recipe.Copy(cluster._nodes[0].Server.Settings);
                cluster._nodes.Add((await LabServer.StartPrivateAsync(recipe, "pg-replication", Settings, ct), recipe));
            }

            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Makes a standby a primary. The other standbys still follow the former primary until <see cref="Follow"/> changes that.</summary>
    public void Promote(LabServer standby)
    {
        _ = RecipeOf(standby);
        // pg_ctl does the same: postgres(1) checks for the file when it receives the signal.
        File.WriteAllText(Path.Combine(standby.DataFolder, "promote"), "");
        standby.Process.Signal(Signal.User1);
    }

    /// <summary>Makes a running standby stream from another server, without a new copy.</summary>
    public void Follow(LabServer standby, LabServer primary)
    {
        ArgumentNullException.ThrowIfNull(primary);
        _ = RecipeOf(standby);
        // If several lines contain the same setting, the last one applies.
        File.AppendAllText(Path.Combine(standby.DataFolder, "postgresql.auto.conf"), PgReplicationRecipe.StreamFrom(primary.Settings));
        standby.Process.Signal(Signal.Hangup);
    }

    /// <summary>
    /// Restarts a server as a standby of another one, with a new copy of that server's data. Data that only the restarted server had is lost.
    /// </summary>
    public async Task RejoinAsync(LabServer server, LabServer primary, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(primary);
        var recipe = RecipeOf(server);
        await server.KillAsync();
        recipe.Copy(primary.Settings);
        await server.StartAgainAsync(ct);
    }

    private PgReplicationRecipe RecipeOf(LabServer server) =>
        _nodes.Find(node => node.Server == server).Recipe ?? throw new ArgumentException("The server does not belong to this cluster.", nameof(server));

    /// <summary>Stops and deletes the servers.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (var (server, _) in _nodes)
            await server.DisposeAsync();
    }
}
