using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.PgOutput;

/// <summary>
/// The origin of the transaction that follows: the server on which it was executed first.
/// <code>
/// 'O' | origin_lsn (int64) | name\0
/// </code>
/// Source: PostgreSQL 18, 54.9 "Logical Replication Message Formats", Origin.
/// </summary>
/// <param name="OriginLsn">Where the commit is in the log of the origin.</param>
/// <param name="Name">The name of the origin.</param>
internal readonly record struct Origin(ulong OriginLsn, string Name)
{
    /// <summary>Reads the fields after the type. The reader fails if the message is truncated or has excess bytes.</summary>
    public static Origin Read(ref ByteReader reader)
    {
        var message = new Origin((ulong)reader.Int64BigEndian(), reader.TextToZero());
        if (reader.Remaining != 0)
            reader.Fail();
        return message;
    }
}
