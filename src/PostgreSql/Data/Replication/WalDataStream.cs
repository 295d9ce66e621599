namespace Slipstream.PostgreSql.Replication;

/// <summary>The inbound buffer of a replication stream, and which message it holds.</summary>
internal sealed class WalBuffer
{
    /// <summary>Gets or sets the bytes.</summary>
    public byte[] Bytes { get; set; } = [];

    /// <summary>Gets the number of the current message. It changes when the bytes may change.</summary>
    public long Number { get; private set; }

    /// <summary>Invalidates everything that reads from the buffer.</summary>
    public void Next()
    {
        Number++;
        Bytes = [];
    }

    /// <summary>Throws if a message is no longer the current one.</summary>
    /// <exception cref="ObjectDisposedException">It is not.</exception>
    public void Require(long number)
    {
        if (number != Number)
            throw new ObjectDisposedException(
                null, "The message of replication is no longer valid: read its values before the next message is requested and before the stream ends.");
    }
}

/// <summary>A part of the current message as a stream, without a copy. It is valid until the next message is requested.</summary>
internal sealed class WalDataStream(WalBuffer buffer) : Stream
{
    private long _number = -1;
    private int _start;
    private int _length;
    private int _position;

    public override bool CanRead => _number == buffer.Number;

    public override bool CanSeek => CanRead;

    public override bool CanWrite => false;

    public override long Length
    {
        get
        {
            buffer.Require(_number);
            return _length;
        }
    }

    public override long Position
    {
        get
        {
            buffer.Require(_number);
            return _position;
        }
        set => Seek(value, SeekOrigin.Begin);
    }

    /// <summary>Moves to a part of the current message.</summary>
    public WalDataStream At(int start, int length)
    {
        (_number, _start, _length, _position) = (buffer.Number, start, length, 0);
        return this;
    }

    public override int Read(Span<byte> target)
    {
        buffer.Require(_number);
        var count = Math.Min(target.Length, _length - _position);
        buffer.Bytes.AsSpan(_start + _position, count).CopyTo(target);
        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    public override int ReadByte()
    {
        Span<byte> one = stackalloc byte[1];
        return Read(one) == 0 ? -1 : one[0];
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<int>(cancellationToken);
        try
        {
            return new(Read(buffer.Span));
        }
        catch (ObjectDisposedException exception)
        {
            return ValueTask.FromException<int>(exception);
        }
    }

    public override long Seek(long offset, SeekOrigin origin)
    {
        buffer.Require(_number);
        var to = offset + (origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _position,
            SeekOrigin.End => _length,
            _ => throw new ArgumentOutOfRangeException(nameof(origin), origin, "The origin of a seek is Begin, Current or End."),
        });
        if (to < 0 || to > _length)
            throw new ArgumentOutOfRangeException(nameof(offset), offset, $"The position must be between 0 and the length ({_length} bytes).");
        _position = (int)to;
        return to;
    }

    public override void Flush()
    {
        // There is nothing to write.
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
