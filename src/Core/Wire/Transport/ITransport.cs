using System.Net;

namespace Slipstream.Core.Wires;

/// <summary>
/// How bytes come and go. Pumps and sessions know this interface only: the runtime's sockets, TLS over them, or a completion engine of our own.
/// Every member but <see cref="Shutdown"/> is called by one thread at a time; one asynchronous receive and one send may be under way together. Failures are
/// <see cref="Errors.WireException"/>.
/// </summary>
internal interface ITransport : IDisposable
{
    /// <summary>Waits for bytes by blocking; 0 when the peer has closed.</summary>
    int Receive(Span<byte> room);

    /// <summary>Sends all by blocking.</summary>
    void Send(ReadOnlySpan<byte> bytes);

    /// <summary>Waits for bytes; 0 when the peer has closed.</summary>
    ValueTask<int> ReceiveAsync(Memory<byte> room);

    /// <summary>Sends all.</summary>
    ValueTask SendAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Performs the TLS handshake by blocking and returns the transport to use from now on.</summary>
    ITransport Upgrade();

    /// <summary>Performs the TLS handshake and returns the transport to use from now on.</summary>
    ValueTask<ITransport> UpgradeAsync();

    /// <summary>True when the peer has closed or sent something unasked: an idle connection of which this is true is not usable.</summary>
    bool IsReadable { get; }

    /// <summary>True when the last receive has filled all the room that it was given: more may have come with it.</summary>
    bool HasFilledRoom => false;

    /// <summary>
    /// Takes what came with what has been received and was not handed out: what a layer holds, and what a receive that has filled its room left behind it.
    /// Never waits; 0 when there is nothing.
    /// </summary>
    /// <exception cref="Errors.ProtocolException">There is something that cannot be handed out yet.</exception>
    int TakeHeld(Span<byte> room) => HasFilledRoom && IsReadable ? Receive(room) : 0;

    /// <summary>
    /// True when a layer holds a part of something, which <see cref="TakeHeld"/> cannot hand out before the rest has come: the peer has begun to say something.
    /// </summary>
    bool HoldsPart => false;

    /// <summary>
    /// Waits by blocking until some KiB can be sent without waiting (true) or bytes have arrived (false). Always true for transports that never make
    /// a sender wait.
    /// </summary>
    bool WaitToSend() => true;

    /// <summary>
    /// Waits by blocking until about <paramref name="count"/> bytes have arrived, but a millisecond at most: being woken for each of many small answers costs
    /// more than they do. False when they did not come in time, or when that cannot be waited for.
    /// </summary>
    bool WaitForMuch(int count) => false;

    /// <summary>True once an asynchronous wait has registered the connection with the runtime's event engine, for life.</summary>
    bool HasWaitedAsynchronously { get; }

    /// <summary>True when blocking and asynchronous waits cost each other nothing, in whatever order they come.</summary>
    bool SuitsBothWays => false;

    /// <summary>How trustworthy the peer is now: whether a secret may be sent.</summary>
    PeerTrust Trust { get; }

    /// <summary>The peer in words for messages: host and port, or the socket's path.</summary>
    string Peer { get; }

    /// <summary>The address that the connection leads to; null where that is not known or is none.</summary>
    IPAddress? PeerAddress => null;

    /// <summary>The port of this machine that the connection comes from; 0 where that is not known or is none.</summary>
    int LocalPort => 0;

    /// <summary>Ends all waits on this connection, from any thread. The connection is dead afterwards.</summary>
    void Shutdown();
}
