using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Slipstream.Race.Raw;

/// <summary>The raw floor's only means: a blocking socket with one inbound and one outbound buffer.</summary>
internal sealed class RawSocket : IDisposable
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private byte[] _in = new byte[64 * 1024];
    private int _end;

    /// <summary>The outgoing bytes. <see cref="Send"/> sends the first <see cref="Written"/>.</summary>
    public byte[] Out { get; private set; } = new byte[16 * 1024];

    public int Written { get; set; }

    /// <summary>The position of the next unread byte in <see cref="In"/>.</summary>
    public int Position { get; set; }

    public byte[] In => _in;

    public void Connect(string host, int port) => _socket.Connect(host, port);

    public void Send()
    {
        var sent = 0;
        while (sent < Written)
            sent += _socket.Send(Out.AsSpan(sent, Written - sent));
        Written = 0;
    }

    public Span<byte> Reserve(int length)
    {
        if (Out.Length - Written < length)
        {
            var larger = new byte[Math.Max(Out.Length * 2, Written + length)];
            Out.AsSpan(0, Written).CopyTo(larger);
            Out = larger;
        }

        var place = Out.AsSpan(Written, length);
        Written += length;
        return place;
    }

    public void Write(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Reserve(bytes.Length));

    public void WriteByte(byte value) => Reserve(1)[0] = value;

    /// <summary>Receives until <paramref name="count"/> unread bytes are in the buffer, contiguously.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Need(int count)
    {
        if (_end - Position < count)
            Fill(count);
    }

    public void Skip(int count)
    {
        while (true)
        {
            var here = Math.Min(count, _end - Position);
            Position += here;
            count -= here;
            if (count == 0)
                return;
            Fill(1);
        }
    }

    /// <summary>Copies the buffered bytes and receives the rest directly into the array.</summary>
    public void ReadInto(Span<byte> target)
    {
        var here = Math.Min(target.Length, _end - Position);
        _in.AsSpan(Position, here).CopyTo(target);
        Position += here;
        while (here < target.Length)
        {
            var received = _socket.Receive(target[here..]);
            if (received == 0)
                throw new IOException("the server closed the connection");
            here += received;
        }
    }

    public void Dispose() => _socket.Dispose();

    private void Fill(int count)
    {
        if (Position == _end)
        {
            Position = _end = 0;
        }
        else if (_in.Length - Position < count)
        {
            var unread = _in.AsSpan(Position, _end - Position);
            var target = count <= _in.Length ? _in : new byte[Math.Max(count, _in.Length * 2)];
            unread.CopyTo(target);
            _end = unread.Length;
            Position = 0;
            _in = target;
        }

        while (_end - Position < count)
        {
            var received = _socket.Receive(_in.AsSpan(_end));
            if (received == 0)
                throw new IOException("the server closed the connection");
            _end += received;
        }
    }
}
