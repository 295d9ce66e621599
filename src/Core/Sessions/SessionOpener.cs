using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// Opens sessions: dials, runs the connect conversation and creates the provider's session. Blocking and asynchronous, once for all providers.
/// </summary>
/// <param name="dialer">Makes the connections.</param>
/// <param name="hosts">The servers, tried in turn until one accepts.</param>
internal abstract partial class SessionOpener(Dialer dialer, Hosts hosts) : ISessionFactory<Session>
{
    /// <summary>Time limit for each of several servers, in milliseconds; 0: an equal share of the remaining time.</summary>
    public int HostTimeout { get; init; }

    /// <summary>Name of the option that limits the opening, for messages.</summary>
    protected virtual string TimeoutOption => "the connection time-out";

    /// <summary>Creates the conversation that connects and authenticates.</summary>
    protected internal abstract ConnectScript CreateConnect(ITransport transport, DialScope scope);

    /// <summary>TLS settings of the holder of a new session that replace those of the data source; null for the latter.</summary>
    protected virtual TlsSettings? TlsOf(object holder) => null;

    /// <summary>Creates the session over a wire on which the connect conversation has succeeded.</summary>
    protected internal abstract Session CreateSession(Wire wire, Endpoint endpoint, ConnectScript connect);

    /// <summary>Whether the error means that this server cannot accept the session now but another one may: it is full, or shutting down.</summary>
    protected internal virtual bool MayTryNext(ServerError error) => false;

    /// <inheritdoc/>
    public Session Open(long milliseconds) => Open(milliseconds, null);

    /// <inheritdoc/>
    public ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken) => OpenAsync(milliseconds, null, cancellationToken);

    /// <inheritdoc/>
    public Session Open(long milliseconds, object? holder)
    {
        using var scope = ScopeFor(holder, milliseconds, default);
        Began(scope);
        try
        {
            using var opening = new Opening(this, scope, hosts);
            return Run(opening);
        }
        finally
        {
            Ended(scope);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<Session> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken)
    {
        using var scope = ScopeFor(holder, milliseconds, cancellationToken);
        Began(scope);
        try
        {
            using var opening = new Opening(this, scope, hosts);
            return await RunAsync(opening).ConfigureAwait(false);
        }
        finally
        {
            Ended(scope);
        }
    }

    private async ValueTask<Session> RunAsync(Opening opening)
    {
        while (true)
        {
            try
            {
                switch (opening.Next)
                {
                    case OpeningStep.Dial:
                        opening.Dialed(await dialer.DialAsync(opening.Endpoint, opening.Scope).ConfigureAwait(false), dialer.Optimizations);
                        break;
                    case OpeningStep.Converse:
                        await AsyncPump.RunAsync(opening.Conversation, opening.Wire).ConfigureAwait(false);
                        opening.Conversed();
                        break;
                    default:
                        return opening.Session;
                }
            }
            catch (Exception exception)
            {
                opening.Failed(exception);
            }
        }
    }

    /// <summary>Opens a session at one endpoint only, by blocking: also for the connection that carries a cancellation.</summary>
    public Session OpenAt(Endpoint endpoint, DialScope scope)
    {
        using var opening = new Opening(this, scope, endpoint);
        return Run(opening);
    }

    private Session Run(Opening opening)
    {
        while (true)
        {
            try
            {
                switch (opening.Next)
                {
                    case OpeningStep.Dial:
                        opening.Dialed(dialer.Dial(opening.Endpoint, opening.Scope), dialer.Optimizations);
                        break;
                    case OpeningStep.Converse:
                        BlockingPump.Run(opening.Conversation, opening.Wire);
                        opening.Conversed();
                        break;
                    default:
                        return opening.Session;
                }
            }
            catch (Exception exception)
            {
                opening.Failed(exception);
            }
        }
    }

    /// <summary>Creates the time limit of an attempt to open a session for <paramref name="holder"/>.</summary>
    protected DialScope ScopeFor(object? holder, long milliseconds, CancellationToken cancellationToken) =>
        new((int)Math.Min(milliseconds, int.MaxValue), cancellationToken)
        {
            LimitOption = TimeoutOption,
            Holder = holder,
            Tls = holder is null ? null : TlsOf(holder)
        };

    /// <summary>Called when a peer does not support pipelined commands; null for no call.</summary>
    public Action<Endpoint, string>? PipeliningOff { get; init; }

    /// <summary>
    /// Creates a probe that sends several commands in one send, to find out whether the peer supports that. Its outcome is <see cref="Step.Metadata"/> after a
    /// correct answer to the first command, and <see cref="Step.Completed"/> after correct answers to all. Null if the result is known, or the session must not
    /// try.
    /// </summary>
    protected internal virtual Conversation? CreateProbe(Session session) => null;

    /// <summary>Records the result of a probe: null if the peer supports pipelined commands, otherwise what it did instead.</summary>
    protected internal virtual void Probed(Session session, string? fault)
    {
        // Only a provider that probes needs it.
    }

    /// <summary>The endpoint to which the session's server redirects the client; null without a redirection.</summary>
    /// <exception cref="WireException">A redirection is required and missing, or its target is not allowed.</exception>
    protected internal virtual Endpoint? RedirectionOf(Session session) => null;

    /// <summary>Whether the session at the redirecting server may be used if the target could not be opened.</summary>
    protected internal virtual bool MayFallBack => false;

    /// <summary>Records and reports that the session's peer does not support pipelining.</summary>
    protected internal void Downgraded(Session session, string fault)
    {
        Probed(session, fault);
        PipeliningOff?.Invoke(session.Endpoint, ServerText.OneLine(fault, 1000));
    }
}
