using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The beginning of a transaction that was prepared for a two-phase commit.
/// <code>
/// 'b' | prepare_lsn (int64) | end_lsn (int64) | prepare_time (int64) | xid (int32) | gid\0
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Begin Prepare.
/// </summary>
/// <param name="PrepareLsn">Where the preparation is in the log.</param>
/// <param name="EndLsn">The end of the prepared transaction in the log.</param>
/// <param name="PrepareTime">When the transaction was prepared, in microseconds since 2000-01-01 UTC.</param>
/// <param name="Xid">The transaction.</param>
/// <param name="Gid">The name of the prepared transaction.</param>
internal readonly record struct BeginPrepare(ulong PrepareLsn, ulong EndLsn, long PrepareTime, uint Xid, string Gid)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static BeginPrepare Read(ref ByteReader reader)
    {
        var message = new BeginPrepare(
            (ulong)reader.Int64BigEndian(), (ulong)reader.Int64BigEndian(), reader.Int64BigEndian(), (uint)reader.Int32BigEndian(), reader.TextToZero());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
