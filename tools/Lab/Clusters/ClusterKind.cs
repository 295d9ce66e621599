namespace Slipstream.Lab;

/// <summary>The clusters that the lab can run.</summary>
public enum ClusterKind
{
    /// <summary>MariaDB Galera: every node takes writes.</summary>
    Galera,

    /// <summary>MySQL Group Replication with a single primary, which the group elects.</summary>
    GroupReplication,

    /// <summary>PostgreSQL with streaming replication, without automatic failover.</summary>
    PgReplication,

    /// <summary>MariaDB with asynchronous replication by GTID, without automatic failover.</summary>
    MariaDbReplication,
}

/// <summary>The names of each <see cref="ClusterKind"/>.</summary>
public static class ClusterKinds
{
    public static IReadOnlyList<ClusterKind> All { get; } =
        [ClusterKind.Galera, ClusterKind.GroupReplication, ClusterKind.PgReplication, ClusterKind.MariaDbReplication];

    /// <summary>Returns the name on the command line and of the folder.</summary>
    public static string Word(this ClusterKind kind) => kind switch
    {
        ClusterKind.Galera => "galera",
        ClusterKind.GroupReplication => "group-replication",
        ClusterKind.PgReplication => "pg-replication",
        _ => "mariadb-replication",
    };

    /// <summary>Reads a name as <see cref="Word"/> writes it.</summary>
    public static bool TryParse(string word, out ClusterKind kind)
    {
        foreach (var one in All)
        {
            if (string.Equals(one.Word(), word, StringComparison.OrdinalIgnoreCase))
            {
                kind = one;
                return true;
            }
        }

        kind = default;
        return false;
    }
}
