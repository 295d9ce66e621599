namespace Slipstream.Lab;

/// <summary>
/// A PostgreSQL cluster with streaming replication: one primary, and standbys that are copies of it. There is no automatic failover: a test promotes a standby
/// when it needs to. The servers' addresses stay the same.
/// </summary>
public sealed class PgReplication : LabCluster
{
    // The standbys have no replication slots, so the primary keeps this much of its log for a standby that is behind.
    private static readonly string[] Settings = ["-c", "wal_keep_size=256MB", "-c", "hot_standby_feedback=on", "-c", "wal_receiver_status_interval=1s"];

    private readonly Dictionary<LabServer, PgReplicationRecipe> _recipes = [];

    private PgReplication()
    {
    }

    public override ClusterKind Kind => ClusterKind.PgReplication;

    /// <summary>Starts a primary, which is the first server, and its standbys.</summary>
    /// <exception cref="LabUnavailableException">The servers are unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static Task<PgReplication> StartAsync(int standbys = 2, CancellationToken ct = default) =>
        StartAsync(ClusterHome.Private(ClusterKind.PgReplication), standbys, ct);

    internal static async Task<PgReplication> StartAsync(ClusterHome home, int standbys, CancellationToken ct)
    {
        home.Write(standbys + 1);
        var cluster = new PgReplication();
        try
        {
            for (var number = 1; number <= standbys + 1; number++)
            {
                var recipe = new PgReplicationRecipe { Primary = number > 1 ? cluster.Servers[0].Settings : null };
                cluster.Add(await home.StartAsync(number, recipe, Settings, ct), recipe);
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
    internal static PgReplication? Open(ClusterHome home)
    {
        if (home.Read() is not [var nodes])
            return null;
        var cluster = new PgReplication();
        for (var number = 1; number <= nodes; number++)
        {
            var recipe = new PgReplicationRecipe();
            cluster.Add(home.Open(number, recipe, Settings), recipe);
        }

        return cluster;
    }

    /// <summary>Makes a standby a primary. The other standbys still follow the former primary until <see cref="Follow"/> changes that.</summary>
    public void Promote(LabServer standby)
    {
        ArgumentNullException.ThrowIfNull(standby);
        // pg_ctl does the same: postgres(1) checks for the file when it receives the signal.
        File.WriteAllText(Path.Combine(Own(standby).DataFolder, "promote"), "");
        standby.Process.Signal(Signal.User1);
    }

    /// <summary>Makes a running standby stream from another server, without a new copy.</summary>
    public void Follow(LabServer standby, LabServer primary)
    {
        ArgumentNullException.ThrowIfNull(standby);
        ArgumentNullException.ThrowIfNull(primary);
        // If several lines contain the same setting, the last one applies.
        File.AppendAllText(Path.Combine(Own(standby).DataFolder, "postgresql.auto.conf"), PgReplicationRecipe.StreamFrom(primary.Settings));
        standby.Process.Signal(Signal.Hangup);
    }

    /// <summary>
    /// Restarts a server as a standby of another one, with a new copy of that server's data. Data that only the restarted server had is lost.
    /// </summary>
    public async Task RejoinAsync(LabServer server, LabServer primary, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(server);
        ArgumentNullException.ThrowIfNull(primary);
        await Own(server).KillAsync();
        _recipes[server].Primary = primary.Settings;
        server.Instance.DiscardData();
        await server.StartAgainAsync(ct);
    }

    /// <summary>
    /// Starts a server again. A former primary becomes a standby of the present one, with a new copy of its data. If there is none, it is the primary as
    /// before.
    /// </summary>
    public override async Task RejoinAsync(LabServer server, CancellationToken ct = default)
    {
        var primary = Servers.FirstOrDefault(other => other != server && IsRunning(other) && IsPrimary(other));
        if (primary is not null && IsPrimary(Own(server)))
        {
            await RejoinAsync(server, primary, ct);
            return;
        }

        await server.StartAgainAsync(ct);
        if (primary is not null)
            Follow(server, primary);
    }

    /// <summary>
    /// Promotes a standby. The other running standbys follow it. The former primary is restarted as a standby with a copy of its data, unless it is paused or
    /// cut off: after that, it is a second primary.
    /// </summary>
    public override async Task PromoteAsync(LabServer server, CancellationToken ct = default)
    {
        if (IsPrimary(Own(server)))
            return;
        LabServer[] former = [.. Servers.Where(other => other != server && IsRunning(other) && IsPrimary(other) && !other.Process.IsStopped && !IsCut(other))];
        // The former primary must no longer take writes: they would be lost.
        foreach (var primary in former)
            await primary.StopAsync();
        Promote(server);
        await WaitAsync(() => IsPrimary(server), $"the server on port {server.Port} is the primary", ct);
        foreach (var other in Servers.Where(other => other != server && IsRunning(other) && !IsPrimary(other)))
            Follow(other, server);
        foreach (var primary in former)
            await RejoinAsync(primary, server, ct);
    }

    /// <summary>Returns whether a server is a primary, or was one when it ended.</summary>
    public bool IsPrimary(LabServer server) => !File.Exists(Path.Combine(Own(server).DataFolder, "standby.signal"));

    public override string Describe(LabServer server)
    {
        var isResponsive = IsRunning(server) && !server.Process.IsStopped;
        return isResponsive ? IsPrimary(server) ? "primary" : "standby" : Silence(server);
    }

    private void Add(LabServer server, PgReplicationRecipe recipe)
    {
        Add(server);
        _recipes.Add(server, recipe);
    }
}
