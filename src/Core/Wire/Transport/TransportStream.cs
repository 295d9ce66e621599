using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>A transport as the stream under an <see cref="System.Net.Security.SslStream"/>, blocking and asynchronous.</summary>
/// <remarks>
/// Bytes that a handshake writes are held back until it reads. Its last message, which needs no answer, is then sent together with the first bytes after the
/// handshake: one send, and the server wakes up once.
/// </remarks>
internal sealed class TransportStream(ITransport transport, bool receivesAhead = true) : Stream
{
    private readonly ReceiveAhead _ahead = new(transport);
    private byte[] _held = [];
    private int _heldLength;
    private bool _isHolding;
    private RecordWatch _records;

    /// <summary>Whether TLS has received a record without data since it was last found to hold nothing: it may hold bytes after that record.</summary>
    public bool HasDeliveredOther => _records.HasSeenOther;

    /// <summary>Whether TLS has received an incomplete record.</summary>
    public bool HasDeliveredPart => _records.IsWithin;

    /// <summary>Whether bytes of the peer wait here to be read.</summary>
    public bool IsHoldingReceived => _ahead.IsHolding;

    /// <summary>Whether reads never wait: a read beyond the held bytes fails with <see cref="NoBytesHeldException"/>.</summary>
    public bool ReadsOnlyHeld { get; set; }

    /// <summary>Records how many decrypted bytes were read at once.</summary>
    public void HasRead(int count)
    {
        if (receivesAhead)
            _ahead.HasRead(count);
    }

    /// <summary>Returns the rented buffer, if nothing is held in it. No read may be running.</summary>
    public void Shrink() => _ahead.Shrink();

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    // TLS makes an empty read before each record, to wait without holding a buffer. Returning at once is enough, because the next read waits: it saves a system
    // call per record.
    public override int Read(Span<byte> buffer)
    {
        try
        {
            if (buffer.IsEmpty)
                return 0;
            if (ReadsOnlyHeld && !IsHoldingReceived)
            {
                if (transport.TakeHeld(buffer) is var held and > 0)
                    return Deliver(buffer[..held]);
                _records.Forget();
                throw new NoBytesHeldException("nothing of what has been received is held");
            }

            SendHeld();
            return Deliver(buffer[.._ahead.Receive(buffer)]);
        }
        catch (WireException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        // TLS has no buffer during the empty read. Bytes that the next read must send first would be waited for in vain.
        if (buffer.IsEmpty)
            return receivesAhead && _heldLength == 0 ? _ahead.AwaitShortAsync() : new(0);
        return _heldLength == 0 ? GivenAsync(_ahead.ReceiveAsync(buffer), buffer) : SendAndReceiveAsync(buffer);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        // The write would wait for the peer's answer.
        if (ReadsOnlyHeld)
            throw new IOException("the peer requested a TLS renegotiation");
        try
        {
            if (!_isHolding && _heldLength == 0)
            {
                transport.Send(buffer);
                return;
            }

            Hold(buffer);
            if (!_isHolding)
                SendHeld();
        }
        catch (WireException exception)
        {
            throw new IOException(exception.Message, exception);
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (!_isHolding && _heldLength == 0)
            return transport.SendAsync(buffer);
        Hold(buffer.Span);
        return _isHolding ? default : SendHeldAsync();
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
        // Held bytes are sent when necessary.
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Begins a handshake: bytes that it writes are held until it reads.</summary>
    public void HandshakeBegins() => _isHolding = true;

    /// <summary>Ends the handshake: held bytes are sent with the next ones, and no further bytes are held.</summary>
    public void IsHandshakeCompleted() => _isHolding = false;

    /// <summary>Sends the alert of a failed handshake.</summary>
    public void HandshakeHasFailed()
    {
        try
        {
            SendHeld();
        }
        catch (WireException)
        {
            // The peer has closed the connection and cannot receive the alert.
        }
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private void Hold(ReadOnlySpan<byte> bytes)
    {
        if (_held.Length - _heldLength < bytes.Length)
            Array.Resize(ref _held, Math.Max(512, _heldLength + bytes.Length));
        bytes.CopyTo(_held.AsSpan(_heldLength));
        _heldLength += bytes.Length;
    }

    private void SendHeld()
    {
        if (_heldLength == 0)
            return;
        var held = TakeHeld();
        transport.Send(held.Span);
    }

    private ValueTask SendHeldAsync() => transport.SendAsync(TakeHeld());

    private async ValueTask<int> SendAndReceiveAsync(Memory<byte> buffer)
    {
        await SendHeldAsync().ConfigureAwait(false);
        return await GivenAsync(_ahead.ReceiveAsync(buffer), buffer).ConfigureAwait(false);
    }

    // TLS decrypts in place, so its records are inspected before it receives them.
    private int Deliver(ReadOnlySpan<byte> bytes)
    {
        _records.Process(bytes);
        return bytes.Length;
    }

    private ValueTask<int> GivenAsync(ValueTask<int> receive, Memory<byte> buffer)
    {
        return receive.IsCompletedSuccessfully ? new(Deliver(buffer.Span[..receive.Result])) : Awaited(receive, buffer);

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        async ValueTask<int> Awaited(ValueTask<int> pending, Memory<byte> room)
        {
            var count = await pending.ConfigureAwait(false);
            return Deliver(room.Span[..count]);
        }
    }

    private ReadOnlyMemory<byte> TakeHeld()
    {
        var held = _held.AsMemory(0, _heldLength);
        _heldLength = 0;
        // No further bytes will be held, so the buffer can be released.
        if (!_isHolding)
            _held = [];
        return held;
    }
}

/// <summary>The exception for a stream that holds no more received bytes.</summary>
internal sealed class NoBytesHeldException(string message) : IOException(message);
