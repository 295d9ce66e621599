using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// The server does not support the minor version or some "_pq_." options that the client requested.
/// <code>
/// 'v' | length (int32) | newest_minor_version (int32) | count (int32) | { option\0 }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", NegotiateProtocolVersion.
/// </summary>
internal readonly record struct NegotiateProtocolVersion(int NewestMinorVersion, string[] UnknownOptions)
{
    private const int MaxOptions = 64;

    /// <summary>Reads the body. The reader fails if it is truncated or names more than 64 options.</summary>
    public static NegotiateProtocolVersion Read(ref ByteReader reader)
    {
        var version = reader.Int32BigEndian();
        var count = reader.Int32BigEndian();
        if ((uint)count > MaxOptions)
        {
            reader.Fail();
            return new(version, []);
        }

        var options = new string[count];
        for (var i = 0; i < count; i++)
            options[i] = reader.TextToZero();
        return new(version, options);
    }
}
