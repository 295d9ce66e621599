using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The commit of a streamed transaction.
/// <code>
/// 'c' | xid (int32) | flags (1) | commit_lsn (int64) | end_lsn (int64) | commit_time (int64)
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Stream Commit.
/// </summary>
/// <param name="Xid">The transaction.</param>
/// <param name="Flags">Unused.</param>
/// <param name="CommitLsn">Where the commit is in the log.</param>
/// <param name="EndLsn">The end of the transaction in the log.</param>
/// <param name="CommitTime">When the transaction committed, in microseconds since 2000-01-01 UTC.</param>
internal readonly record struct StreamCommit(uint Xid, byte Flags, ulong CommitLsn, ulong EndLsn, long CommitTime)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static StreamCommit Read(ref ByteReader reader)
    {
        var message = new StreamCommit(
            (uint)reader.Int32BigEndian(), reader.Byte(), (ulong)reader.Int64BigEndian(), (ulong)reader.Int64BigEndian(), reader.Int64BigEndian());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
