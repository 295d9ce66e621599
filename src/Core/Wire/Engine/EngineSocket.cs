using System.Net.Sockets;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// A descriptor in the engine's set. It is put there by its first asynchronous wait and stays, told of changes only; a blocking receive takes its
/// interest away first, so that synchronous use wakes nobody. Between two blocking receives, and between two asynchronous ones, that costs no system call.
/// </summary>
internal sealed class EngineSocket
{
    private const uint ToReceive = Epoll.Readable | Epoll.PeerClosed | Epoll.EdgeTriggered;
    private const uint Nothing = Epoll.EdgeTriggered;

    private readonly CompletionEngine _engine;
    private readonly Socket _socket;
    private readonly SafeSocketHandle _handle;
    private readonly Func<SocketError, WireException> _lost;
    private readonly Lock _gate = new();
    private readonly ReceiveWait _receive;
    private readonly SendWait _send;
    private readonly ConnectWait _connect;
    private uint _interest;
    private bool _isInSet;
    private bool _isListening;
    private volatile bool _isClosing;
    private volatile bool _isDisposed;
    private int _isClosed;

    /// <param name="engine">The engine.</param>
    /// <param name="socket">Blocking, and never used asynchronously by others.</param>
    /// <param name="continuesInPool">Where completed waits go on.</param>
    /// <param name="lost">Makes the exception of a failure.</param>
    public EngineSocket(CompletionEngine engine, Socket socket, bool continuesInPool, Func<SocketError, WireException> lost)
    {
        _engine = engine;
        _socket = socket;
        _handle = socket.SafeHandle;
        _lost = lost;
        _receive = new(this, continuesInPool);
        _send = new(this, continuesInPool);
        _connect = new(this, continuesInPool);
    }

    /// <summary>Names the descriptor in the set: its place in the engine's table and how often the place was given away before.</summary>
    public ulong Key { get; set; }

    /// <summary>Whether a thread may look again and again for its next answer before it sleeps.</summary>
    public bool Spins { get; set; } = true;

    public bool IsDisposed => _isDisposed;

    /// <summary>The last receive, of either kind, has filled its room.</summary>
    public bool HasFilledRoom { get; set; }

    public ValueTask<int> ReceiveAsync(Memory<byte> room) => _receive.BeginAsync(room);

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => _send.BeginAsync(bytes);

    /// <summary>Connects; the descriptor blocks, as before, when the connection is there.</summary>
    /// <exception cref="SocketException">It could not be made.</exception>
    public ValueTask ConnectAsync(Memory<byte> address) => _connect.BeginAsync(address);

    /// <summary>Before a blocking receive: what arrives wakes nobody but the caller.</summary>
    public void StopListening()
    {
        // A receive that is still under way is the next one, whoever waits for it then.
        if (!_isListening || _receive.IsPending)
            return;
        lock (_gate)
        {
            _isListening = false;
            Watch(Nothing | (_interest & Epoll.Writable));
        }
    }

    /// <summary>Closes the descriptor, at once or when the wait under way has been ended by it.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        Interlocked.MemoryBarrier();
        if (_receive.IsPending || _send.IsPending || _connect.IsPending)
            CompletionEngine.Shutdown(_socket);
        else
            Close();
    }

    /// <summary>The kernel told of a change.</summary>
    public void Happened(uint events)
    {
        const uint AnyEnd = Epoll.PeerClosed | Epoll.HangUp | Epoll.Error;
        if ((events & AnyEnd) != 0)
            _isClosing = true;
        if (_connect.IsPending)
        {
            _connect.Happened();
            return;
        }

        if ((events & (Epoll.Readable | AnyEnd)) != 0)
            _receive.Happened();
        if ((events & (Epoll.Writable | AnyEnd)) != 0)
            _send.Happened();
    }

    /// <summary>A wait has ended, its result is not yet told: nothing may touch a disposed descriptor any more.</summary>
    public void Ended()
    {
        Interlocked.MemoryBarrier();
        if (_isDisposed)
            Close();
    }

    public Exception Failed(int failure) => _lost(Epoll.Translate(failure));

    private void Close()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
            return;
        lock (_gate)
        {
            if (_isInSet)
            {
                _engine.Remove(this, _handle);
                _isInSet = false;
            }
        }

        _socket.Dispose();
    }

    private int Listen()
    {
        lock (_gate)
        {
            var result = Watch(ToReceive | (_interest & Epoll.Writable));
            _isListening = result >= 0;
            return result;
        }
    }

    private int ListenForRoom(bool wanted)
    {
        lock (_gate)
            return Watch(wanted ? _interest | Epoll.Writable | Epoll.EdgeTriggered : _interest & ~Epoll.Writable);
    }

    // A change of interest makes the kernel look again: what is so already is told.
    private int Watch(uint interest)
    {
        _interest = interest;
        if (_isClosed != 0)
            return Epoll.Gone;
        try
        {
            var result = _isInSet ? _engine.Change(this, _handle, interest) : _engine.Add(this, _handle, interest);
            _isInSet |= result >= 0;
            return result;
        }
        catch (ObjectDisposedException)
        {
            return Epoll.Gone;
        }
    }

    private sealed class ReceiveWait(EngineSocket socket, bool continuesInPool) : EngineWait(socket, continuesInPool)
    {
        private Memory<byte> _room;

        public ValueTask<int> BeginAsync(Memory<byte> room)
        {
            _room = room;
            if (MustWait(!Socket._isListening, out var result))
                return new(this, Version);
            return result >= 0 ? new(result) : ValueTask.FromException<int>(Failed(result));
        }

        protected override int Arm() => Socket.Listen();

        protected override int Try()
        {
            var count = Epoll.Receive(Socket._handle, _room.Span);
            if (count == NotYet)
                return NotYet;
            Socket.HasFilledRoom = count == _room.Length;
            // A short read has emptied the socket, and the kernel will tell of what comes. Not so when it has told of the end already: that was its last word.
            if (count < 0 || Socket.HasFilledRoom || Socket._isClosing)
                Expect();
            _room = default;
            return count;
        }
    }

    private sealed class SendWait(EngineSocket socket, bool continuesInPool) : EngineWait(socket, continuesInPool)
    {
        private ReadOnlyMemory<byte> _left;
        private bool _isListening;

        public ValueTask BeginAsync(ReadOnlyMemory<byte> bytes)
        {
            _left = bytes;
            var result = Try();
            if (result == NotYet && MustWait(isNew: true, out result))
                return new(this, Version);
            return result >= 0 ? default : ValueTask.FromException(Failed(result));
        }

        protected override int Arm()
        {
            _isListening = true;
            return Socket.ListenForRoom(true);
        }

        protected override int Try()
        {
            var result = 0;
            while (!_left.IsEmpty && (result = Epoll.Send(Socket._handle, _left.Span)) >= 0)
                _left = _left[result..];
            if (result == NotYet)
                return NotYet;
            _left = default;
            if (_isListening)
            {
                _isListening = false;
                Socket.ListenForRoom(false);
            }

            return result;
        }
    }

    private sealed class ConnectWait(EngineSocket socket, bool continuesInPool) : EngineWait(socket, continuesInPool)
    {
        private Memory<byte> _address;

        public ValueTask BeginAsync(Memory<byte> address)
        {
            _address = address;
            var result = Try();
            if (result == NotYet && MustWait(isNew: true, out result))
                return new(this, Version);
            return result >= 0 ? default : ValueTask.FromException(Failed(result));
        }

        protected override int Arm() => Socket.ListenForRoom(true);

        protected override Exception Failed(int failure) => new SocketException((int)Epoll.Translate(failure));

        // Asking again is how the outcome is learnt. Not after the end, though: a socket that was shut down while it connected would begin anew.
        protected override int Try() => Socket._isDisposed ? Epoll.Gone : Epoll.Connect(Socket._handle, _address.Span);
    }
}
