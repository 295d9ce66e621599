using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Slipstream.Lab;

/// <summary>
/// Forwards bytes from one socket to another. Without latency the reading thread sends; with latency a second thread sends the bytes when they are due.
/// </summary>
internal sealed class ProxyDirection(LabProxy proxy, Socket from, Socket to, Action<int> count, CancellationToken cut)
{
    // More than a connection of 20 ms holds at the speed of a loopback client, so that only the server's own flow control slows it down.
    private const int LongestQueue = 4096;

    private BlockingCollection<(long Due, byte[] Bytes)>? _delayed;
    private Thread? _delayer;
    private volatile bool _hasFailed;
    private int _underWay;

    /// <summary>Forwards until the end. Returns true if the sender has closed its side and all bytes were forwarded; false if the connection broke.</summary>
    public bool Run()
    {
        var buffer = new byte[64 * 1024];
        try
        {
            while (true)
            {
                var length = from.Receive(buffer);
                if (length == 0)
                    break;
                var latency = proxy.Latency;
                // Counted before forwarding, because the answer to these bytes must be counted after them.
                count(length);
                if (latency > TimeSpan.Zero || Volatile.Read(ref _underWay) > 0)
                    Delay(buffer.AsSpan(0, length), latency);
                else
                    Send(buffer.AsSpan(0, length));
                if (_hasFailed)
                    return false;
            }

            _delayed?.CompleteAdding();
            _delayer?.Join();
            if (_hasFailed)
                return false;
            to.Shutdown(SocketShutdown.Send);
            return true;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            _delayed?.CompleteAdding();
            return false;
        }
    }

    private void Delay(ReadOnlySpan<byte> bytes, TimeSpan latency)
    {
        if (_delayed is null)
        {
            _delayed = new BlockingCollection<(long, byte[])>(LongestQueue);
            _delayer = new Thread(SendWhenDue) { IsBackground = true, Name = "lab proxy: latency" };
            _delayer.Start();
        }

        Interlocked.Increment(ref _underWay);
        _delayed.Add((Stopwatch.GetTimestamp() + (long)(latency.TotalSeconds * Stopwatch.Frequency), bytes.ToArray()), cut);
    }

    private void SendWhenDue()
    {
        try
        {
            foreach (var (due, bytes) in _delayed!.GetConsumingEnumerable(cut))
            {
                WaitUntil(due);
                Send(bytes);
                Interlocked.Decrement(ref _underWay);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            _hasFailed = true;
            // Wakes the reading thread.
            ProxyConnection.Reset(from);
        }
    }

    private void Send(ReadOnlySpan<byte> bytes)
    {
        proxy.WaitUntilFlowing(cut);
        if (proxy.BlackHole)
            return;
        if (!proxy.SplitIntoSingleBytes)
        {
            SendAll(bytes);
            return;
        }

        for (var i = 0; i < bytes.Length; i++)
        {
            if (!proxy.SplitIntoSingleBytes)
            {
                SendAll(bytes[i..]);
                return;
            }

            SendAll(bytes.Slice(i, 1));
            // About 60 µs, in which the receiver can take this byte before the next one arrives.
            _ = USleep(1);
        }
    }

    private void SendAll(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[to.Send(bytes)..];
    }

    // usleep rounds up by about 60 µs. Thread.Sleep has only whole milliseconds, and spinning would take a core from the measured program.
    private static void WaitUntil(long due)
    {
        while (true)
        {
            var left = due - Stopwatch.GetTimestamp();
            if (left <= 0)
                return;
            var microseconds = (uint)Math.Clamp(left * 1_000_000 / Stopwatch.Frequency, 1, 900_000);
            _ = USleep(microseconds);
        }
    }

    [DllImport("libc", EntryPoint = "usleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int USleep(uint microseconds);
}
