using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// The value of a session setting that clients need. The server sends it at the start and after every change, at any time.
/// <code>
/// 'S' | length (int32) | name\0 | value\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", ParameterStatus; 54.2.7 "Asynchronous Operations".
/// </summary>
internal readonly record struct ParameterStatus(string Name, string Value)
{
    /// <summary>Reads the body. The reader fails if it is truncated.</summary>
    public static ParameterStatus Read(ref ByteReader reader) => new(reader.TextToZero(), reader.TextToZero());
}
