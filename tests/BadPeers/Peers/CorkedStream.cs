namespace Slipstream.BadPeers.Peers;

/// <summary>A stream that keeps what is written while it is corked, and then writes it at once.</summary>
internal sealed class CorkedStream(Stream inner) : Stream
{
    private readonly MemoryStream _kept = new();
    private bool _isCorked;
    private int _pass = int.MaxValue;

    /// <summary>Sets how many more writes pass; every later write is kept.</summary>
    public int CorksBehind { set => _pass = value; }

    /// <summary>The number of bytes kept.</summary>
    public int Kept => (int)_kept.Length;

    /// <summary>Writes the first bytes that have been kept, and stops keeping.</summary>
    /// <returns>The other kept bytes, which are not written.</returns>
    public byte[] Cut(int at)
    {
        var rest = _kept.ToArray()[at..];
        _kept.SetLength(at);
        IsCorked = false;
        return rest;
    }

    public bool IsCorked
    {
        set
        {
            _isCorked = value;
            _pass = int.MaxValue;
            if (value)
                return;
            inner.Write(_kept.GetBuffer().AsSpan(0, (int)_kept.Length));
            _kept.SetLength(0);
        }
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(Span<byte> buffer) => inner.Read(buffer);

    public override int Read(byte[] buffer, int offset, int count) => inner.Read(buffer, offset, count);

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        _isCorked |= _pass-- <= 0;
        (_isCorked ? _kept : inner).Write(buffer);
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush() => inner.Flush();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
