using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Protocol.Commands;

namespace Slipstream.PostgreSql.Protocol.Replication;

/// <summary>
/// Reports how far the client is, in a CopyData. The server may remove the log before the flushed location.
/// <code>
/// 'r' | received (int64) | flushed (int64) | applied (int64) | client_clock (int64) | reply_requested (1)
/// </code>
/// Source: PostgreSQL 18, 54.4 "Streaming Replication Protocol", Standby status update.
/// </summary>
internal static class StandbyStatusUpdate
{
    /// <summary>Writes the message. Each location is that of the last byte + 1.</summary>
    /// <param name="writer">The bytes to send.</param>
    /// <param name="received">The location that was received.</param>
    /// <param name="flushed">The location that is stored durably.</param>
    /// <param name="applied">The location that was applied.</param>
    /// <param name="clock">The time, in microseconds since 2000-01-01 UTC.</param>
    /// <param name="requestsReply">True to request a keepalive at once.</param>
    public static void Write(ByteWriter writer, ulong received, ulong flushed, ulong applied, long clock, bool requestsReply)
    {
        var start = CopyData.Begin(writer);
        writer.Byte((byte)'r');
        BinaryPrimitives.WriteUInt64BigEndian(writer.Grow(8), received);
        BinaryPrimitives.WriteUInt64BigEndian(writer.Grow(8), flushed);
        BinaryPrimitives.WriteUInt64BigEndian(writer.Grow(8), applied);
        BinaryPrimitives.WriteInt64BigEndian(writer.Grow(8), clock);
        writer.Byte(requestsReply ? (byte)1 : (byte)0);
        writer.End(start);
    }
}
