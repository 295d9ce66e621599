using System.Diagnostics.CodeAnalysis;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>The bytes of a value, as the server sent them. A read past the end throws <see cref="FormatException"/>.</summary>
public ref struct PgValueReader
{
    private readonly ReadOnlySpan<byte> _value;
    private readonly string _typeName;
    private ByteReader _reader;

    internal PgValueReader(ReadOnlySpan<byte> value, bool isBinary, string typeName)
    {
        _value = value;
        _reader = new(value);
        _typeName = typeName;
        IsBinary = isBinary;
    }

    /// <summary>Gets whether the value is in the binary format. Otherwise, it is the text that the type's output function writes.</summary>
    public bool IsBinary { get; }

    /// <summary>Gets the number of bytes that have not been read.</summary>
    public readonly int Remaining => _reader.Remaining;

    /// <summary>Reads one byte.</summary>
    /// <returns>The byte.</returns>
    /// <exception cref="FormatException">The value ends before.</exception>
    public byte ReadByte() => Checked(_reader.Byte());

    /// <summary>Reads a 16-bit integer in network byte order.</summary>
    /// <returns>The integer.</returns>
    /// <exception cref="FormatException">The value ends before.</exception>
    public short ReadInt16() => Checked(_reader.Int16BigEndian());

    /// <summary>Reads a 32-bit integer in network byte order.</summary>
    /// <returns>The integer.</returns>
    /// <exception cref="FormatException">The value ends before.</exception>
    public int ReadInt32() => Checked(_reader.Int32BigEndian());

    /// <summary>Reads a 64-bit integer in network byte order.</summary>
    /// <returns>The integer.</returns>
    /// <exception cref="FormatException">The value ends before.</exception>
    public long ReadInt64() => Checked(_reader.Int64BigEndian());

    /// <summary>Reads a 32-bit floating-point number in network byte order.</summary>
    /// <returns>The number.</returns>
    /// <exception cref="FormatException">The value ends before.</exception>
    public float ReadSingle() => BitConverter.Int32BitsToSingle(ReadInt32());

    /// <summary>Reads a 64-bit floating-point number in network byte order.</summary>
    /// <returns>The number.</returns>
    /// <exception cref="FormatException">The value ends before.</exception>
    public double ReadDouble() => BitConverter.Int64BitsToDouble(ReadInt64());

    /// <summary>Reads bytes. They are valid until the reader's row is left.</summary>
    /// <param name="count">The number of bytes.</param>
    /// <returns>The bytes.</returns>
    /// <exception cref="FormatException">The value ends before, or the number is negative.</exception>
    public ReadOnlySpan<byte> ReadBytes(int count)
    {
        var bytes = _reader.Bytes(count);
        if (_reader.Failed)
            Fail();
        return bytes;
    }

    /// <summary>Reads the remaining bytes.</summary>
    /// <returns>The bytes.</returns>
    public ReadOnlySpan<byte> ReadRest() => _reader.Rest();

    /// <summary>Reads the remaining bytes as UTF-8 text.</summary>
    /// <returns>The text.</returns>
    public string ReadText() => Encoding.UTF8.GetString(_reader.Rest());

    /// <summary>Reads a whole value of type timestamp or timestamptz in either format.</summary>
    /// <returns>Microseconds since 2000-01-01 00:00:00, for timestamptz in UTC. <see cref="long.MaxValue"/> is infinity, <see cref="long.MinValue"/> is
    /// -infinity.</returns>
    /// <exception cref="FormatException">The bytes are not a value of the type.</exception>
    public long ReadTimestamp()
    {
        if (IsBinary)
            return ReadInt64();
        return WideTimes.Timestamp(_reader.Rest(), _typeName);
    }

    /// <summary>Reads a whole value of type date in either format.</summary>
    /// <returns>Days since 2000-01-01. <see cref="int.MaxValue"/> is infinity, <see cref="int.MinValue"/> is -infinity.</returns>
    /// <exception cref="FormatException">The bytes are not a value of the type.</exception>
    public int ReadDate()
    {
        if (IsBinary)
            return ReadInt32();
        return WideTimes.Date(_reader.Rest(), _typeName);
    }

    /// <summary>Reads a whole value of type time in either format.</summary>
    /// <returns>Microseconds since midnight, from 0 to 86,400,000,000.</returns>
    /// <exception cref="FormatException">The bytes are not a value of the type.</exception>
    public long ReadTime() => (IsBinary ? Times.ReadBinary(_reader.Rest()) : Times.ReadText(_reader.Rest())).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>Reads a whole value of type timetz in either format.</summary>
    /// <param name="offset">The offset from UTC in seconds, positive to the east; less than 16 hours.</param>
    /// <returns>Microseconds since midnight, from 0 to 86,400,000,000.</returns>
    /// <exception cref="FormatException">The bytes are not a value of the type.</exception>
    public long ReadTimeTz(out int offset)
    {
        var (time, seconds) = IsBinary ? Times.ReadZonedBinaryParts(_reader.Rest()) : Times.ReadZonedTextParts(_reader.Rest());
        offset = seconds;
        return time.Ticks / TimeSpan.TicksPerMicrosecond;
    }

    /// <summary>Reads a whole value of type interval in either format.</summary>
    /// <returns>The interval.</returns>
    /// <exception cref="FormatException">The bytes are not a value of the type.</exception>
    public PgInterval ReadInterval() => IsBinary ? Intervals.ReadParts(_reader.Rest()) : Intervals.ReadTextParts(_reader.Rest());

    /// <summary>Throws the exception for bytes that are not a value of the type.</summary>
    /// <exception cref="FormatException">Always.</exception>
    [DoesNotReturn]
    public readonly void Fail() => throw Malformed.Of(_typeName, _value, IsBinary);

    private readonly T Checked<T>(T value)
    {
        if (_reader.Failed)
            Fail();
        return value;
    }
}
