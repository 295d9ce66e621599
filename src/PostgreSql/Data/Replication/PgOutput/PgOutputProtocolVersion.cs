namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>The version of the protocol of pgoutput.</summary>
public enum PgOutputProtocolVersion : ulong
{
    /// <summary>Version 1, since PostgreSQL 10.</summary>
    V1 = 1,

    /// <summary>Version 2, since PostgreSQL 14: large transactions can be streamed before they end.</summary>
    V2 = 2,

    /// <summary>Version 3, since PostgreSQL 15: transactions can be decoded when they are prepared for a two-phase commit.</summary>
    V3 = 3,

    /// <summary>Version 4, since PostgreSQL 16: streamed transactions can be applied in parallel.</summary>
    V4 = 4,
}
