using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// Cancels the running command of another session. It is sent on a connection of its own in place of a StartupMessage. The server closes that connection
/// without an answer.
/// <code>
/// length (int32) | 80877102 (int32) | process_id (int32) | secret_key (4 bytes; up to 256 since protocol 3.2)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CancelRequest.
/// </summary>
internal static class CancelRequest
{
    private const int Code = 80877102;

    public static void Write(ByteWriter writer, BackendKeyData session)
    {
        writer.Int32BigEndian(12 + session.SecretKey.Length);
        writer.Int32BigEndian(Code);
        writer.Int32BigEndian(session.ProcessId);
        writer.Bytes(session.SecretKey);
    }
}
