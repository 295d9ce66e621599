using Slipstream.Lab;

namespace Slipstream.Soak.Clusters;

/// <summary>A fault of a cluster, which is over when <see cref="Inject"/> returns: all servers are members again, and one takes writes.</summary>
/// <param name="Name">The name in the summary and on the command line.</param>
/// <param name="Inject">Causes and ends the fault.</param>
/// <param name="On">The clusters that can have it; null: all.</param>
internal sealed record ClusterFault(string Name, Func<ClusterStage, Task> Inject, ClusterKind[]? On = null)
{
    /// <summary>Gets whether the fault cuts the network, which needs one of its own.</summary>
    public bool IsPartition { get; init; }

    /// <summary>Gets whether the fault cuts the network between the nodes, which the lab can do only as root.</summary>
    public bool IsOfGroup { get; init; }

    public static IReadOnlyList<ClusterFault> All { get; } =
    [
        new("kill of the primary", static async stage =>
        {
            var primary = stage.Primary;
            await stage.Cluster.KillAsync(primary);
            await stage.Succeed(primary, mayLose: true);
            await stage.Last(0, 2000);
            await stage.Rejoin(primary);
        }),
        new("hang of the primary", static async stage =>
        {
            var primary = stage.Primary;
            stage.Cluster.Pause(primary);
            await stage.Last(500, 3000);
            if (stage.Cluster.Kind == ClusterKind.MariaDbReplication)
            {
                // Nobody promotes another one: it would lack what the former primary has not sent yet, and then could not lead it.
                stage.Cluster.Continue(primary);
                return;
            }

            await stage.Succeed(primary, mayLose: true);
            await stage.Last(0, 3000);
            // It does not know yet that it is no longer the primary.
            stage.BeginTwoPrimaries();
            stage.Cluster.Continue(primary);
            await stage.Last(200, 3000);
            await stage.Cluster.KillAsync(primary);
            await stage.Rejoin(primary);
        }),
        new("short hang of the primary", static async stage =>
        {
            stage.Cluster.Pause(stage.Primary);
            await stage.Last(200, 900);
            stage.Cluster.Continue(stage.Primary);
        }),
        new("stop of the primary", static async stage =>
        {
            var primary = stage.Primary;
            await stage.Cluster.StopAsync(primary);
            await stage.Succeed(primary, mayLose: false);
            await stage.Last(0, 2000);
            await stage.Rejoin(primary);
        }),
        new("kill of a replica", static async stage =>
        {
            var replica = stage.OneReplica();
            await stage.Cluster.KillAsync(replica);
            await stage.Last(0, 3000);
            await stage.Rejoin(replica);
        }),
        new("hang of a replica", static async stage =>
        {
            var replica = stage.OneReplica();
            stage.Cluster.Pause(replica);
            // A group expels a member after five seconds.
            await stage.Last(200, stage.Cluster.Kind == ClusterKind.GroupReplication ? 3000 : 7000);
            stage.Cluster.Continue(replica);
        }),
        new(
            "switchover", static stage => stage.Cluster.PromoteAsync(stage.OneReplica()),
            [ClusterKind.PgReplication, ClusterKind.GroupReplication, ClusterKind.MariaDbReplication]),
        new("leave", static async stage =>
        {
            var primary = stage.Primary;
            await ((GroupReplicationCluster)stage.Cluster).LeaveAsync(primary);
            await stage.Succeed(primary, mayLose: false);
            await stage.Last(0, 2000);
            await stage.Rejoin(primary);
        }, [ClusterKind.GroupReplication]),
        new("expulsion", static async stage =>
        {
            var primary = stage.Primary;
            await ((GroupReplicationCluster)stage.Cluster).ExpelAsync(primary);
            await stage.Last(0, 2000);
            await stage.Rejoin(primary);
        }, [ClusterKind.GroupReplication]),
        new("partition of the primary", static stage => CutPrimary(stage, CutKind.Drop)) { IsPartition = true },
        new("partition of the primary with resets", static stage => CutPrimary(stage, CutKind.Reset)) { IsPartition = true },
        new("short partition of the primary", static async stage =>
        {
            var primary = stage.Primary;
            stage.Cluster.CutFromClients(primary);
            await stage.Last(200, 900);
            stage.Cluster.Heal(primary);
        }) { IsPartition = true },
        new("partition of a replica", static async stage =>
        {
            var replica = stage.OneReplica();
            stage.Cluster.CutFromClients(replica);
            await stage.Last(200, 7000);
            stage.Cluster.Heal(replica);
        }) { IsPartition = true },
        new("partition of the group", static async stage =>
        {
            // Its clients still reach it. It must not acknowledge anything, because the others do not know of it.
            var primary = stage.Primary;
            stage.Cluster.CutFromGroup(primary);
            await stage.Succeed(primary, mayLose: false);
            await stage.Last(0, 3000);
            stage.Cluster.Heal(primary);
        }, [ClusterKind.Galera, ClusterKind.GroupReplication]) { IsPartition = true, IsOfGroup = true },
    ];

    private static async Task CutPrimary(ClusterStage stage, CutKind kind)
    {
        var primary = stage.Primary;
        stage.Cluster.CutFromClients(primary, kind);
        await stage.Last(500, 3000);
        if (stage.Cluster.Kind is ClusterKind.GroupReplication or ClusterKind.MariaDbReplication)
        {
            // The group does not notice it, and elects nobody. Of MariaDB, nobody promotes another server: see the hang of the primary.
            await stage.Last(0, 4000);
            stage.Cluster.Heal(primary);
            return;
        }

        await stage.Succeed(primary, mayLose: true);
        await stage.Last(0, 3000);
        stage.BeginTwoPrimaries();
        stage.Cluster.Heal(primary);
        if (stage.Cluster.Kind != ClusterKind.PgReplication)
            return;
        // It does not know yet that it is no longer the primary.
        await stage.Last(200, 3000);
        await stage.Cluster.KillAsync(primary);
        await stage.Rejoin(primary);
    }
}
