using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The beginning of a block of changes of a transaction that has not ended yet.
/// <code>
/// 'S' | xid (int32) | first_segment (1)
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Stream Start.
/// </summary>
/// <param name="Xid">The transaction.</param>
/// <param name="Segment">1 for the first block of the transaction, otherwise 0.</param>
internal readonly record struct StreamStart(uint Xid, byte Segment)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static StreamStart Read(ref ByteReader reader)
    {
        var message = new StreamStart((uint)reader.Int32BigEndian(), reader.Byte());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
