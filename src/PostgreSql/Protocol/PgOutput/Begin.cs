using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The beginning of a committed transaction.
/// <code>
/// 'B' | final_lsn (int64) | commit_time (int64) | xid (int32)
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Begin.
/// </summary>
/// <param name="FinalLsn">Where the commit is in the log.</param>
/// <param name="CommitTime">When the transaction committed, in microseconds since 2000-01-01 UTC.</param>
/// <param name="Xid">The transaction.</param>
internal readonly record struct Begin(ulong FinalLsn, long CommitTime, uint Xid)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static Begin Read(ref ByteReader reader)
    {
        var message = new Begin((ulong)reader.Int64BigEndian(), reader.Int64BigEndian(), (uint)reader.Int32BigEndian());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
