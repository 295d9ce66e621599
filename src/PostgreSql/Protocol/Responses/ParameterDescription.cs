using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// The types that the server assigned to a statement's parameters.
/// <code>
/// 't' | length (int32) | count (int16, unsigned in truth) | { type_oid (int32) }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", ParameterDescription.
/// </summary>
internal static class ParameterDescription
{
    /// <summary>Reads the body. The reader fails if the count does not match the number of bytes.</summary>
    public static uint[] Read(ref ByteReader reader)
    {
        var count = (ushort)reader.Int16BigEndian();
        if (reader.Remaining != count * 4)
            reader.Fail();
        if (reader.Failed)
            return [];

        var types = new uint[count];
        for (var i = 0; i < types.Length; i++)
            types[i] = (uint)reader.Int32BigEndian();
        return types;
    }
}
