using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// A message that an application wrote into the log with pg_logical_emit_message. Its content ends the message.
/// <code>
/// 'M' [ | xid (int32) ] | flags (1) | lsn (int64) | prefix\0 | length (int32) | content…
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Message.
/// </summary>
/// <param name="Xid">The streamed transaction; null outside of one.</param>
/// <param name="Flags">1 if the message belongs to a transaction, otherwise 0.</param>
/// <param name="Lsn">Where the message is in the log.</param>
/// <param name="Prefix">The prefix.</param>
/// <param name="Length">The length of the content in bytes.</param>
internal readonly record struct Message(uint? Xid, byte Flags, ulong Lsn, string Prefix, int Length)
{
    /// <summary>Reads the fields before the content. The reader fails if the message is truncated, or its length does not match.</summary>
    /// <param name="reader">The message.</param>
    /// <param name="isStreamed">True inside a block of a streamed transaction.</param>
    public static Message Read(ref ByteReader reader, bool isStreamed)
    {
        var message = new Message(
            StreamedXid.Read(ref reader, isStreamed), reader.Byte(), (ulong)reader.Int64BigEndian(), reader.TextToZero(), reader.Int32BigEndian());
        if (message.Flags > 1 || message.Length != reader.Remaining)
            reader.Fail();
        return message;
    }
}
