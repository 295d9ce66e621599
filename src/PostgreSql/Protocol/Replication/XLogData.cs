using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Replication;

/// <summary>
/// A section of the write-ahead log, or the output of a logical decoding plug-in, in a CopyData.
/// <code>
/// 'w' | wal_start (int64) | wal_end (int64) | server_clock (int64) | data…
/// </code>
/// Source: PostgreSQL 18, 54.4 "Streaming Replication Protocol", XLogData.
/// </summary>
/// <param name="WalStart">Where the data begins in the log.</param>
/// <param name="WalEnd">The end of the log on the server.</param>
/// <param name="ServerClock">When the message was sent, in microseconds since 2000-01-01 UTC.</param>
internal readonly record struct XLogData(ulong WalStart, ulong WalEnd, long ServerClock)
{
    public const byte Type = (byte)'w';

    /// <summary>The length of the fields before the data, with the type, in bytes.</summary>
    public const int HeaderLength = 25;

    /// <summary>Reads the fields after the type. The data follows.</summary>
    public static XLogData Read(ref ByteReader reader) => new((ulong)reader.Int64BigEndian(), (ulong)reader.Int64BigEndian(), reader.Int64BigEndian());
}
