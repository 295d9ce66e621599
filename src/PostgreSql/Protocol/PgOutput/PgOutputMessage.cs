namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The type of a message of the pgoutput plug-in: its first byte. Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats".
/// </summary>
internal enum PgOutputMessage : byte
{
    StreamAbort = (byte)'A',
    Begin = (byte)'B',
    Commit = (byte)'C',
    Delete = (byte)'D',

    /// <summary>The end of a block of a streamed transaction; no fields.</summary>
    StreamStop = (byte)'E',

    Insert = (byte)'I',
    CommitPrepared = (byte)'K',
    Message = (byte)'M',
    Origin = (byte)'O',
    Prepare = (byte)'P',
    Relation = (byte)'R',
    StreamStart = (byte)'S',
    Truncate = (byte)'T',
    Update = (byte)'U',
    Type = (byte)'Y',
    BeginPrepare = (byte)'b',
    StreamCommit = (byte)'c',
    StreamPrepare = (byte)'p',
    RollbackPrepared = (byte)'r',
}
