using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The commit of a prepared transaction.
/// <code>
/// 'K' | flags (1) | commit_lsn (int64) | end_lsn (int64) | commit_time (int64) | xid (int32) | gid\0
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Commit Prepared.
/// </summary>
/// <param name="Flags">Unused.</param>
/// <param name="CommitLsn">Where the commit is in the log.</param>
/// <param name="EndLsn">The end of the commit in the log.</param>
/// <param name="CommitTime">When the transaction committed, in microseconds since 2000-01-01 UTC.</param>
/// <param name="Xid">The transaction.</param>
/// <param name="Gid">The name of the prepared transaction.</param>
internal readonly record struct CommitPrepared(byte Flags, ulong CommitLsn, ulong EndLsn, long CommitTime, uint Xid, string Gid)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static CommitPrepared Read(ref ByteReader reader)
    {
        var message = new CommitPrepared(
            reader.Byte(), (ulong)reader.Int64BigEndian(), (ulong)reader.Int64BigEndian(), reader.Int64BigEndian(), (uint)reader.Int32BigEndian(),
            reader.TextToZero());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
