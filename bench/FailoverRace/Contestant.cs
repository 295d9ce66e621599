using System.Data.Common;
using System.Reflection;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.FailoverRace;

/// <summary>A driver that takes part: how it connects to all servers of a cluster, and to a single one.</summary>
/// <param name="Name">The driver's name.</param>
/// <param name="Factory">The driver.</param>
/// <param name="OfCluster">Returns the options that make connections use the primary.</param>
internal sealed record Contestant(string Name, DbProviderFactory Factory, string OfCluster)
{
    /// <summary>Returns the contestants of a cluster.</summary>
    /// <param name="kind">The kind of cluster.</param>
    /// <param name="names">The names that the command line asks for; null for all.</param>
    /// <param name="peers">The folder of the peers.</param>
    public static List<Contestant> Of(ClusterKind kind, string[]? names, string peers)
    {
        List<Contestant> all = [];
        if (kind != ClusterKind.PgReplication)
        {
            all.Add(new("Slipstream", MySqlConnectorFactory.Instance, "Topology=Auto;"));
            if (Load(Path.Combine(peers, "MySqlConnector", "MySqlConnector.dll"), "MySqlConnector.MySqlConnectorFactory") is { } peer)
                all.Add(new("MySqlConnector", peer, "Load Balance=FailOver;"));
        }
        else
        {
            all.Add(new("Slipstream", PgFactory.Instance, "Target Session Attributes=read-write;"));
            if (Load(Path.Combine(peers, "Npgsql", "Npgsql.dll"), "Npgsql.NpgsqlFactory") is { } peer)
                all.Add(new("Npgsql", peer, "Target Session Attributes=read-write;"));
        }

        return names is null ? all : all.FindAll(one => names.Contains(one.Name, StringComparer.OrdinalIgnoreCase));
    }

    // A peer that could not be restored does not take part.
    private static DbProviderFactory? Load(string file, string type) => !File.Exists(file) ? null
        : (DbProviderFactory)Assembly.LoadFrom(file).GetType(type, throwOnError: true)!.GetField("Instance")!.GetValue(null)!;
}
