namespace Slipstream.Equivalence.Language;

/// <summary>A type that no driver knows; messages contain its name.</summary>
internal sealed class OpaqueValue;

/// <summary>A stream of known bytes, which can throw at its end.</summary>
internal sealed class TestStream(int length, bool breaks) : Stream
{
    private int _position;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        if (_position == length)
            return breaks ? throw new InvalidDataException("the stream broke") : 0;
        var count = Math.Min(buffer.Length, length - _position);
        for (var i = 0; i < count; i++)
            buffer[i] = (byte)((_position + i) * 7);
        _position += count;
        return count;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
