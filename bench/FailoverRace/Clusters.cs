using System.Text.Json;
using Slipstream.Lab;

namespace Slipstream.FailoverRace;

/// <summary>The lab's clusters.</summary>
internal static class Clusters
{
    public static async Task<LabCluster> StartAsync(ClusterKind kind, CancellationToken stop) => kind switch
    {
        ClusterKind.Galera => await GaleraCluster.StartAsync(ct: stop),
        ClusterKind.GroupReplication => await GroupReplicationCluster.StartAsync(ct: stop),
        ClusterKind.MariaDbReplication => await MariaDbReplication.StartAsync(ct: stop),
        _ => await PgReplication.StartAsync(ct: stop),
    };
}

/// <summary>How the file of the results is written.</summary>
internal static class Indented
{
    // A time that did not happen is NaN.
    public static readonly JsonSerializerOptions Options = new()
    {
        WriteIndented = true, NumberHandling = System.Text.Json.Serialization.JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };
}
