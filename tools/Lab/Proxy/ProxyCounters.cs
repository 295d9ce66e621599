namespace Slipstream.Lab;

/// <summary>What went through a <see cref="LabProxy"/>, seen from the client. All connections together; reading and resetting is safe at any time.</summary>
public sealed class ProxyCounters
{
    private long _bytesSent;
    private long _bytesReceived;
    private long _segmentsSent;
    private long _segmentsReceived;
    private long _roundTrips;
    private long _connections;

    /// <summary>Bytes from client to server.</summary>
    public long BytesSent => Interlocked.Read(ref _bytesSent);

    /// <summary>Bytes from server to client.</summary>
    public long BytesReceived => Interlocked.Read(ref _bytesReceived);

    /// <summary>Pieces in which the client's bytes arrived: one for each of its sends, unless a send was longer than 64 KiB or two met on the way.</summary>
    public long SegmentsSent => Interlocked.Read(ref _segmentsSent);

    /// <summary>Pieces in which the server's bytes arrived.</summary>
    public long SegmentsReceived => Interlocked.Read(ref _segmentsReceived);

    /// <summary>How often a client spoke after the server had; a connection on which the client speaks first begins with one.</summary>
    public long RoundTrips => Interlocked.Read(ref _roundTrips);

    /// <summary>Connections accepted.</summary>
    public long Connections => Interlocked.Read(ref _connections);

    /// <summary>Sets all to zero, for instance after the connections are set up. Who spoke last on each connection is remembered.</summary>
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
