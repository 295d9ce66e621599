using Slipstream.Core.Errors;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// Functions of the application that make connections, blocking and asynchronous. Both receive the host, the port and a token that is cancelled at the end of
/// the attempt.
/// </summary>
/// <param name="Connect">Connects by blocking. May be called on any thread.</param>
/// <param name="ConnectAsync">Connects asynchronously; null calls <paramref name="Connect"/> on the thread pool.</param>
internal sealed record StreamFactory(
    Func<string, int, CancellationToken, Stream> Connect, Func<string, int, CancellationToken, ValueTask<Stream>>? ConnectAsync);

/// <summary>Makes connections from the streams of a factory.</summary>
/// <param name="tls">TLS settings of the data source, for TLS on top of the stream; null without TLS.</param>
/// <param name="factory">Creates the streams.</param>
/// <param name="trust">Trust in the other end of a stream without TLS.</param>
internal sealed class StreamDialer(TlsSettings? tls, StreamFactory factory, PeerTrust trust = PeerTrust.None) : Dialer(tls)
{
    // A factory that ignores its token is left behind on its thread. A stream that it creates later is disposed.
    /// <inheritdoc/>
    public override ITransport Dial(Endpoint endpoint, DialScope scope)
    {
        var attempt = new Attempt();
        using var done = new ManualResetEventSlim();
        var token = scope.Token;
        var isStarted = OwnThread.TryStart(() =>
        {
            try
            {
                attempt.Made(factory.Connect(endpoint.Host, endpoint.Port, token));
            }
            catch (Exception exception)
            {
                attempt.Failure = exception;
            }

            try
            {
                done.Set();
            }
            catch (ObjectDisposedException)
            {
                // The caller has stopped waiting.
            }
        }, "stream factory");
        if (!isStarted)
            throw OwnThread.NotStarted();
        if (!scope.Wait(done))
        {
            attempt.Abandon();
            throw scope.Ended(endpoint, "connecting");
        }

        return attempt.Failure is { } failure ? throw Failed(endpoint, failure, scope) : Wrap(endpoint, attempt.Stream, scope);
    }

    /// <inheritdoc/>
    public override async ValueTask<ITransport> DialAsync(Endpoint endpoint, DialScope scope)
    {
        var attempt = new Attempt();
        var token = scope.Token;
        try
        {
            await MakeAsync(attempt, endpoint, token).WaitAsync(token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (scope.HasEnded)
        {
            attempt.Abandon();
            throw scope.Ended(endpoint, "connecting");
        }
        catch (Exception exception)
        {
            throw Failed(endpoint, exception, scope);
        }

        return Wrap(endpoint, attempt.Stream, scope);
    }

    private async Task MakeAsync(Attempt attempt, Endpoint endpoint, CancellationToken token) => attempt.Made(factory.ConnectAsync is { } connect
        ? await connect(endpoint.Host, endpoint.Port, token).ConfigureAwait(false)
        : await Task.Run(() => factory.Connect(endpoint.Host, endpoint.Port, token), token).ConfigureAwait(false));

    private StreamTransport Wrap(Endpoint endpoint, Stream? stream, DialScope scope)
    {
        if (stream is not { CanRead: true, CanWrite: true })
        {
            stream?.Dispose();
            throw Failed(endpoint, new InvalidOperationException("it did not return a stream that can be read and written"), scope);
        }

        var transport = new StreamTransport(stream, trust, endpoint.ToString(), TlsFor(endpoint.Host, scope));
        scope.Attach(transport);
        return transport;
    }

    private static WireException Failed(Endpoint endpoint, Exception failure, DialScope scope) => failure switch
    {
        _ when scope.HasEnded => scope.Ended(endpoint, "connecting"),
        WireException wire => wire,
        _ =>
            new(WireFailure.Unreachable, $"The stream factory could not connect to {endpoint}: {failure.Message}", failure)
            {
                RetrySafety = RetrySafety.NotSent
            },
    };

    // The stream goes to the waiting caller, or it is disposed if the caller has stopped waiting.
    private sealed class Attempt
    {
        private readonly Lock _gate = new();
        private bool _isAbandoned;

        public Stream? Stream { get; private set; }

        public Exception? Failure { get; set; }

        public void Made(Stream? stream)
        {
            lock (_gate)
            {
                Stream = stream;
                if (_isAbandoned)
                    stream?.Dispose();
            }
        }

        public void Abandon()
        {
            lock (_gate)
            {
                _isAbandoned = true;
                Stream?.Dispose();
            }
        }
    }
}
