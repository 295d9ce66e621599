using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// The two buffers of one connection and the transport that fills and empties them. Conversations read <see cref="In"/> between <see cref="Start"/> and
/// <see cref="End"/> and append to <see cref="Out"/>. Only pumps use <see cref="Transport"/>.
/// </summary>
/// <remarks>Fields are public, because framing belongs to the provider and is inlined into its row loop.</remarks>
internal sealed class Wire(ITransport transport, int capacity = Wire.InitialCapacity)
{
    /// <summary>
    /// Size of the first receive buffer: 8 KiB. A login and small answers need no more, and most connections receive nothing else. The first receive that
    /// fills it, or a longer message, replaces it with the normal one.
    /// </summary>
    public const int InitialCapacity = 8192;

    /// <summary>Normal size of the receive buffer: 64 KiB. Smaller buffers double the receives of a large result.</summary>
    public const int NormalCapacity = 65536;

    /// <summary>Size while a large result arrives: 256 KiB, for fewer receives if the peer sends as much at once. Larger buffers are not faster.</summary>
    public const int StreamingCapacity = StreamingBuffers.Capacity;

    // The buffer grows after this many consecutive receives that filled it, and shrinks after this many that half the normal buffer would hold.
    private const int FullBeforeGrowing = 4;
    private const int SmallBeforeShrinking = 16;

    /// <summary>A buffer that grew beyond this size (1 MiB) for a large message is dropped as soon as it is empty.</summary>
    public const int KeptCapacity = 1 << 20;

    /// <summary>The receive buffer. Bytes outside Start..End are not valid.</summary>
    public byte[] In = GC.AllocateUninitializedArray<byte>(capacity);

    /// <summary>Index of the first byte that no conversation has taken yet.</summary>
    public int Start;

    /// <summary>Index after the last received byte.</summary>
    public int End;

    /// <summary>Number of bytes from <see cref="Start"/> that the conversation needs to continue, as far as it knows: a hint for growing.</summary>
    public int Want;

    /// <summary>The next expected message number, for protocols that number their messages.</summary>
    public byte Sequence;

    /// <summary>The optimisations of the wire that are on.</summary>
    public WireOptimizations Optimizations
    {
        get;
        init
        {
            field = value;
            Out.MayGather = value.PassesLargeValues;
        }
    } = WireOptimizations.All;

    /// <summary>Set if a layer below numbers its own packets, so that the numbers of the messages have no meaning.</summary>
    public bool IgnoresSequence;

    /// <summary>
    /// Set if <see cref="Out"/> contains several requests. The peer may answer the first one before it has read the last one, and may stop reading until its
    /// answers are taken.
    /// </summary>
    public bool IsAnsweredEarly;

    /// <summary>
    /// Number of bytes of small answers that are expected soon; only for the next receive, which may let them accumulate. 0 if each answer is
    /// needed at once.
    /// </summary>
    public int ExpectedSoon;

    /// <summary>Set by a receive if the expected bytes did not come soon: then the next receives do not wait for them.</summary>
    public bool ArrivedLate;

    /// <summary>A receive that is still running and counts as the next one. Until then, the space that it uses must not move.</summary>
    internal PendingReceive? Pending;

    private byte[]? _direct;

    // The normal buffer while In is a different one.
    private byte[]? _kept;
    private bool _isRented;
    private bool _isLayered;
    private int _streak;
    private int _directAt;
    private int _directEnd;

    // Number of bytes of the last send, and number of bytes received until then.
    private int _lastSend;
    private long _receivedBefore;

    private ByteWriter? _other;
    private bool _otherIsAnsweredEarly;

    /// <summary>
    /// Whether a receive would not wait, as far as that is known without one: for senders of large data that want to notice a refusal early. False inside TLS
    /// or compression, where the bytes on the socket may be no data or an incomplete part.
    /// </summary>
    public bool HasArrived => !_isLayered && Transport.IsReadable;

    /// <summary>The bytes to send.</summary>
    public ByteWriter Out { get; private set; } = new();

    /// <summary>Whether the content of <see cref="Out"/> has been put aside until something else has been sent.</summary>
    public bool IsOutSwapped { get; private set; }

    /// <summary>Puts the content of <see cref="Out"/> aside, or restores it.</summary>
    public void SwapOut()
    {
        (Out, _other) = (_other ?? new() { Dialect = Out.Dialect, MayGather = Optimizations.PassesLargeValues }, Out);
        (IsAnsweredEarly, _otherIsAnsweredEarly) = (_otherIsAnsweredEarly, IsAnsweredEarly);
        IsOutSwapped = !IsOutSwapped;
    }

    /// <summary>Sends and receives the bytes. Replaced when the connection is upgraded to TLS.</summary>
    public ITransport Transport
    {
        get;
        set
        {
            field = value;
            _isLayered = value is TlsTransport or CodedTransport;
        }
    } = transport;

    /// <summary>Number of bytes received so far.</summary>
    public long Received { get; private set; }

    /// <summary>Number of bytes sent so far.</summary>
    public long Sent { get; private set; }

    /// <summary>Number of bytes received and not yet taken.</summary>
    public int Buffered => End - Start;

    /// <summary>
    /// Whether bytes have arrived although every answer has been taken. They are in the buffer then. After a receive that did not fill the buffer, no bytes are
    /// left, unless a layer in between keeps received bytes; the socket itself is not polled.
    /// </summary>
    public bool HasLeftovers => End > Start || TakesMore();

    /// <summary>Whether a layer in between holds an incomplete part that cannot be taken before the rest has arrived.</summary>
    public bool HoldsPart => _isLayered && Transport.HoldsPart;

    /// <summary>Moves bytes that have arrived outside the buffer into it, without waiting. Returns false if there are none.</summary>
    public bool TakesMore() => (_isLayered || End == In.Length || Pending is not null) && TakeLeftovers();

    private bool TakeLeftovers()
    {
        // A running receive takes whatever arrives; no other receive may start beside it.
        if (Pending is { } pending)
        {
            if (!pending.Bytes.IsCompleted)
                return false;
            AdvancePending(pending.Wait());
            return true;
        }

        var count = _isLayered ? Transport.TakeHeld(FreeSpan()) : Transport.IsReadable ? Transport.Receive(FreeSpan()) : 0;
        // The next user of the connection finds its end.
        if (count == 0)
            return false;
        Advance(count);
        return true;
    }

    /// <summary>
    /// Lets the next receives write directly into <paramref name="target"/> until <paramref name="count"/> bytes have arrived, so that a large value is not
    /// copied through the buffer. The buffer must be empty, and the caller must know that all these bytes belong to the value.
    /// </summary>
    public void ReceiveInto(byte[] target, int at, int count)
    {
        if (Start != End)
            throw new InvalidOperationException("Bytes that have arrived already must be taken first.");
        _direct = count > 0 ? target : null;
        _directAt = at;
        _directEnd = checked(at + count);
    }

    /// <summary>Number of bytes that <see cref="ReceiveInto"/> still waits for; 0 if all have arrived.</summary>
    public int DirectMissing => _directEnd - _directAt;

    /// <summary>Free space for the next receive.</summary>
    public Memory<byte> FreeMemory()
    {
        if (_direct is not null)
            return _direct.AsMemory(_directAt, _directEnd - _directAt);
        MakeRoom();
        return In.AsMemory(End);
    }

    /// <summary>Free space for the next receive.</summary>
    public Span<byte> FreeSpan()
    {
        if (_direct is not null)
            return _direct.AsSpan(_directAt, _directEnd - _directAt);
        MakeRoom();
        return In.AsSpan(End);
    }

    /// <summary>Records that a receive has written <paramref name="count"/> bytes into the free space.</summary>
    /// <exception cref="WireException">The peer closed the connection: count is 0.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        if (count <= 0)
            ThrowClosed();
        Received += count;
        if (_direct is null)
        {
            End += count;
            _streak = (_isRented ? count <= NormalCapacity / 2 : End == In.Length) ? _streak + 1 : 0;
            return;
        }

        _directAt += count;
        if (_directAt == _directEnd)
            _direct = null;
    }

    /// <summary>Records that <see cref="Pending"/> has written <paramref name="count"/> bytes after <see cref="End"/>.</summary>
    /// <exception cref="WireException">The peer closed the connection: count is 0.</exception>
    internal void AdvancePending(int count)
    {
        Pending = null;
        if (count <= 0)
            ThrowClosed();
        Received += count;
        End += count;
        if (_direct is null)
            return;
        // The receive began before the destination of its bytes was known.
        var moved = Math.Min(count, DirectMissing);
        Buffer.BlockCopy(In, Start, _direct, _directAt, moved);
        Start += moved;
        _directAt += moved;
        if (_directAt == _directEnd)
            _direct = null;
    }

    /// <summary>Empties <see cref="Out"/> after it has been sent.</summary>
    public void Left()
    {
        _lastSend = Out.TotalLength;
        _receivedBefore = Received;
        Sent += _lastSend;
        Out.Clear();
        IsAnsweredEarly = false;
    }

    /// <summary>
    /// Number of bytes of the current send, or of the last one if almost nothing has been received since. Its last request is then unanswered, but earlier ones
    /// may have been answered.
    /// </summary>
    /// <param name="small">Number of received bytes that count as almost nothing.</param>
    public int Unanswered(int small) => Math.Max(Out.TotalLength, Received - _receivedBefore <= small ? _lastSend : 0);

    /// <summary>Returns all rented buffers that are empty, and drops a very large one: the session receives nothing until the next command.</summary>
    public void ReturnBuffers()
    {
        if (Pending is not null)
            return;
        Shrink();
        Transport.Shrink();
        if (Start == End && In.Length > KeptCapacity)
        {
            In = TakeKept();
            Start = End = 0;
        }
    }

    /// <summary>Returns a buffer that was rented for a large result. It must be empty.</summary>
    public void Shrink()
    {
        if (!_isRented || Start != End || Pending is not null)
            return;
        StreamingBuffers.Return(In);
        In = TakeKept();
        _isRented = false;
        _streak = 0;
        Start = End = 0;
    }

    private bool HasInitialBuffer => In.Length == InitialCapacity;

    private byte[] TakeKept()
    {
        var kept = _kept ?? GC.AllocateUninitializedArray<byte>(NormalCapacity);
        _kept = null;
        return kept;
    }

    private void MakeRoom()
    {
        if (Start == End)
        {
            Start = End = 0;
            if (_isRented && _streak >= SmallBeforeShrinking)
                Shrink();
            if (In.Length > KeptCapacity && Want <= NormalCapacity)
                In = TakeKept();
        }

        if (_streak > 0 && HasInitialBuffer)
            MoveTo(TakeKept(), isRented: false);
        if (!_isRented && _streak >= FullBeforeGrowing && Optimizations.AdaptsReceives && In.Length < StreamingCapacity)
            MoveTo(StreamingBuffers.Rent(), isRented: true);

        // The buffer grows with the bytes that have arrived, not with the announced length: it at most doubles. To cause an allocation, a peer must send the
        // bytes.
        var needed = Math.Max((long)Want, Buffered + 1L);
        if (needed > In.Length)
        {
            if (End == In.Length || Start > 0)
                Rebuild((int)Math.Min(Math.Min(Want > Buffered ? needed : long.MaxValue, Math.Max(In.Length, Buffered * 2L)), Array.MaxLength));
        }
        else if (Start > 0 && Start + needed > In.Length)
            Rebuild(In.Length);
        Want = 0;
    }

    private void Rebuild(int capacity)
    {
        if (capacity > In.Length && HasInitialBuffer)
            capacity = Math.Max(capacity, NormalCapacity);
        var target = capacity > In.Length ? GC.AllocateUninitializedArray<byte>(capacity) : In;
        if (target.Length == Buffered)
            throw new ProtocolException("a message that fits into memory", "one of more than 2 GiB");
        MoveTo(target, isRented: false);
    }

    private void MoveTo(byte[] target, bool isRented)
    {
        var old = In;
        Buffer.BlockCopy(old, Start, target, 0, Buffered);
        In = target;
        End -= Start;
        Start = 0;
        if (ReferenceEquals(target, old))
            return;
        _streak = 0;
        if (_isRented)
            StreamingBuffers.Return(old);
        else if (old.Length == NormalCapacity)
            _kept = old;
        _isRented = isRented;
    }

    private static void ThrowClosed() => throw new WireException(WireFailure.Lost, "The server closed the connection: the server was stopped or ended the "
        + "session (KILL, an idle time-out), or a device between client and server closed it.");
}
