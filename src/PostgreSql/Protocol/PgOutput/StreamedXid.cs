using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The first field of most messages inside a block of a streamed transaction: the transaction or subtransaction.
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats".
/// </summary>
internal static class StreamedXid
{
    /// <summary>Reads the field; null outside of a block, where it does not exist.</summary>
    public static uint? Read(ref ByteReader reader, bool isStreamed) => isStreamed ? (uint)reader.Int32BigEndian() : null;
}
