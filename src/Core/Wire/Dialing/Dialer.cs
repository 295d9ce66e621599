using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// Makes the connection of a new session: to each address of a name in Happy Eyeballs order, one after the other, or to a unix socket. Other kinds of
/// connections derive from it.
/// </summary>
/// <param name="tls">TLS settings of the data source; null without TLS.</param>
/// <param name="keepAlive">Interval of keep-alive probes in seconds; 0: the system's setting.</param>
/// <param name="engine">Completes asynchronous waits.</param>
/// <param name="continuations">Where the caller continues after the driver's own engine has completed a wait.</param>
internal class Dialer(TlsSettings? tls, int keepAlive = 0, AsyncEngine engine = AsyncEngine.Auto, AsyncContinuations continuations = AsyncContinuations.Engine)
{
    // The runtime's sockets are used where the driver's own engine is not available.
    private readonly CompletionEngine? _engine = engine == AsyncEngine.Runtime ? null : CompletionEngine.Shared;

    private readonly Dictionary<string, TlsClient> _tlsClients = [];

    /// <summary>The optimisations of the wires of its connections.</summary>
    public WireOptimizations Optimizations { get; init; } = WireOptimizations.All;

    /// <summary>Connects by blocking. No asynchronous call is made on the socket.</summary>
    public virtual ITransport Dial(Endpoint endpoint, DialScope scope)
    {
        if (endpoint.IsUnixSocket)
            return Connect(new UnixDomainSocketEndPoint(endpoint.Host), endpoint, scope, scope);

        var addresses = Resolve(endpoint, scope);
        if (addresses.Length == 1)
            return Connect(new IPEndPoint(addresses[0], endpoint.Port), endpoint, scope, scope);
        var attempts = new Attempts(addresses);
        while (attempts.Next(scope) is { } attempt)
        {
            using (attempt.Scope)
            {
                try
                {
                    return Connect(new IPEndPoint(attempt.Address, endpoint.Port), endpoint, scope, attempt.Scope);
                }
                catch (WireException exception) when (!scope.HasEnded)
                {
                    attempts.Failed(exception);
                }
            }
        }

        throw attempts.Failure ?? UnknownHost(endpoint, null);
    }

    /// <summary>Connects without blocking.</summary>
    public virtual async ValueTask<ITransport> DialAsync(Endpoint endpoint, DialScope scope)
    {
        if (endpoint.IsUnixSocket)
            return await ConnectAsync(new UnixDomainSocketEndPoint(endpoint.Host), endpoint, scope, scope).ConfigureAwait(false);

        var addresses = await ResolveAsync(endpoint, scope).ConfigureAwait(false);
        if (addresses.Length == 1)
            return await ConnectAsync(new IPEndPoint(addresses[0], endpoint.Port), endpoint, scope, scope).ConfigureAwait(false);
        var attempts = new Attempts(addresses);
        while (attempts.Next(scope) is { } attempt)
        {
            using (attempt.Scope)
            {
                try
                {
                    return await ConnectAsync(new IPEndPoint(attempt.Address, endpoint.Port), endpoint, scope, attempt.Scope).ConfigureAwait(false);
                }
                catch (WireException exception) when (!scope.HasEnded)
                {
                    attempts.Failed(exception);
                }
            }
        }

        throw attempts.Failure ?? UnknownHost(endpoint, null);
    }

    /// <summary>The current addresses of a name, by blocking: for watching names.</summary>
    public virtual IPAddress[] LookUp(string host) => Dns.GetHostAddresses(host);

    /// <summary>The current addresses of a name.</summary>
    protected virtual Task<IPAddress[]> LookUpAsync(string host, CancellationToken cancellationToken) => Dns.GetHostAddressesAsync(host, cancellationToken);

    // Interleaved by address family, the resolver's first choice first (RFC 8305, section 4): a dead IPv6 route costs one attempt, not all of them.
    internal static IPAddress[] Ordered(IPAddress[] addresses)
    {
        if (addresses.Length < 3)
            return addresses;
        var first = addresses[0].AddressFamily;
        var preferred = new Queue<IPAddress>(addresses.Where(address => address.AddressFamily == first));
        var others = new Queue<IPAddress>(addresses.Where(address => address.AddressFamily != first));
        var ordered = new List<IPAddress>(addresses.Length);
        while (preferred.Count + others.Count > 0)
        {
            if (preferred.TryDequeue(out var one))
                ordered.Add(one);
            if (others.TryDequeue(out var other))
                ordered.Add(other);
        }

        return [.. ordered];
    }

    private IPAddress[] Resolve(Endpoint endpoint, DialScope scope)
    {
        if ((scope.Address ?? HostAddress.Parse(endpoint.Host)) is { } literal)
            return [literal];
        var addresses = NameResolver.Resolve(endpoint.Host, LookUp, scope, out var failure) ?? throw scope.Ended(endpoint, "resolving the host name");
        return failure is null && addresses.Length > 0 ? Ordered(addresses) : throw UnknownHost(endpoint, failure);
    }

    private async ValueTask<IPAddress[]> ResolveAsync(Endpoint endpoint, DialScope scope)
    {
        if ((scope.Address ?? HostAddress.Parse(endpoint.Host)) is { } literal)
            return [literal];
        try
        {
            var addresses = await LookUpAsync(endpoint.Host, scope.Token).WaitAsync(scope.Token).ConfigureAwait(false);
            return addresses.Length > 0 ? Ordered(addresses) : throw UnknownHost(endpoint, null);
        }
        catch (Exception exception) when (exception is SocketException or ArgumentException)
        {
            throw UnknownHost(endpoint, exception);
        }
        catch (OperationCanceledException)
        {
            throw scope.Ended(endpoint, "resolving the host name");
        }
    }

    // The scope of one address (addressScope) ends with its connection; the outer scope continues with the next phases.
    private ITransport Connect(EndPoint target, Endpoint endpoint, DialScope scope, DialScope addressScope)
    {
        var socket = CreateSocket(target, endpoint);
        try
        {
            addressScope.Attach(socket);
            socket.Connect(target);
            if (addressScope != scope)
                scope.Attach(socket);
            return Wrap(socket, target, endpoint, scope);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            socket.Dispose();
            throw addressScope.HasEnded ? addressScope.Ended(endpoint, "connecting") : Failed(endpoint, exception);
        }
    }

    private async ValueTask<ITransport> ConnectAsync(EndPoint target, Endpoint endpoint, DialScope scope, DialScope addressScope)
    {
        var socket = CreateSocket(target, endpoint);
        if (_engine is not null)
            return await ConnectWithEngineAsync((EngineTransport)Wrap(socket, target, endpoint, scope), target, endpoint, scope, addressScope)
                .ConfigureAwait(false);
        try
        {
            addressScope.Attach(socket);
            await socket.ConnectAsync(target, addressScope.Token).ConfigureAwait(false);
            if (addressScope != scope)
                scope.Attach(socket);
            return Wrap(socket, target, endpoint, scope, asynchronously: true);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            socket.Dispose();
            throw addressScope.HasEnded ? addressScope.Ended(endpoint, "connecting") : Failed(endpoint, exception);
        }
    }

    private static async ValueTask<ITransport> ConnectWithEngineAsync(
        EngineTransport transport, EndPoint target, Endpoint endpoint, DialScope scope, DialScope addressScope)
    {
        try
        {
            // The transport instead of the socket: a running wait must end before its descriptor is closed.
            addressScope.Attach(transport);
            await transport.ConnectAsync(target).ConfigureAwait(false);
            if (addressScope != scope)
                scope.Attach(transport);
            return transport;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or WireException)
        {
            transport.Dispose();
            throw addressScope.HasEnded ? addressScope.Ended(endpoint, "connecting") : exception as WireException ?? Failed(endpoint, exception);
        }
    }

    // Fails if the process has no free descriptor, or the system lacks the address family.
    private Socket CreateSocket(EndPoint target, Endpoint endpoint)
    {
        try
        {
            return CreateSocket(target);
        }
        catch (SocketException exception)
        {
            throw NoSocket(endpoint, exception);
        }
    }

    /// <summary>Creates an unconnected socket.</summary>
    protected virtual Socket CreateSocket(EndPoint target)
    {
        if (target is UnixDomainSocketEndPoint)
            return new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        var socket = new Socket(target.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        if (keepAlive > 0)
        {
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, keepAlive);
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, keepAlive);
        }

        return socket;
    }

    private ITransport Wrap(Socket socket, EndPoint target, Endpoint endpoint, DialScope scope, bool asynchronously = false)
    {
        var trust = target switch
        {
            UnixDomainSocketEndPoint => PeerTrust.UnixSocket,
            IPEndPoint { Address: var address } when IPAddress.IsLoopback(address) => PeerTrust.Loopback,
            _ => PeerTrust.None,
        };
        return _engine is not null
            ? new EngineTransport(_engine, socket, continuations, trust, endpoint.ToString(), TlsFor(endpoint.Host, scope), Optimizations.Spins)
            : new SocketTransport(socket, trust, endpoint.ToString(), TlsFor(endpoint.Host, scope)) { HasWaitedAsynchronously = asynchronously };
    }

    /// <summary>The TLS client of connections to a host, shared by all of them unless a holder has its own settings; null without TLS.</summary>
    protected TlsClient? TlsFor(string host, DialScope scope)
    {
        if (tls is null)
            return null;
        if (scope.Tls is { } own)
            return new TlsClient(own, host);
        lock (_tlsClients)
        {
            if (!_tlsClients.TryGetValue(host, out var client))
                _tlsClients.Add(host, client = new TlsClient(tls, host));
            return client;
        }
    }

    private static WireException UnknownHost(Endpoint endpoint, Exception? inner) => new(
        WireFailure.UnknownHost, $"The host name '{endpoint.Host}' could not be resolved: check its spelling and the name service.", inner)
    { RetrySafety = RetrySafety.NotSent };

    private static WireException NoSocket(Endpoint endpoint, SocketException inner) => new(
        WireFailure.Unreachable,
        $"A socket for {endpoint} could not be created ({inner.SocketErrorCode}): if the process has no file descriptor left, raise its limit (ulimit -n), "
        + "or close files and sockets that it keeps open.", inner)
    { RetrySafety = RetrySafety.NotSent };

    private static WireException Failed(Endpoint endpoint, Exception inner)
    {
        var error = (inner as SocketException)?.SocketErrorCode ?? SocketError.OperationAborted;
        var (failure, message) = error switch
        {
            SocketError.ConnectionRefused =>
                (WireFailure.Refused, $"Nothing is listening at {endpoint}: the server is not running there, or the port is wrong."),
            _ when endpoint.IsUnixSocket =>
                (WireFailure.Refused, $"The unix socket {endpoint} could not be opened ({error}): the server is not running, or the path is wrong."),
            SocketError.TimedOut => (WireFailure.TimedOut, $"{endpoint} did not answer within the system's connect time-out."),
            _ => (WireFailure.Unreachable, $"{endpoint} could not be reached ({error})."),
        };
        return new WireException(failure, message, inner) { RetrySafety = RetrySafety.NotSent };
    }
}
