using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Replication;

/// <summary>
/// A sign of life of the server, in a CopyData.
/// <code>
/// 'k' | wal_end (int64) | server_clock (int64) | reply_requested (1)
/// </code>
/// Source: PostgreSQL 18, 54.4 "Streaming Replication Protocol", Primary keepalive message.
/// </summary>
/// <param name="WalEnd">The end of the log on the server.</param>
/// <param name="ServerClock">When the message was sent, in microseconds since 2000-01-01 UTC.</param>
/// <param name="RequestsReply">True if the client should answer at once, to avoid a time-out.</param>
internal readonly record struct PrimaryKeepalive(ulong WalEnd, long ServerClock, bool RequestsReply)
{
    public const byte Type = (byte)'k';

    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static PrimaryKeepalive Read(ref ByteReader reader)
    {
        var message = new PrimaryKeepalive((ulong)reader.Int64BigEndian(), reader.Int64BigEndian(), reader.Byte() != 0);
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
