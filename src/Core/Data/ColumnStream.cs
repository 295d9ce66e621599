namespace Slipstream.Core.Data;

/// <summary>A large column's value, forward only, straight from the wire. Valid until the reader moves on.</summary>
internal sealed class ColumnStream(ProviderDataReader reader, int ordinal) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => reader.LengthOnWire(ordinal);

    public override long Position
    {
        get => reader.PositionOnWire(ordinal);
        set => throw new NotSupportedException("The value is read forward only.");
    }

    public override int Read(Span<byte> buffer) => reader.ReadFromWire(ordinal, buffer);

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        reader.ReadFromWireAsync(ordinal, buffer, cancellationToken);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
        // Nothing is written.
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException("The value is read forward only.");

    public override void SetLength(long value) => throw new NotSupportedException("The value is read only.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The value is read only.");
}
