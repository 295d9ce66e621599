using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The end of a committed transaction.
/// <code>
/// 'C' | flags (1) | commit_lsn (int64) | end_lsn (int64) | commit_time (int64)
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Commit.
/// </summary>
/// <param name="Flags">Unused.</param>
/// <param name="CommitLsn">Where the commit is in the log.</param>
/// <param name="EndLsn">The end of the transaction in the log.</param>
/// <param name="CommitTime">When the transaction committed, in microseconds since 2000-01-01 UTC.</param>
internal readonly record struct Commit(byte Flags, ulong CommitLsn, ulong EndLsn, long CommitTime)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static Commit Read(ref ByteReader reader)
    {
        var message = new Commit(reader.Byte(), (ulong)reader.Int64BigEndian(), (ulong)reader.Int64BigEndian(), reader.Int64BigEndian());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
