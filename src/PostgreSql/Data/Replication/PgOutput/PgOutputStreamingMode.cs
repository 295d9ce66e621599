namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>Whether large transactions are streamed before they end.</summary>
public enum PgOutputStreamingMode
{
    /// <summary>Every transaction is sent after it has committed.</summary>
    Off = 0,

    /// <summary>Large transactions are streamed. Needs version 2 of the protocol.</summary>
    On = 1,

    /// <summary>Large transactions are streamed, and their rollbacks contain their locations in the log. Needs version 4 of the protocol.</summary>
    Parallel = 2,
}
