using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// The two buffers of one connection and the transport that fills and empties them. Conversations look at
/// <see cref="In"/> between <see cref="Start"/> and <see cref="End"/> and append to <see cref="Out"/>; only pumps touch <see cref="Transport"/>.
/// </summary>
/// <remarks>Public fields: framing is part of the provider and inlined into its row loop.</remarks>
internal sealed class Wire(ITransport transport, int capacity = Wire.NormalCapacity)
{
    /// <summary>64 KiB: smaller buffers double the receives of a large result.</summary>
    public const int NormalCapacity = 65536;

    /// <summary>256 KiB while a large result streams in: fewer receives where the peer sends as much at once. The time is flat beyond that.</summary>
    public const int StreamingCapacity = 4 * NormalCapacity;

    // So many receives in a row that filled the buffer let it grow; so many in a row that half the normal one would hold let it shrink.
    private const int FullBeforeGrowing = 4;
    private const int SmallBeforeShrinking = 16;

    /// <summary>A buffer that grew beyond this for a large message is dropped as soon as it is empty.</summary>
    public const int KeptCapacity = 1 << 20;

    /// <summary>What has arrived; bytes outside Start..End are not valid.</summary>
    public byte[] In = GC.AllocateUninitializedArray<byte>(capacity);

    /// <summary>First byte that no conversation has taken yet.</summary>
    public int Start;

    /// <summary>End of what has arrived.</summary>
    public int End;

    /// <summary>How many bytes from <see cref="Start"/> the conversation needs before it can go on, as far as it knows: a hint for growing.</summary>
    public int Want;

    /// <summary>For protocols that number their messages: the number expected next.</summary>
    public byte Sequence;

    /// <summary>Which of the wire's levers are on.</summary>
    public WireLevers Levers
    {
        get;
        init
        {
            field = value;
            Out.MayGather = value.PassesLargeValues;
        }
    } = WireLevers.All;

    /// <summary>Set when a layer below numbers what it carries and the messages' own numbers mean nothing.</summary>
    public bool IgnoresSequence;

    /// <summary>
    /// Set with what is in <see cref="Out"/> when it holds several requests: the peer may answer the first before it has read the last, and stop
    /// reading until its answers are taken.
    /// </summary>
    public bool IsAnsweredEarly;

    /// <summary>
    /// How many bytes of small answers are expected to come soon, for the next receive only: who waits by blocking may let them gather. 0 when each is wanted
    /// at once.
    /// </summary>
    public int ComingSoon;

    /// <summary>Set by the receive when what was said to come soon did not: then it is not waited for again.</summary>
    public bool CameLate;

    /// <summary>A receive that is still under way: the next one is it. Until then the room it was given stays where it is.</summary>
    internal PendingReceive? Pending;

    private byte[]? _direct;

    // The normal buffer while In is another one.
    private byte[]? _kept;
    private bool _isLent;
    private bool _isLayered;
    private int _streak;
    private int _directAt;
    private int _directEnd;

    // What left last, and what had come by then.
    private int _lastSend;
    private long _receivedBefore;

    private ByteWriter? _other;
    private bool _otherIsAnsweredEarly;

    /// <summary>
    /// True when a receive would not wait, as far as that can be told without one: for who sends for long and wants to hear of a refusal early. Inside TLS
    /// or a coding it cannot be told, because what is there may be no data, or not all of it.
    /// </summary>
    public bool HasArrived => !_isLayered && Transport.IsReadable;

    /// <summary>What will leave.</summary>
    public ByteWriter Out { get; private set; } = new();

    /// <summary>True while what was in <see cref="Out"/> waits for something else to leave before it.</summary>
    public bool IsOutSwapped { get; private set; }

    /// <summary>Puts what is in <see cref="Out"/> aside, or takes it back.</summary>
    public void SwapOut()
    {
        (Out, _other) = (_other ?? new() { Dialect = Out.Dialect, MayGather = Levers.PassesLargeValues }, Out);
        (IsAnsweredEarly, _otherIsAnsweredEarly) = (_otherIsAnsweredEarly, IsAnsweredEarly);
        IsOutSwapped = !IsOutSwapped;
    }

    /// <summary>How bytes come and go. Replaced when the connection is upgraded to TLS.</summary>
    public ITransport Transport
    {
        get;
        set
        {
            field = value;
            _isLayered = value is TlsTransport or CodedTransport;
        }
    } = transport;

    /// <summary>Bytes that came in and went out over the wire's life.</summary>
    public long Received { get; private set; }

    /// <summary>Bytes sent so far.</summary>
    public long Sent { get; private set; }

    /// <summary>Bytes received and not yet taken.</summary>
    public int Buffered => End - Start;

    /// <summary>
    /// True when bytes have arrived although every answer has been taken; they are in the buffer then. Behind a receive that has not filled the buffer nothing
    /// is left, unless a layer between keeps what it has received: the socket itself is not asked.
    /// </summary>
    public bool HasLeftovers => End > Start || TakesMore();

    /// <summary>True when a layer between holds a part of something that cannot be taken before the rest has come.</summary>
    public bool HoldsPart => _isLayered && Transport.HoldsPart;

    /// <summary>Takes what has come with what is in the buffer and is not there yet, without waiting; false when there is nothing.</summary>
    public bool TakesMore() => (_isLayered || End == In.Length || Pending is not null) && TakeLeftovers();

    private bool TakeLeftovers()
    {
        // A receive is under way, which brings what there is: nobody looks beside it.
        if (Pending is { } pending)
        {
            if (!pending.Bytes.IsCompleted)
                return false;
            TookPending(pending.Wait());
            return true;
        }

        var count = _isLayered ? Transport.TakeHeld(RoomSpan()) : Transport.IsReadable ? Transport.Receive(RoomSpan()) : 0;
        // The end of the connection is found by whoever uses it.
        if (count == 0)
            return false;
        Took(count);
        return true;
    }

    /// <summary>
    /// Lets the following receives go straight into <paramref name="target"/> until <paramref name="count"/> bytes have arrived: a large
    /// value is not copied through the buffer. The buffer must be empty, and the caller must know that so many bytes belong to the value.
    /// </summary>
    public void ReceiveInto(byte[] target, int at, int count)
    {
        if (Start != End)
            throw new InvalidOperationException("Bytes that have arrived already must be taken first.");
        _direct = count > 0 ? target : null;
        _directAt = at;
        _directEnd = checked(at + count);
    }

    /// <summary>Bytes that <see cref="ReceiveInto"/> still waits for; 0 when all have arrived.</summary>
    public int DirectMissing => _directEnd - _directAt;

    /// <summary>Free space for the next receive.</summary>
    public Memory<byte> Room()
    {
        if (_direct is not null)
            return _direct.AsMemory(_directAt, _directEnd - _directAt);
        MakeRoom();
        return In.AsMemory(End);
    }

    /// <summary>Free space for the next receive.</summary>
    public Span<byte> RoomSpan()
    {
        if (_direct is not null)
            return _direct.AsSpan(_directAt, _directEnd - _directAt);
        MakeRoom();
        return In.AsSpan(End);
    }

    /// <summary>A receive has put <paramref name="count"/> bytes into the room.</summary>
    /// <exception cref="WireException">The peer closed the connection: count is 0.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Took(int count)
    {
        if (count <= 0)
            ThrowClosed();
        Received += count;
        if (_direct is null)
        {
            End += count;
            _streak = (_isLent ? count <= NormalCapacity / 2 : End == In.Length) ? _streak + 1 : 0;
            return;
        }

        _directAt += count;
        if (_directAt == _directEnd)
            _direct = null;
    }

    /// <summary><see cref="Pending"/> has put <paramref name="count"/> bytes behind <see cref="End"/>.</summary>
    /// <exception cref="WireException">The peer closed the connection: count is 0.</exception>
    internal void TookPending(int count)
    {
        Pending = null;
        if (count <= 0)
            ThrowClosed();
        Received += count;
        End += count;
        if (_direct is null)
            return;
        // It began before anybody knew that its bytes belong elsewhere.
        var moved = Math.Min(count, DirectMissing);
        Buffer.BlockCopy(In, Start, _direct, _directAt, moved);
        Start += moved;
        _directAt += moved;
        if (_directAt == _directEnd)
            _direct = null;
    }

    /// <summary>A send has taken all of <see cref="Out"/>.</summary>
    public void Left()
    {
        _lastSend = Out.TotalLength;
        _receivedBefore = Received;
        Sent += _lastSend;
        Out.Clear();
        IsAnsweredEarly = false;
    }

    /// <summary>
    /// Bytes of the send under way, or of the last one while hardly anything has come since: then its last request is not answered, but what stood in front of
    /// it may be.
    /// </summary>
    /// <param name="small">So many bytes are hardly anything.</param>
    public int Unanswered(int small) => Math.Max(Out.TotalLength, Received - _receivedBefore <= small ? _lastSend : 0);

    /// <summary>Gives a buffer back that was lent for a large result. Nothing may be in it.</summary>
    public void Shrink()
    {
        if (!_isLent || Start != End || Pending is not null)
            return;
        StreamingBuffers.Return(In);
        In = TakeKept();
        _isLent = false;
        _streak = 0;
        Start = End = 0;
    }

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
            if (_isLent && _streak >= SmallBeforeShrinking)
                Shrink();
            if (In.Length > KeptCapacity && Want <= NormalCapacity)
                In = TakeKept();
        }

        if (!_isLent && _streak >= FullBeforeGrowing && Levers.AdaptsReceives && In.Length < StreamingCapacity)
            MoveTo(StreamingBuffers.Lend(), isLent: true);

        // The buffer follows what has arrived, not what was announced: at most double, so a lying length costs its sender the bytes.
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
        var target = capacity > In.Length ? GC.AllocateUninitializedArray<byte>(capacity) : In;
        if (target.Length == Buffered)
            throw new ProtocolException("a message that fits into memory", "one of more than 2 GiB");
        MoveTo(target, isLent: false);
    }

    private void MoveTo(byte[] target, bool isLent)
    {
        var old = In;
        Buffer.BlockCopy(old, Start, target, 0, Buffered);
        In = target;
        End -= Start;
        Start = 0;
        if (ReferenceEquals(target, old))
            return;
        _streak = 0;
        if (_isLent)
            StreamingBuffers.Return(old);
        else if (old.Length == NormalCapacity)
            _kept = old;
        _isLent = isLent;
    }

    private static void ThrowClosed() => throw new WireException(WireFailure.Lost, "The server closed the connection: the server was stopped or ended the session (KILL, an idle time-out), or a device on the way closed it.");
}
