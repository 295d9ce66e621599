using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Slipstream.BadPeers.Peers;

/// <summary>One connection of a <see cref="FakeServer"/>: the operations that its scripts use. All of them block.</summary>
public sealed class FakePeer : IDisposable
{
    private readonly Socket _socket;
    private readonly List<byte> _received = [];
    private Stream _stream;
    private readonly CorkedStream _carrier;
    private TlsSeal? _seal;
    private volatile bool _isReading;

    internal FakePeer(Socket socket, int number)
    {
        _socket = socket;
        _socket.NoDelay = true;
        _stream = _carrier = new CorkedStream(new NetworkStream(socket));
        Number = number;
    }

    /// <summary>The server that has accepted it.</summary>
    public required FakeServer Server { get; init; }

    /// <summary>The port of the client's end.</summary>
    public int ClientPort => ((IPEndPoint)_socket.RemoteEndPoint!).Port;

    /// <summary>Position in the order of arrival, from 0.</summary>
    public int Number { get; }

    /// <summary>What the client has sent, after TLS if there was any.</summary>
    public byte[] Received
    {
        get
        {
            lock (_received)
                return [.. _received];
        }
    }

    /// <summary>Set when the client has closed the connection, or the script has cut it.</summary>
    public ManualResetEventSlim ClientHasClosed { get; } = new();

    /// <summary>Set by a test whose script cannot see the end of the exchange, because it reads nothing.</summary>
    public ManualResetEventSlim ClientIsDone { get; } = new();

    /// <summary>Set by a test that has returned the session to its pool.</summary>
    public ManualResetEventSlim IsIdle { get; } = new();

    /// <summary>Set by a script that has sent something unasked.</summary>
    public ManualResetEventSlim HasSpoken { get; } = new();

    /// <summary>Whether the script waits for the client, and the client's system has confirmed all bytes that were sent.</summary>
    public bool HasDeliveredAll => ClientHasClosed.IsSet || (_isReading && SocketQueue.Unconfirmed(_socket) == 0);

    /// <summary>The exception of the script; null if all went as expected.</summary>
    public Exception? Failure { get; private set; }

    public void Send(params ReadOnlySpan<byte> bytes) => _stream.Write(bytes);

    /// <summary>Sends each piece in its own TLS record, if it is not longer than a record; all in one segment.</summary>
    public void SendTogether(params IEnumerable<byte[]> pieces)
    {
        _carrier.IsCorked = true;
        foreach (var piece in pieces)
            _stream.Write(piece);
        _carrier.IsCorked = false;
    }

    /// <summary>As <see cref="SendTogether"/>, but only a part of the last piece's record.</summary>
    /// <param name="whole">Pieces that are sent whole.</param>
    /// <param name="cut">The piece that is sent in part.</param>
    /// <param name="missing">The number of bytes at the record's end that are not sent; 0: all but its first byte.</param>
    /// <returns>The bytes that are missing.</returns>
    public byte[] SendCut(byte[] whole, byte[] cut, int missing)
    {
        _carrier.IsCorked = true;
        if (whole.Length > 0)
            _stream.Write(whole);
        var begin = _carrier.Kept;
        _stream.Write(cut);
        return _carrier.Cut(missing == 0 ? begin + 1 : _carrier.Kept - missing);
    }

    /// <summary>Sends bytes below TLS, such as the rest of a record.</summary>
    public void SendBeneath(ReadOnlySpan<byte> bytes) => _carrier.Write(bytes);

    /// <summary>Sends two pieces in their own TLS records, and a message of TLS itself between them; all in one segment.</summary>
    /// <remarks>
    /// A warning is the third record at the earliest, after the handshake and the end of the login; from then on nothing may be sent in another way.
    /// </remarks>
    public void SendAround(byte[] first, string word, byte[] behind)
    {
        _carrier.IsCorked = true;
        if (word == TlsWords.Warning)
        {
            _seal ??= new((SslStream)_stream);
            _carrier.Write(_seal.Data(first));
            _carrier.Write(_seal.Warning());
            if (behind.Length > 0)
                _carrier.Write(_seal.Data(behind));
        }
        else
        {
            _stream.Write(first);
            _carrier.Write(TlsWords.Records((SslStream)_stream, word));
            if (behind.Length > 0)
                _stream.Write(behind);
        }

        _carrier.IsCorked = false;
    }

    /// <summary>Sends one byte at a time, each in its own segment.</summary>
    public void SendSlowly(ReadOnlySpan<byte> bytes, TimeSpan pause)
    {
        foreach (var one in bytes)
        {
            _stream.Write([one]);
            Thread.Sleep(pause);
        }
    }

    /// <summary>Sends the same bytes again and again, in clear text, until the client closes.</summary>
    /// <returns>The number of bytes sent; at most <paramref name="limit"/>.</returns>
    public long SendUntilClosed(byte[] bytes, long limit)
    {
        const int LookEvery = 250_000;
        long sent = 0;
        var at = 0;
        _socket.Blocking = false;
        while (sent < limit)
        {
            var count = _socket.Send(bytes.AsSpan(at), SocketFlags.None, out var error);
            if (error == SocketError.WouldBlock)
            {
                // The window is full: a client that has sent its end is closed, whatever the window is.
                if (!_socket.Poll(LookEvery, SelectMode.SelectWrite) && _socket.Poll(0, SelectMode.SelectRead) && _socket.Available == 0)
                    break;
                continue;
            }

            if (error != SocketError.Success)
                break;
            sent += count;
            at = (at + count) % bytes.Length;
        }

        if (sent < limit)
            ClientHasClosed.Set();
        _socket.Blocking = true;
        return sent;
    }

    /// <summary>Waits for exactly the given number of bytes.</summary>
    /// <exception cref="HungUpException">The client closed the connection before.</exception>
    public byte[] Read(int count)
    {
        var bytes = new byte[count];
        for (var at = 0; at < count;)
        {
            var read = TryRead(bytes.AsSpan(at));
            if (read == 0)
                throw new HungUpException();
            at += read;
        }

        return bytes;
    }

    /// <summary>Returns what has arrived in one piece: at least one byte, at most 64 KiB.</summary>
    public byte[] ReadSegment()
    {
        var bytes = new byte[65536];
        var read = TryRead(bytes);
        return read > 0 ? bytes[..read] : throw new HungUpException();
    }

    /// <summary>Sends nothing more, and keeps what the client sends. Returns when the client has closed the connection.</summary>
    public void Stall()
    {
        var bytes = new byte[4096];
        while (TryRead(bytes) > 0)
        {
        }
    }

    /// <summary>Closes the connection as a server does that stops: the client still receives what was sent.</summary>
    public void Close()
    {
        _socket.Shutdown(SocketShutdown.Both);
        _socket.Dispose();
        ClientHasClosed.Set();
    }

    /// <summary>Closes the sending half: the client reads the end, and what it sends still arrives.</summary>
    public void CloseHalf() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>Resets the connection, as a server does that crashes.</summary>
    public void Reset()
    {
        _socket.LingerState = new LingerOption(true, 0);
        _socket.Close();
        ClientHasClosed.Set();
    }

    /// <summary>Performs the server's side of the TLS handshake; what follows is encrypted.</summary>
    /// <param name="certificate">The server's certificate.</param>
    /// <param name="protocols">Versions of TLS; None: the system's defaults.</param>
    /// <param name="keepsEnd">Whether the last message of a TLS 1.2 handshake is sent together with the following <see cref="SendAround"/>.</param>
    /// <param name="applicationProtocol">The protocol that the server confirms (ALPN); null for none.</param>
    public void UpgradeToTls(
        X509Certificate2 certificate, SslProtocols protocols = SslProtocols.None, bool keepsEnd = false, string? applicationProtocol = null)
    {
        if (keepsEnd)
            _carrier.CorksBehind = 1;
        var tls = new SslStream(_stream);
        try
        {
            // Offline: otherwise the server itself would download what is missing in its chain.
            tls.AuthenticateAsServer(new SslServerAuthenticationOptions
            {
                ServerCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true),
                EnabledSslProtocols = protocols,
                ApplicationProtocols = applicationProtocol is null ? null : [new(applicationProtocol)],
            });
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException)
        {
            // The client rejected the certificate: the test checks what it does then.
            Stall();
            throw new HungUpException();
        }

        _stream = tls;
    }

    /// <summary>Begins the server's side of the TLS handshake and becomes silent in it. Returns when the client has closed the connection.</summary>
    /// <param name="certificate">The server's certificate.</param>
    /// <param name="after">The number of bytes of the handshake that the client receives.</param>
    public void StallInTls(X509Certificate2 certificate, int after)
    {
        using var tls = new SslStream(new MutedStream(_stream, after));
        try
        {
            tls.AuthenticateAsServer(certificate);
            throw new InvalidDataException($"The handshake was over before {after} bytes of it were sent.");
        }
        catch (Exception exception) when (exception is AuthenticationException or IOException)
        {
            Stall();
        }
    }

    public void Dispose()
    {
        _seal?.Dispose();
        _socket.Dispose();
        ClientHasClosed.Set();
    }

    internal void Run(Action<FakePeer> script)
    {
        try
        {
            script(this);
            Stall();
        }
        catch (Exception exception) when (exception is HungUpException or ObjectDisposedException or IOException { InnerException: SocketException })
        {
            // The client left, or the test is over: a test that depends on it checks Received and ClientHasClosed.
        }
        catch (Exception exception)
        {
            Failure = exception;
        }
        finally
        {
            _socket.Dispose();
            ClientHasClosed.Set();
        }
    }

    private int TryRead(Span<byte> bytes)
    {
        int read;
        _isReading = true;
        try
        {
            read = _stream.Read(bytes);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            read = 0;
        }
        finally
        {
            _isReading = false;
        }

        if (read == 0)
            ClientHasClosed.Set();
        lock (_received)
            _received.AddRange(bytes[..read]);
        return read;
    }
}

/// <summary>The client has closed the connection: the script ends here.</summary>
public sealed class HungUpException() : Exception("The client closed the connection.");
