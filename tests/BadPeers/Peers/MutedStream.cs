namespace Slipstream.BadPeers.Peers;

/// <summary>A stream that writes the given number of bytes, and discards the rest.</summary>
internal sealed class MutedStream(Stream inner, int bytes) : Stream
{
    private int _left = bytes;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => inner.Read(buffer, offset, count);

    public override void Write(byte[] buffer, int offset, int count)
    {
        var some = Math.Min(count, _left);
        _left -= some;
        inner.Write(buffer, offset, some);
    }

    public override void Flush() => inner.Flush();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
