using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Refuses to supply the data of a COPY … FROM STDIN. The server answers with an ErrorResponse that repeats the reason.
/// <code>
/// 'f' | length (int32) | reason\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CopyFail.
/// </summary>
internal static class CopyFail
{
    public static void Write(ByteWriter writer, string reason)
    {
        var start = writer.Begin((byte)'f');
        writer.TextAndZero(reason);
        writer.End(start);
    }
}
