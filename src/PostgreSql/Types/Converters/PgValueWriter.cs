using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>Takes the bytes of a value in the binary format.</summary>
public readonly ref struct PgValueWriter
{
    private readonly ByteWriter _writer;

    internal PgValueWriter(ByteWriter writer) => _writer = writer;

    /// <summary>Writes one byte.</summary>
    /// <param name="value">The byte.</param>
    public void WriteByte(byte value) => _writer.Byte(value);

    /// <summary>Writes a 16-bit integer in network byte order.</summary>
    /// <param name="value">The integer.</param>
    public void WriteInt16(short value) => _writer.Int16BigEndian(value);

    /// <summary>Writes a 32-bit integer in network byte order.</summary>
    /// <param name="value">The integer.</param>
    public void WriteInt32(int value) => _writer.Int32BigEndian(value);

    /// <summary>Writes a 64-bit integer in network byte order.</summary>
    /// <param name="value">The integer.</param>
    public void WriteInt64(long value) => _writer.Int64BigEndian(value);

    /// <summary>Writes a 32-bit floating-point number in network byte order.</summary>
    /// <param name="value">The number.</param>
    public void WriteSingle(float value) => _writer.Int32BigEndian(BitConverter.SingleToInt32Bits(value));

    /// <summary>Writes a 64-bit floating-point number in network byte order.</summary>
    /// <param name="value">The number.</param>
    public void WriteDouble(double value) => _writer.Int64BigEndian(BitConverter.DoubleToInt64Bits(value));

    /// <summary>Writes bytes.</summary>
    /// <param name="value">The bytes.</param>
    public void WriteBytes(ReadOnlySpan<byte> value) => _writer.Bytes(value);

    /// <summary>Writes text as UTF-8, without a length.</summary>
    /// <param name="value">The text.</param>
    /// <exception cref="ArgumentException">The text contains a zero character or half of a surrogate pair.</exception>
    public void WriteText(ReadOnlySpan<char> value)
    {
        if (value.Contains('\0'))
            throw new ArgumentException("A text parameter contains a NUL character (U+0000), which PostgreSQL cannot store in text: use bytea.");
        StrictUtf8.Write(_writer, value);
    }
}
