namespace Slipstream.PostgreSql.Options;

/// <summary>The kind of replication for which a session is opened. Source: PostgreSQL 18, 54.4 "Streaming Replication Protocol".</summary>
internal enum ReplicationMode : byte
{
    /// <summary>The session is an ordinary one.</summary>
    Off,

    /// <summary>The session belongs to no database, and sends the log as it is.</summary>
    Physical,

    /// <summary>The session belongs to a database, and sends its changes.</summary>
    Logical,
}
