using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>
/// A server that sends the given bytes in pieces cut by a seed, whatever the client sends. It counts the actions of a conversation. It detects a client that
/// would wait for ever, or that uses a session after its failure.
/// </summary>
internal sealed class FuzzTransport(FuzzFraming framing, PeerTrust trust) : ITransport
{
    /// <summary>How the bytes are cut into pieces.</summary>
    public enum Split
    {
        /// <summary>One whole message at a time: nothing arrives before it is needed.</summary>
        Messages,

        /// <summary>One byte at a time.</summary>
        Bytes,

        /// <summary>Pieces of random size that do not cross the end of a message.</summary>
        PiecesOfMessages,

        /// <summary>Pieces of random size, which may include messages that the client does not expect yet.</summary>
        Pieces,
    }

    // After the end, the client has been informed that no more bytes arrive; it may receive only a few times more.
    private const int MaxReceivesBehindTheEnd = 4;

    // Each yield costs two thread switches: a few show as much as hundreds.
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

    /// <summary>Gets whether the client has ended or aborted the connection.</summary>
    public bool IsDown { get; private set; }

    /// <summary>Gets whether all of the server's bytes have arrived.</summary>
    public bool IsCompleted => _now.IsEmpty && _next.IsEmpty;

    /// <summary>Gets the number of receives so far.</summary>
    public int Receives { get; private set; }

    /// <summary>Gets the number of sends so far.</summary>
    public int Sends { get; private set; }

    /// <summary>Gets how many of the bytes after <see cref="Continue"/> have arrived.</summary>
    public int Arrived { get; private set; }

    /// <summary>Gets or sets whether the session must no longer be used: every send or receive is then a fault.</summary>
    public bool IsForbidden { get; set; }

    /// <summary>Gets whether the first byte is PostgreSQL's answer to SSLRequest, which is not a message.</summary>
    public bool AnswersTls { get; init; }

    /// <summary>Gets the constant beginning of the file name that the client uses for LOAD DATA LOCAL INFILE. The rest differs each time.</summary>
    public static ReadOnlySpan<byte> FilePrefix => ":slipstream:"u8;

    /// <summary>Gets the recorded file name. In the server's bytes, it is replaced with the client's current one.</summary>
    public ReadOnlyMemory<byte> FileName { get; init; }

    /// <summary>Sets the server's bytes: first those recorded, message by message, then the rest.</summary>
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
        // More than one receive per byte means waiting without progress.
        _tooMuch = 1000 + recorded.Length + rest.Length;
    }

    private Split NextSplit { get; set; }

    /// <summary>Makes the server send the rest.</summary>
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
        if (!FileName.IsEmpty
            && bytes.IndexOf(FilePrefix) is >= 0 and var at
            && bytes.Length - at >= FileName.Length
            && _now.Span.IndexOf(FileName.Span) is >= 0 and var there)
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

/// <summary>Returns the connection that the thread has prepared.</summary>
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
        // A pool may request another connection after the first broke, and a server may redirect the client.
        var next = Next ?? throw new WireException(WireFailure.Unreachable, "There is one connection only.");
        Next = null;
        return next;
    }

    public override ValueTask<ITransport> DialAsync(Endpoint endpoint, DialScope scope) => new(Dial(endpoint, scope));
}

/// <summary>A condition of the driver was violated.</summary>
internal sealed class FuzzFinding(string message) : Exception(message);
