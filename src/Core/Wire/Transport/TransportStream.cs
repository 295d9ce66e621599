using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>A transport as the stream under an <see cref="System.Net.Security.SslStream"/>, in both ways of waiting.</summary>
internal sealed class TransportStream(ITransport transport) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    // TLS reads nothing in front of each record, to wait without holding a buffer. The wait that follows is enough: it saves a system call per record.
    public override int Read(Span<byte> buffer)
    {
        try
        {
            return buffer.IsEmpty ? 0 : transport.Receive(buffer);
        }
        catch (WireException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => buffer.IsEmpty ? new(0) : transport.ReceiveAsync(buffer);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            transport.Send(buffer);
        }
        catch (WireException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => transport.SendAsync(buffer);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
        // Nothing is held back.
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
