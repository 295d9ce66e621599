using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Replication;

/// <summary>
/// A connection for logical replication: it streams the changes of one database. <see cref="PgOutputConnectionExtensions"/> and
/// <see cref="TestDecodingConnectionExtensions"/> create slots and begin streams.
/// </summary>
public sealed class LogicalReplicationConnection : ReplicationConnection
{
    /// <summary>Creates a closed connection without a connection string.</summary>
    public LogicalReplicationConnection()
        : base(ReplicationMode.Logical)
    {
    }

    /// <summary>Creates a closed connection.</summary>
    /// <param name="connectionString">The connection string.</param>
    /// <exception cref="ArgumentException">The string has an unknown option or a value that is not allowed.</exception>
    public LogicalReplicationConnection(string? connectionString)
        : this() => ConnectionString = connectionString;
}
