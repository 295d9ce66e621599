using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The rollback of a streamed transaction, or of one of its subtransactions. The last two fields exist only in the parallel mode of version 4.
/// <code>
/// 'A' | xid (int32) | subtransaction_xid (int32) [ | abort_lsn (int64) | abort_time (int64) ]
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Stream Abort.
/// </summary>
/// <param name="Xid">The transaction.</param>
/// <param name="SubtransactionXid">The subtransaction; the same as the transaction for all of it.</param>
/// <param name="AbortLsn">Where the rollback is in the log; 0 if unknown.</param>
/// <param name="AbortTime">When the transaction was rolled back, in microseconds since 2000-01-01 UTC; 0 if unknown.</param>
internal readonly record struct StreamAbort(uint Xid, uint SubtransactionXid, ulong AbortLsn, long AbortTime)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="isParallel">True if the message has the fields of the parallel mode.</param>
    public static StreamAbort Read(ref ByteReader reader, bool isParallel)
    {
        var message = new StreamAbort((uint)reader.Int32BigEndian(), (uint)reader.Int32BigEndian(), 0, 0);
        if (isParallel)
            message = message with { AbortLsn = (ulong)reader.Int64BigEndian(), AbortTime = reader.Int64BigEndian() };
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
