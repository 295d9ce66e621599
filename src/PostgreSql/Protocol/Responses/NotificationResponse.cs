using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// A NOTIFY on a channel that the session listens to. It may arrive at any time outside a transaction.
/// <code>
/// 'A' | length (int32) | process_id (int32) | channel\0 | payload\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", NotificationResponse.
/// </summary>
/// <param name="ProcessId">The process id of the session that sent the NOTIFY.</param>
/// <param name="Channel">The channel's name.</param>
/// <param name="Payload">The payload; empty if the NOTIFY had none.</param>
internal readonly record struct NotificationResponse(int ProcessId, string Channel, string Payload)
{
    /// <summary>Reads the body. The reader fails if a part is missing or bytes are left.</summary>
    public static NotificationResponse Read(ref ByteReader reader)
    {
        var notification = new NotificationResponse(reader.Int32BigEndian(), reader.TextToZero(), reader.TextToZero());
        if (reader.Remaining > 0)
            reader.Fail();
        return notification;
    }
}
