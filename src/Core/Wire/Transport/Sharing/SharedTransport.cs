using System.Threading.Tasks.Sources;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// One caller's end of a <see cref="SharedWire"/>: what it sends joins what others send, and it receives the answers to that and nothing else. An answer is
/// there as a whole before its caller goes on, unless it is too large to be held.
/// </summary>
public sealed class SharedTransport : ITransport, IValueTaskSource<int>
{
    private const int KeptCapacity = 64 * 1024;

    private readonly SharedWire _shared;
    private ManualResetValueTaskSourceCore<int> _done;
    private byte[] _inbox = [];
    private int _start;
    private int _end;
    private Memory<byte> _room;
    private bool _isWaiting;
    private bool _isBlocked;
    private bool _isWhole = true;
    private bool _isStreaming;
    private long _answered;
    private volatile bool _isAbandoned;
    private Exception? _failure;

    internal SharedTransport(SharedWire shared) => _shared = shared;

    /// <inheritdoc/>
    public bool HasWaitedAsynchronously => false;

    /// <inheritdoc/>
    public bool SuitsBothWays => true;

    /// <inheritdoc/>
    public PeerTrust Trust => _shared.Transport.Trust;

    /// <inheritdoc/>
    public string Peer => _shared.Transport.Peer;

    /// <inheritdoc/>
    public bool IsReadable => false;

    /// <summary>How long its last answer was the one that had to come next, in microseconds.</summary>
    public long ServiceMicroseconds { get; internal set; }

    /// <summary>How long the answers to its last send were, in bytes, as far as they have come.</summary>
    public long AnswerBytes => Volatile.Read(ref _answered);

    /// <summary>True when all that was answered has been taken and nothing more will come: another command may follow.</summary>
    public bool IsSettled
    {
        get
        {
            lock (this)
                return _isWhole && !_isStreaming && _start == _end && _failure is null;
        }
    }

    /// <summary>True when its caller has gone: answers to what it had sent are dropped.</summary>
    internal bool IsAbandoned => _isAbandoned;

    /// <inheritdoc/>
    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        Send(bytes.Span);
        return default;
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes) => _shared.Send(this, bytes);

    /// <inheritdoc/>
    public ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        int taken;
        lock (this)
        {
            ThrowIfFailed();
            if (!HasSomething)
            {
                _room = room;
                _isWaiting = true;
                return new(this, _done.Version);
            }

            taken = Take(room.Span);
        }

        _shared.Drained(this);
        return new(taken);
    }

    /// <inheritdoc/>
    public int Receive(Span<byte> room)
    {
        // What this thread holds back, if it passes answers on, must leave before it sleeps.
        _shared.Flush();
        int taken;
        lock (this)
        {
            ThrowIfFailed();
            if (!HasSomething)
            {
                _isBlocked = true;
                while (!HasSomething && _failure is null)
                    Monitor.Wait(this);
                _isBlocked = false;
                ThrowIfFailed();
            }

            taken = Take(room);
        }

        _shared.Drained(this);
        return taken;
    }

    /// <inheritdoc/>
    public ITransport Upgrade() => throw new InvalidOperationException("A shared connection is encrypted already, or never.");

    /// <inheritdoc/>
    public ValueTask<ITransport> UpgradeAsync() => throw new InvalidOperationException("A shared connection is encrypted already, or never.");

    /// <inheritdoc/>
    public void Shutdown()
    {
        Fail(new WireException(WireFailure.Lost, "The command was given up: it may run on, and its answer will be dropped.") { IsGivenUp = true }, isAbandoned: true);
        _shared.Abandoned(this);
    }

    /// <inheritdoc/>
    public void Dispose() => Shutdown();

    // ---------------------------------------------------------------- the shared wire's side

    /// <summary>Bytes of answers that its caller has not taken yet.</summary>
    internal int Held
    {
        get
        {
            lock (this)
                return _end - _start;
        }
    }

    /// <summary>Answers are on their way.</summary>
    internal void Expect()
    {
        lock (this)
        {
            _isWhole = false;
            _answered = 0;
        }
    }

    /// <summary>A part of an answer has arrived.</summary>
    /// <returns>True when its caller may go on: it is the last part.</returns>
    internal bool Deliver(ReadOnlySpan<byte> part, bool isLast)
    {
        if (_isAbandoned)
            return false;
        lock (this)
        {
            if (_start == _end)
                _start = _end = 0;
            if (part.Length > _inbox.Length - _end)
                MakeRoom(part.Length);
            part.CopyTo(_inbox.AsSpan(_end));
            _end += part.Length;
            _answered += part.Length;
            _isWhole |= isLast;
            _isStreaming &= !isLast;
            return isLast;
        }
    }

    /// <summary>The answer is too large to be held: its caller takes it as it comes.</summary>
    internal void Stream()
    {
        lock (this)
            _isWhole = _isStreaming = true;
    }

    /// <summary>Lets the caller go on, on this thread.</summary>
    internal void Complete()
    {
        int taken;
        lock (this)
        {
            if (_isBlocked)
                Monitor.PulseAll(this);
            if (!_isWaiting || !HasSomething)
                return;
            _isWaiting = false;
            taken = Take(_room.Span);
            _room = default;
        }

        // It may have taken all, and will not ask again before there is more.
        _shared.Drained(this);
        _done.SetResult(taken);
    }

    /// <summary>Ends all waits. The caller goes on in the thread pool: whoever calls this has something else to do.</summary>
    internal void Fail(Exception failure, bool isAbandoned = false)
    {
        lock (this)
        {
            _failure ??= failure;
            _isAbandoned |= isAbandoned;
            _inbox = [];
            _start = _end = 0;
            if (_isBlocked)
                Monitor.PulseAll(this);
            if (!_isWaiting)
                return;
            _isWaiting = false;
            _room = default;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static transport => transport._done.SetException(transport._failure!), this, preferLocal: false);
    }

    private bool HasSomething => _isWhole && _end > _start;

    private void ThrowIfFailed()
    {
        if (_failure is { } failure)
            throw failure;
    }

    private int Take(Span<byte> room)
    {
        var count = Math.Min(room.Length, _end - _start);
        _inbox.AsSpan(_start, count).CopyTo(room);
        _start += count;
        if (_start == _end)
        {
            _start = _end = 0;
            if (_inbox.Length > KeptCapacity)
                _inbox = [];
        }

        return count;
    }

    private void MakeRoom(int more)
    {
        var held = _end - _start;
        var target = held + more <= _inbox.Length ? _inbox : new byte[Math.Max(1024, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)(held + more)))];
        Buffer.BlockCopy(_inbox, _start, target, 0, held);
        _inbox = target;
        _start = 0;
        _end = held;
    }

    // ---------------------------------------------------------------- the task of a wait

    int IValueTaskSource<int>.GetResult(short token)
    {
        try
        {
            return _done.GetResult(token);
        }
        finally
        {
            _done.Reset();
        }
    }

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _done.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _done.OnCompleted(continuation, state, token, flags);
}
