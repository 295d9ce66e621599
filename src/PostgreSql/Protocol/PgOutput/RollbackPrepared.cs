using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The rollback of a prepared transaction.
/// <code>
/// 'r' | flags (1) | prepare_end_lsn (int64) | rollback_end_lsn (int64) | prepare_time (int64) | rollback_time (int64) | xid (int32) | gid\0
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Rollback Prepared.
/// </summary>
/// <param name="Flags">Unused.</param>
/// <param name="PrepareEndLsn">The end of the prepared transaction in the log.</param>
/// <param name="RollbackEndLsn">The end of the rollback in the log.</param>
/// <param name="PrepareTime">When the transaction was prepared, in microseconds since 2000-01-01 UTC.</param>
/// <param name="RollbackTime">When the transaction was rolled back, in microseconds since 2000-01-01 UTC.</param>
/// <param name="Xid">The transaction.</param>
/// <param name="Gid">The name of the prepared transaction.</param>
internal readonly record struct RollbackPrepared(
    byte Flags, ulong PrepareEndLsn, ulong RollbackEndLsn, long PrepareTime, long RollbackTime, uint Xid, string Gid)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static RollbackPrepared Read(ref ByteReader reader)
    {
        var message = new RollbackPrepared(
            reader.Byte(), (ulong)reader.Int64BigEndian(), (ulong)reader.Int64BigEndian(), reader.Int64BigEndian(), reader.Int64BigEndian(),
            (uint)reader.Int32BigEndian(), reader.TextToZero());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
