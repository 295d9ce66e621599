using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>
/// A server that says what it is told to say, in pieces cut by a seed, whatever the client says. It counts what a conversation does with it: one that would wait for ever, or uses
/// a session that it has broken, is found out here.
/// </summary>
internal sealed class FuzzTransport(FuzzFraming framing, PeerTrust trust) : ITransport
{
    /// <summary>How the pieces are cut.</summary>
    public enum Split
    {
        /// <summary>One whole message at a time: nothing arrives before it is asked for.</summary>
        Messages,

        /// <summary>One byte at a time.</summary>
        Bytes,

        /// <summary>Pieces of random size that end with a message at the latest.</summary>
        PiecesOfMessages,

        /// <summary>Pieces of random size, and messages that nobody waits for yet with them.</summary>
        Pieces,
    }

    // A client that asks again after the end has been told that nothing comes any more.
    private const int MaxReceivesBehindTheEnd = 4;

    // Each costs two changes of threads: a few are as good as hundreds.
    private const int MostYields = 3;

    private Memory<byte> _now;
    private Memory<byte> _next;
    private Split _split;
    private uint _random;
    private int _frameLeft;
    private int _behindTheEnd;
    private FuzzFraming _framing = FuzzFraming.MySql;
    private int _tooMuch;
    private int _yields;

    public bool IsReadable => IsDown;

    public bool HasWaitedAsynchronously { get; private set; }

    public PeerTrust Trust { get; private set; } = trust;

    public string Peer => "a mutated recording";

    /// <summary>The client has ended the connection, or given it up.</summary>
    public bool IsDown { get; private set; }

    /// <summary>All that the server says has arrived.</summary>
    public bool IsOver => _now.IsEmpty && _next.IsEmpty;

    /// <summary>Receives so far.</summary>
    public int Receives { get; private set; }

    /// <summary>Sends so far.</summary>
    public int Sends { get; private set; }

    /// <summary>Bytes that have arrived of what <see cref="Continue"/> was given.</summary>
    public int Arrived { get; private set; }

    /// <summary>Set when the session must not be used any more: whatever is sent or received then is a fault.</summary>
    public bool IsForbidden { get; set; }

    /// <summary>The first byte is PostgreSQL's answer to SSLRequest, which is no message.</summary>
    public bool AnswersTls { get; init; }

    /// <summary>How the name begins that the client gives to the file of a LOAD DATA LOCAL INFILE: the rest is another each time.</summary>
    public static ReadOnlySpan<byte> FilePrefix => ":slipstream:"u8;

    /// <summary>The name when it was recorded: where it stands in what the server says, it becomes the one that the client gives now.</summary>
    public ReadOnlyMemory<byte> FileName { get; init; }

    /// <summary>What the server says: first as recorded, message by message; then the rest.</summary>
    public void Begin(Memory<byte> recorded, Memory<byte> rest, Split split, uint seed, bool yields)
    {
        _framing = recorded.IsEmpty || framing != FuzzFraming.MySqlCompressed ? framing : FuzzFraming.MySql;
        _now = recorded;
        _next = rest;
        _split = recorded.IsEmpty ? split : Split.Messages;
        NextSplit = split;
        _random = seed | 1;
        _yields = yields ? MostYields : 0;
        if (recorded.IsEmpty)
            Continue();
        // More than one receive per byte is waiting for nothing.
        _tooMuch = 1000 + recorded.Length + rest.Length;
    }

    private Split NextSplit { get; set; }

    /// <summary>From now on the server says the rest.</summary>
    public void Continue()
    {
        _framing = framing;
        _now = _next;
        _next = default;
        _split = NextSplit;
        _frameLeft = 0;
        Arrived = 0;
    }

    public int Receive(Span<byte> room)
    {
        Use("receives");
        if (++Receives > _tooMuch)
            throw new FuzzFinding($"{Receives} receives for {_tooMuch - 1000} bytes: the client would never end");
        if (room.IsEmpty)
            throw new FuzzFinding("a receive into no room");
        if (_now.IsEmpty)
            return ++_behindTheEnd > MaxReceivesBehindTheEnd ? throw new FuzzFinding("the client goes on receiving behind the end") : 0;

        if (_frameLeft == 0)
            _frameLeft = AnswersTls && Receives == 1 ? 1 : _framing.LengthOf(_now.Span);
        var most = _split switch
        {
            Split.Messages => _frameLeft,
            Split.Bytes => 1,
            Split.PiecesOfMessages => Math.Min(_frameLeft, 1 + (int)(Random() % 40)),
            _ => 1 + (int)(Random() % 200),
        };
        var count = Math.Min(Math.Min(most, room.Length), _now.Length);
        _now.Span[..count].CopyTo(room);
        _now = _now[count..];
        _frameLeft = Math.Max(0, _frameLeft - count);
        Arrived += count;
        return count;
    }

    public void Send(ReadOnlySpan<byte> bytes)
    {
        Use("sends");
        if (++Sends > _tooMuch)
            throw new FuzzFinding($"{Sends} sends: the client would never end");
        if (!FileName.IsEmpty && bytes.IndexOf(FilePrefix) is >= 0 and var at && bytes.Length - at >= FileName.Length && _now.Span.IndexOf(FileName.Span) is >= 0 and var there)
            bytes.Slice(at, FileName.Length).CopyTo(_now.Span[there..]);
    }

    public async ValueTask<int> ReceiveAsync(Memory<byte> room)
    {
        HasWaitedAsynchronously = true;
        if (_yields > 0 && Random() % 4 == 0)
        {
            _yields--;
            await Task.Yield();
        }

        return Receive(room.Span);
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        HasWaitedAsynchronously = true;
        Send(bytes.Span);
        return default;
    }

    public ITransport Upgrade()
    {
        Trust = PeerTrust.Verified;
        return this;
    }

    public ValueTask<ITransport> UpgradeAsync() => new(Upgrade());

    public void Shutdown() => IsDown = true;

    public void Dispose() => IsDown = true;

    private void Use(string how)
    {
        if (IsDown || IsForbidden)
            throw new FuzzFinding($"the client {how} on a connection that it has given up");
    }

    private uint Random()
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        return _random ^= _random << 5;
    }
}

/// <summary>Hands out the connection that the thread has prepared.</summary>
internal sealed class FuzzDialer() : Dialer(null)
{
    [ThreadStatic]
    private static FuzzTransport? _next;

    public static FuzzTransport? Next
    {
        get => _next;
        set => _next = value;
    }

    public override ITransport Dial(Endpoint endpoint, DialScope scope)
    {
        // A pool may ask for another when the first broke; a server may send the client elsewhere.
        var next = Next ?? throw new WireException(WireFailure.Unreachable, "There is one connection only.");
        Next = null;
        return next;
    }

    public override ValueTask<ITransport> DialAsync(Endpoint endpoint, DialScope scope) => new(Dial(endpoint, scope));
}

/// <summary>A promise of the driver that did not hold.</summary>
internal sealed class FuzzFinding(string message) : Exception(message);
