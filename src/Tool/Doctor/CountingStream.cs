using System.Net.Sockets;

namespace Slipstream.Tool.Doctor;

/// <summary>Counts round trips: a receive that follows a send is one. Notices whether the driver begins TLS.</summary>
internal sealed class RoundTripCounter
{
    // https://www.rfc-editor.org/rfc/rfc8446#section-5.1: a record of the type handshake, and the first byte of its version. No other message of the two
    // protocols begins like this, except a command of MySQL of more than 64 KiB.
    private const byte Handshake = 22;
    private const byte Version = 3;

    private int _count;
    private int _hasSent;
    private int _hasTls;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Gets whether the driver has begun TLS with what it is connected to: the server, or a proxy.</summary>
    public bool HasTls => Volatile.Read(ref _hasTls) == 1;

    public void Sent(ReadOnlySpan<byte> bytes)
    {
        if (bytes is [Handshake, Version, ..])
            Volatile.Write(ref _hasTls, 1);
        Volatile.Write(ref _hasSent, 1);
    }

    public void Received(int bytes)
    {
        if (bytes > 0 && Interlocked.Exchange(ref _hasSent, 0) == 1)
            Interlocked.Increment(ref _count);
    }

    /// <summary>Connects as the driver does, to a host or, with port 0, to a unix socket.</summary>
    public Stream Connect(string host, int port, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (port == 0)
        {
            var local = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            local.Connect(new UnixDomainSocketEndPoint(host));
            return new CountingStream(new NetworkStream(local, ownsSocket: true), this);
        }

        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(host, port);
        return new CountingStream(new NetworkStream(socket, ownsSocket: true), this);
    }

    private sealed class CountingStream(NetworkStream inner, RoundTripCounter counter) : Stream
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

        public override bool CanTimeout => inner.CanTimeout;

        public override int ReadTimeout
        {
            get => inner.ReadTimeout;
            set => inner.ReadTimeout = value;
        }

        public override int WriteTimeout
        {
            get => inner.WriteTimeout;
            set => inner.WriteTimeout = value;
        }

        public override void Flush() => inner.Flush();

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override int Read(Span<byte> buffer)
        {
            var bytes = inner.Read(buffer);
            counter.Received(bytes);
            return bytes;
        }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var bytes = await inner.ReadAsync(buffer, cancellationToken);
            counter.Received(bytes);
            return bytes;
        }

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            counter.Sent(buffer);
            inner.Write(buffer);
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            counter.Sent(buffer.Span);
            return inner.WriteAsync(buffer, cancellationToken);
        }

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            if (disposing)
                inner.Dispose();
            base.Dispose(disposing);
        }
    }
}
