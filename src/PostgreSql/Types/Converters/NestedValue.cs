using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Writes the length of a value that is known only after the value has been written.</summary>
internal static class NestedValue
{
    /// <summary>Reserves the length. Until <see cref="End"/>, large values are copied, because the length must count them.</summary>
    public static Start Begin(ByteWriter writer)
    {
        var start = new Start(writer.Length, writer.MayGather);
        writer.MayGather = false;
        writer.Int32BigEndian(0);
        return start;
    }

    public static void End(ByteWriter writer, Start start)
    {
        writer.MayGather = start.MayGather;
        BinaryPrimitives.WriteInt32BigEndian(writer.Written[start.At..], writer.Length - start.At - 4);
    }

    internal readonly record struct Start(int At, bool MayGather);
}
