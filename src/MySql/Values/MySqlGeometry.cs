using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.MySql;

/// <summary>A geometry in the server's format: four bytes of spatial reference id (little-endian), followed by well-known binary.</summary>
public sealed class MySqlGeometry
{
    private const int SridLength = 4;

    // In bytes. The smallest well-known binary contains only byte order and type.
    private const int SmallestLength = SridLength + 5;

    private readonly byte[] _value;

    private MySqlGeometry(byte[] value) => _value = value;

    /// <summary>Gets the spatial reference id; 0 for the flat plane.</summary>
    public int SRID => BinaryPrimitives.ReadInt32LittleEndian(_value);

    /// <summary>Gets the well-known binary.</summary>
    public ReadOnlySpan<byte> WKB => _value.AsSpan(SridLength);

    /// <summary>Gets the value in the server's format. The array is not a copy: do not change it.</summary>
    [SuppressMessage(
        "Performance", "CA1819:Properties should not return arrays", Justification = "The public surface of applications written for MySqlConnector.")]
    public byte[] Value => _value;

    /// <summary>Creates a geometry from a spatial reference id and well-known binary.</summary>
    /// <param name="srid">The spatial reference id; 0 for the flat plane.</param>
    /// <param name="wkb">The well-known binary, which is copied.</param>
    /// <returns>The geometry.</returns>
    public static MySqlGeometry FromWkb(int srid, ReadOnlySpan<byte> wkb)
    {
        var value = new byte[checked(wkb.Length + SridLength)];
        BinaryPrimitives.WriteInt32LittleEndian(value, srid);
        wkb.CopyTo(value.AsSpan(SridLength));
        return new(value);
    }

    /// <summary>Creates a geometry from the server's format.</summary>
    /// <param name="value">The bytes, which are copied.</param>
    /// <returns>The geometry.</returns>
    /// <exception cref="ArgumentException">The value has fewer than 9 bytes.</exception>
    public static MySqlGeometry FromMySql(ReadOnlySpan<byte> value) => value.Length >= SmallestLength
        ? new(value.ToArray())
        : throw new ArgumentException($"A geometry must have at least {SmallestLength} bytes, not {value.Length}.", nameof(value));
}
