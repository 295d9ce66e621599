using System.Runtime.CompilerServices;

namespace Slipstream.Core.Data;

/// <summary>
/// A large column's value, read forward only from the wire. Valid until the reader moves on, or until the value is read in another way.
/// </summary>
/// <param name="reader">The reader.</param>
/// <param name="ordinal">The column.</param>
/// <param name="row">Number of the row: the wire may have another row's value later.</param>
internal sealed class ColumnStream(ProviderDataReader reader, int ordinal, int row) : Stream
{
    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => reader.PartOf(row, ordinal).Length;

    public override long Position
    {
        get => reader.PartOf(row, ordinal).Position;
        set => throw new NotSupportedException("The value can be read only forward.");
    }

    public override int Read(Span<byte> buffer)
    {
        reader.PartReadTo(row, ordinal, _position);
        var count = reader.ReadFromWire(ordinal, buffer);
        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        reader.PartReadTo(row, ordinal, _position);
        var count = await reader.ReadFromWireAsync(ordinal, buffer, cancellationToken).ConfigureAwait(false);
        _position += count;
        return count;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
        // Nothing is written.
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException("The value can be read only forward.");

    public override void SetLength(long value) => throw new NotSupportedException("The value is read-only.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The value is read-only.");
}
