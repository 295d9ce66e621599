using System.Net;

namespace Slipstream.Core.Wires;

/// <summary>
/// Sends and receives bytes. Pumps and sessions know only this interface, not its implementations: the runtime's sockets, the driver's own completion engine,
/// TLS over them. Every member except <see cref="Shutdown"/> is called by one thread at a time, but one asynchronous receive and one send may run at the same
/// time. Failures are <see cref="Errors.WireException"/>.
/// </summary>
internal interface ITransport : IDisposable
{
    /// <summary>Receives bytes by blocking. Returns 0 if the peer has closed.</summary>
    int Receive(Span<byte> room);

    /// <summary>Sends all bytes by blocking.</summary>
    void Send(ReadOnlySpan<byte> bytes);

    /// <summary>Receives bytes asynchronously. Returns 0 if the peer has closed.</summary>
    ValueTask<int> ReceiveAsync(Memory<byte> room);

    /// <summary>Sends all bytes asynchronously.</summary>
    ValueTask SendAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Performs the TLS handshake by blocking and returns the transport to use from now on.</summary>
    ITransport Upgrade();

    /// <summary>Performs the TLS handshake and returns the transport to use from now on.</summary>
    ValueTask<ITransport> UpgradeAsync();

    /// <summary>Whether the peer has closed or sent something unexpected. Then an idle connection is not usable.</summary>
    bool IsReadable { get; }

    /// <summary>Whether the last receive filled its whole buffer: more bytes may have arrived with it.</summary>
    bool HasFilledBuffer => false;

    /// <summary>
    /// Takes bytes that have arrived but were not returned yet: those that a layer holds, and those that a receive with a full buffer left. Never waits.
    /// Returns 0 if there are none.
    /// </summary>
    /// <exception cref="Errors.ProtocolException">There are bytes that cannot be returned yet.</exception>
    int TakeHeld(Span<byte> room) => HasFilledBuffer && IsReadable ? Receive(room) : 0;

    /// <summary>
    /// Whether a layer holds an incomplete part that <see cref="TakeHeld"/> cannot return before the rest has arrived: the peer has begun to send a message.
    /// </summary>
    bool HoldsPart => false;

    /// <summary>
    /// Blocks until some KiB can be sent without waiting (true) or bytes have arrived (false). Always true for transports on which a sender never has to wait.
    /// </summary>
    bool WaitToSend() => true;

    /// <summary>
    /// Blocks until about <paramref name="count"/> bytes have arrived, but for at most 1 ms: waking up for each of many small answers costs more than the
    /// answers. Returns false if the bytes did not arrive in time, or if the transport cannot wait for them.
    /// </summary>
    bool WaitForBytes(int count) => false;

    /// <summary>
    /// Lets the next asynchronous receive complete when about <paramref name="count"/> bytes have arrived, or after some milliseconds with what has arrived
    /// by then. No effect on a transport that cannot wait for them.
    /// </summary>
    void GatherNext(int count)
    {
        // Most transports complete with the first bytes.
    }

    /// <summary>Whether the bytes of the last receive that let them gather did not arrive in time.</summary>
    bool HasGatheredLate => false;

    /// <summary>Returns buffers that were rented for large data. The session receives nothing until the next command.</summary>
    void Shrink()
    {
        // Most transports rent none.
    }

    /// <summary>Whether an asynchronous wait has registered the connection with the runtime's event engine, which is permanent.</summary>
    bool HasWaitedAsynchronously { get; }

    /// <summary>Whether blocking and asynchronous waits do not make each other slower, in any order.</summary>
    bool SupportsMixedWaits => false;

    /// <summary>The current trust in the peer: it decides whether a secret may be sent.</summary>
    PeerTrust Trust { get; }

    /// <summary>The peer for messages: host and port, or the socket's path.</summary>
    string Peer { get; }

    /// <summary>The remote IP address; null if unknown or not applicable.</summary>
    IPAddress? PeerAddress => null;

    /// <summary>The local port; 0 if unknown or not applicable.</summary>
    int LocalPort => 0;

    /// <summary>Ends all waits on this connection, from any thread. Afterwards the connection is not usable.</summary>
    void Shutdown();
}
