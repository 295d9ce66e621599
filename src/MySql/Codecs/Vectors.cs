using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Slipstream.MySql.Codecs;

/// <summary>float[] ↔ VECTOR of MySQL 9 and MariaDB 11.7: four bytes per element, IEEE 754, little-endian, in both protocols.</summary>
internal static class Vectors
{
    public static float[] Read(ReadOnlySpan<byte> value)
    {
        if (value.Length % sizeof(float) != 0)
            Malformed.Throw("VECTOR", value.Length);
        var elements = new float[value.Length / sizeof(float)];
        if (BitConverter.IsLittleEndian)
            value.CopyTo(MemoryMarshal.AsBytes(elements.AsSpan()));
        else
        {
            for (var i = 0; i < elements.Length; i++)
                elements[i] = BinaryPrimitives.ReadSingleLittleEndian(value[(i * sizeof(float))..]);
        }

        return elements;
    }

    /// <summary>Returns the bytes of the elements.</summary>
    public static byte[] ToBytes(ReadOnlySpan<float> elements)
    {
        var bytes = new byte[checked(elements.Length * sizeof(float))];
        for (var i = 0; i < elements.Length; i++)
            BinaryPrimitives.WriteSingleLittleEndian(bytes.AsSpan(i * sizeof(float)), elements[i]);
        return bytes;
    }
}
