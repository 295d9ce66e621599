using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// One connection that many callers use at once: their commands are sent one behind the other, and each gets the answers to its own. There is no loop
/// and no thread of its own: who sends takes along what others have appended meanwhile; who hears of answers (a thread of the completion engine) takes
/// them apart, lets the kernel tell of the next ones to whoever is free, and only then lets the callers go on, one by one. What these send is held
/// back until the last of them has had its turn, so that it leaves in one piece.
/// </summary>
public sealed class SharedWire : IThreadPoolWorkItem, IAttended
{
    // An answer larger than this is passed on in pieces, and what comes behind it waits for its caller.
    private const int MostHeld = 1 << 20;

    // Unless that caller does not take it while others wait behind: it may be waiting for one of them.
    private const int MostHeldForOthers = 64 << 20;
    private const int LooksOfPatience = 25;

    [ThreadStatic]
    private static SharedWire? t_passingOn;

    private readonly Wire _wire;
    private readonly AnswerBounds _bounds;
    private readonly Lock _gate = new();
    private readonly Action _received;
    private readonly Queue<Request> _requests = new();
    private readonly Queue<SharedTransport> _ready = new();
    private ByteWriter _waiting = new();
    private ByteWriter _leaving = new();
    private int _waitingRequests;
    private bool _isSending;
    private Action? _whenUnused;
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _receive;
    private SharedTransport? _pausedFor;
    private volatile bool _isStreaming;
    private int _mostHeld = MostHeld;
    private int _pausedLooks;
    private int _dropped;
    private Exception? _failure;
    private long _frontSince = Clock.Never;
    private volatile int _moves;
    private int _seenMoves;

    /// <param name="wire">Connected, authenticated, and used by nobody else from now on.</param>
    /// <param name="bounds">The protocol's.</param>
    public SharedWire(Wire wire, AnswerBounds bounds)
    {
        _wire = wire;
        _bounds = bounds;
        _received = Received;
    }

    /// <summary>The shared wire whose answers the current thread is passing on.</summary>
    public static SharedWire? Current => t_passingOn;

    /// <summary>What carries the bytes of all that share it.</summary>
    public ITransport Transport => _wire.Transport;

    /// <summary>Why it cannot be used any more; null while it can.</summary>
    public Exception? Failure => Volatile.Read(ref _failure);

    /// <summary>How many answers are awaited, about.</summary>
    public int Depth => _requests.Count;

    /// <summary>For how long the answer that must come next has been awaited, in microseconds; 0 when none is.</summary>
    public long Lateness => Volatile.Read(ref _frontSince) is var since && since == Clock.Never ? 0 : Clock.Microseconds - since;

    /// <summary>True while an answer that is too large to be held is passed on: what is sent now may wait for its caller, and its caller for that.</summary>
    public bool IsStreaming => _isStreaming;

    /// <summary>How many answers came when their callers had gone.</summary>
    public int Dropped => Volatile.Read(ref _dropped);

    /// <summary>Called once when it has broken.</summary>
    public Action? Broken { get; init; }

    /// <summary>Begins to listen.</summary>
    public void Start()
    {
        CompletionEngine.Shared?.Threads.Attend(this);
        Receive();
    }

    /// <summary>A new caller's end.</summary>
    public SharedTransport Open() => new(this);

    // ---------------------------------------------------------------- sending

    internal void Send(SharedTransport caller, ReadOnlySpan<byte> bytes)
    {
        Span<byte> kinds = stackalloc byte[AnswerBounds.MostRequests];
        var count = _bounds.FindRequests(bytes, kinds);
        bool isHeldBack;
        lock (_gate)
        {
            if (_failure is { } failure)
                throw new WireException(WireFailure.Lost, failure.Message, failure) { RetrySafety = RetrySafety.NotSent };
            _waiting.Bytes(bytes);
            if (count > 0)
            {
                caller.Expect();
                if (_requests.Count == 0)
                    Volatile.Write(ref _frontSince, Clock.Microseconds);
            }

            for (var i = 0; i < count; i++)
                _requests.Enqueue(new(caller, kinds[i], i == count - 1));
            _waitingRequests += count;
            if (_isSending)
                return;
            isHeldBack = t_passingOn == this;
            _isSending = !isHeldBack;
        }

        if (isHeldBack)
            CompletionEngine.Shared?.Threads.WakeWatchdog();
        else
            SendWaiting();
    }

    /// <summary>Sends what waits, unless somebody is doing that.</summary>
    internal void Flush()
    {
        lock (_gate)
        {
            if (_isSending || _waiting.Length == 0)
                return;
            _isSending = true;
        }

        SendWaiting();
    }

    private void SendWaiting()
    {
        Action? whenUnused;
        try
        {
            while (NextToSend(out whenUnused) is { } bytes)
            {
                var sent = _wire.Transport.SendAsync(bytes);
                if (!sent.IsCompletedSuccessfully)
                {
                    _ = SendRestAsync(sent);
                    return;
                }

                sent.GetAwaiter().GetResult();
            }
        }
        catch (Exception exception)
        {
            Fail(exception);
            NextToSend(out whenUnused);
        }

        whenUnused?.Invoke();
    }

    private async Task SendRestAsync(ValueTask sent)
    {
        try
        {
            await sent.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            Fail(exception);
        }

        SendWaiting();
    }

    // Null ends the turn of who sends, who then does what waits for that.
    private ReadOnlyMemory<byte>? NextToSend(out Action? whenUnused)
    {
        lock (_gate)
        {
            whenUnused = null;
            _leaving.Clear();
            if (_waiting.Length == 0 || _failure is not null)
            {
                _isSending = false;
                (whenUnused, _whenUnused) = (_whenUnused, null);
                return null;
            }

            (_leaving, _waiting) = (_waiting, _leaving);
            _waitingRequests = 0;
            return _leaving.WrittenMemory;
        }
    }

    // ---------------------------------------------------------------- receiving

    private void Receive()
    {
        try
        {
            while (TakeApart())
            {
                if (!HasReceived(_wire.Transport.ReceiveAsync(_wire.Room())))
                    return;

                _wire.Took(_receive.GetResult());
            }
        }
        catch (Exception exception)
        {
            Fail(exception);
        }
    }

    private bool HasReceived(ValueTask<int> receive)
    {
        _receive = receive.ConfigureAwait(false).GetAwaiter();
        if (_receive.IsCompleted)
            return true;
        // From here on another thread may be where this one was.
        _receive.UnsafeOnCompleted(_received);
        return false;
    }

    private void Received()
    {
        try
        {
            _wire.Took(_receive.GetResult());
        }
        catch (Exception exception)
        {
            Fail(exception);
            return;
        }

        Receive();
        PassOn();
    }

    // False when nothing more is to be received now.
    private bool TakeApart()
    {
        _moves++;
        while (_wire.Buffered > 0)
        {
            Request request;
            lock (_gate)
            {
                if (!_requests.TryPeek(out request))
                    throw new ProtocolException("nothing: no answer is awaited", $"{_wire.Buffered} bytes");
            }

            var taken = _bounds.Take(_wire.In.AsSpan(_wire.Start, _wire.Buffered), request.Kind, out var ended, out var wanted);
            var isWhole = request.Caller.Deliver(_wire.In.AsSpan(_wire.Start, taken), ended && request.IsLast);
            _wire.Start += taken;
            if (ended)
            {
                lock (_gate)
                {
                    _requests.Dequeue();
                    if (request.IsLast && request.Caller.IsAbandoned)
                        _dropped++;
                    _isStreaming = false;
                    _mostHeld = MostHeld;
                    request.Caller.ServiceMicroseconds = Lateness;
                    Volatile.Write(ref _frontSince, _requests.Count > 0 ? Clock.Microseconds : Clock.Never);
                    if (isWhole)
                        _ready.Enqueue(request.Caller);
                }
            }
            else if (request.Caller.Held > _mostHeld)
            {
                request.Caller.Stream();
                _isStreaming = true;
                lock (_gate)
                {
                    _pausedLooks = 0;
                    _pausedFor = request.Caller;
                    _ready.Enqueue(request.Caller);
                }

                CompletionEngine.Shared?.Threads.WakeWatchdog();

                // What it took since was not seen by it.
                Drained(request.Caller);
                return false;
            }
            else if (taken == 0)
            {
                _wire.Want = wanted;
                return true;
            }
        }

        return true;
    }

    /// <summary>A caller has taken some of what was held for it, or has gone.</summary>
    internal void Drained(SharedTransport caller)
    {
        if (!ReferenceEquals(Volatile.Read(ref _pausedFor), caller) || caller.Held > 0 && !caller.IsAbandoned)
            return;
        if (Interlocked.CompareExchange(ref _pausedFor, null, caller) == caller)
            ThreadPool.UnsafeQueueUserWorkItem(static wire => wire.Resume(), this, preferLocal: false);
    }

    private void Resume()
    {
        Receive();
        CompletionEngine.Shared?.Threads.WakeWatchdog();
        PassOn();
    }

    internal void Abandoned(SharedTransport caller) => Drained(caller);

    // ---------------------------------------------------------------- passing on

    private void PassOn()
    {
        var outer = t_passingOn;
        t_passingOn = this;
        try
        {
            while (NextReady() is { } caller)
            {
                _moves++;
                caller.Complete();
            }
        }
        finally
        {
            t_passingOn = outer;
        }

        Flush();
    }

    private SharedTransport? NextReady()
    {
        lock (_gate)
            return _ready.TryDequeue(out var caller) ? caller : null;
    }

    // A thread that passes answers on is inside a caller's code: after two looks another one goes on in its place.
    bool IAttended.Look()
    {
        bool waits, isPaused;
        SharedTransport? heldUpBy = null;
        lock (_gate)
        {
            waits = _ready.Count > 0 || _waiting.Length > 0 && !_isSending;
            isPaused = _pausedFor is not null && _mostHeld < MostHeldForOthers;
            if (isPaused && _requests.Count > 1 && ++_pausedLooks > LooksOfPatience)
                heldUpBy = _pausedFor;
        }

        if (waits && _seenMoves == _moves)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        _seenMoves = _moves;
        // Whoever takes the pause away goes on receiving, and nobody else.
        if (heldUpBy is not null && Interlocked.CompareExchange(ref _pausedFor, null, heldUpBy) == heldUpBy)
        {
            _mostHeld = Math.Min(_mostHeld * 2, MostHeldForOthers);
            ThreadPool.UnsafeQueueUserWorkItem(static wire => wire.Resume(), this, preferLocal: false);
        }

        return waits || isPaused;
    }

    void IThreadPoolWorkItem.Execute()
    {
        Flush();
        PassOn();
    }

    // ---------------------------------------------------------------- the end

    /// <summary>It is used no more; the connection stays as it is.</summary>
    /// <param name="whenUnused">
    /// Called when nothing of what was shared uses the connection to send any more: now, or by who is still sending. An answer may be there before its sender has come back from
    /// the send, and two may not send at once.
    /// </param>
    public void End(Action whenUnused)
    {
        var isInTheMiddle = Depth > 0;
        TryFail(new WireException(WireFailure.Lost, "The shared connection has been closed."));
        bool isSending;
        lock (_gate)
        {
            isSending = _isSending;
            if (isSending)
                _whenUnused = whenUnused;
        }

        if (!isSending)
            whenUnused();
        // What does not leave because the peer takes nothing would be waited for without end.
        else if (isInTheMiddle)
            _wire.Transport.Shutdown();
    }

    // Breaks the connection: all who wait hear of it.
    private void Fail(Exception exception)
    {
        if (!TryFail(exception))
            return;
        _wire.Transport.Shutdown();
        Broken?.Invoke();
    }

    private bool TryFail(Exception exception)
    {
        Request[] requests;
        int unsent;
        lock (_gate)
        {
            if (_failure is not null)
                return false;
            _failure = exception;
            requests = [.. _requests];
            _requests.Clear();
            unsent = requests.Length - _waitingRequests;
            _waiting.Clear();
            Volatile.Write(ref _frontSince, Clock.Never);
        }

        CompletionEngine.Shared?.Threads.Leave(this);
        for (var i = 0; i < requests.Length; i++)
        {
            var safety = i < unsent ? RetrySafety.Unknown : RetrySafety.NotSent;
            requests[i].Caller.Fail(new WireException(WireFailure.Lost, $"The connection that several commands shared was lost: {exception.Message}", exception) { RetrySafety = safety });
        }

        return true;
    }

    private readonly record struct Request(SharedTransport Caller, byte Kind, bool IsLast);
}
