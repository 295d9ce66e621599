namespace Slipstream.Lab;

/// <summary>The clusters that <c>lab up</c> keeps running: at most one of each kind.</summary>
internal static class KeptClusters
{
    /// <summary>Returns the cluster of a kind, running or not; null if it was never started here.</summary>
    public static LabCluster? Open(LabFolder lab, ClusterKind kind)
    {
        var home = ClusterHome.Kept(lab, kind);
        try
        {
            return kind switch
            {
                ClusterKind.Galera => GaleraCluster.Open(home),
                ClusterKind.GroupReplication => GroupReplicationCluster.Open(home),
                ClusterKind.PgReplication => PgReplication.Open(home),
                _ => MariaDbReplication.Open(home),
            };
        }
        catch (IOException)
        {
            // The first start did not come to an end, and some server has no address yet.
            return null;
        }
    }

    /// <summary>Starts the cluster of a kind with empty databases, and keeps it running.</summary>
    public static async Task<LabCluster> StartAsync(LabFolder lab, ClusterKind kind, CancellationToken ct)
    {
        var home = ClusterHome.Kept(lab, kind);
        try
        {
            return await LabCluster.StartAsync(home, kind, ct);
        }
        catch
        {
            await home.StopAllAsync();
            throw;
        }
    }

    /// <summary>Locks out other programs that start, stop or change the cluster.</summary>
    public static Task<FileLock> LockAsync(LabFolder lab, ClusterKind kind, CancellationToken ct)
    {
        Directory.CreateDirectory(lab[kind.Word()]);
        return FileLock.ExclusiveAsync(lab[kind.Word(), "command.lock"], ct);
    }

    /// <summary>Stops all servers of a cluster. Returns whether they have ended.</summary>
    public static Task<bool> StopAsync(LabFolder lab, ClusterKind kind) => ClusterHome.Kept(lab, kind).StopAllAsync();
}
