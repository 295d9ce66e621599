using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.MySql;

/// <summary>A geometry in the server's own form: four bytes of spatial reference id (little-endian), then well-known binary.</summary>
public sealed class MySqlGeometry
{
    private const int SridLength = 4;

    // The smallest well-known binary: byte order, type and nothing else.
    private const int SmallestLength = SridLength + 5;

    private readonly byte[] _value;

    private MySqlGeometry(byte[] value) => _value = value;

    /// <summary>The spatial reference system; 0 for the flat plane.</summary>
    public int SRID => BinaryPrimitives.ReadInt32LittleEndian(_value);

    /// <summary>Well-known binary.</summary>
    public ReadOnlySpan<byte> WKB => _value.AsSpan(SridLength);

    /// <summary>The server's form. The array is the object's own: do not change it.</summary>
    [SuppressMessage("Performance", "CA1819:Properties should not return arrays", Justification = "The public surface of applications written for MySqlConnector.")]
    public byte[] Value => _value;

    /// <summary>From a spatial reference id and well-known binary, which are copied.</summary>
    public static MySqlGeometry FromWkb(int srid, ReadOnlySpan<byte> wkb)
    {
        var value = new byte[checked(wkb.Length + SridLength)];
        BinaryPrimitives.WriteInt32LittleEndian(value, srid);
        wkb.CopyTo(value.AsSpan(SridLength));
        return new(value);
    }

    /// <summary>From the server's form, which is copied.</summary>
    /// <exception cref="ArgumentException">It is too short to be a geometry.</exception>
    public static MySqlGeometry FromMySql(ReadOnlySpan<byte> value) => value.Length >= SmallestLength
        ? new(value.ToArray())
        : throw new ArgumentException($"A geometry has at least {SmallestLength} bytes, not {value.Length}.", nameof(value));
}
