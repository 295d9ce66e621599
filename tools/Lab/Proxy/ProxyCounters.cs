namespace Slipstream.Lab;

/// <summary>The traffic of a <see cref="LabProxy"/> as the client sees it, for all connections together. Reading and resetting are safe at any time.</summary>
public sealed class ProxyCounters
{
    private long _bytesSent;
    private long _bytesReceived;
    private long _segmentsSent;
    private long _segmentsReceived;
    private long _roundTrips;
    private long _connections;

    /// <summary>Gets the number of bytes from client to server.</summary>
    public long BytesSent => Interlocked.Read(ref _bytesSent);

    /// <summary>Gets the number of bytes from server to client.</summary>
    public long BytesReceived => Interlocked.Read(ref _bytesReceived);

    /// <summary>
    /// Gets the number of pieces in which the client's bytes arrived: one for each send, unless a send was longer than 64 KiB or two were merged on the way.
    /// </summary>
    public long SegmentsSent => Interlocked.Read(ref _segmentsSent);

    /// <summary>Gets the number of pieces in which the server's bytes arrived.</summary>
    public long SegmentsReceived => Interlocked.Read(ref _segmentsReceived);

    /// <summary>Gets how often a client sent after the server had sent. On a connection where the client sends first, the count begins with 1.</summary>
    public long RoundTrips => Interlocked.Read(ref _roundTrips);

    /// <summary>Gets the number of accepted connections.</summary>
    public long Connections => Interlocked.Read(ref _connections);

    /// <summary>Sets all counters to zero, for example after the connections are set up. The last sender of each connection is kept.</summary>
    public void Reset()
    {
        Interlocked.Exchange(ref _bytesSent, 0);
        Interlocked.Exchange(ref _bytesReceived, 0);
        Interlocked.Exchange(ref _segmentsSent, 0);
        Interlocked.Exchange(ref _segmentsReceived, 0);
        Interlocked.Exchange(ref _roundTrips, 0);
        Interlocked.Exchange(ref _connections, 0);
    }

    internal void CountConnection() => Interlocked.Increment(ref _connections);

    internal void CountSent(int bytes, bool beginsRoundTrip)
    {
        Interlocked.Add(ref _bytesSent, bytes);
        Interlocked.Increment(ref _segmentsSent);
        if (beginsRoundTrip)
            Interlocked.Increment(ref _roundTrips);
    }

    internal void CountReceived(int bytes)
    {
        Interlocked.Add(ref _bytesReceived, bytes);
        Interlocked.Increment(ref _segmentsReceived);
    }
}
