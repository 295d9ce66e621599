using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>Opens sessions: dials, runs the connect conversation, hands the wire to the provider's session. Both verbs, once for all providers.</summary>
/// <param name="dialer">Makes the connections.</param>
/// <param name="hosts">Where the server may be; tried in turn until one accepts.</param>
internal abstract partial class SessionOpener(Dialer dialer, Hosts hosts) : ISessionFactory<Session>
{
    /// <summary>Milliseconds for one of several servers; 0 for an equal part of the time that is left.</summary>
    public int HostTimeout { get; init; }

    /// <summary>The option that says how long opening may take, for messages.</summary>
    protected virtual string TimeoutOption => "the connection time-out";

    /// <summary>The conversation that connects and authenticates.</summary>
    protected internal abstract ConnectScript CreateConnect(ITransport transport, DialScope scope);

    /// <summary>What the holder of a new session wants of TLS in place of what the data source wants; null for that.</summary>
    protected virtual TlsSettings? TlsOf(object holder) => null;

    /// <summary>The session over a wire on which that conversation has succeeded.</summary>
    protected internal abstract Session CreateSession(Wire wire, Endpoint endpoint, ConnectScript connect);

    /// <summary>True when the server says that it cannot take the session now, which another may: it is full, or stopping.</summary>
    protected internal virtual bool MayTryNext(ServerError error) => false;

    /// <inheritdoc/>
    public Session Open(long milliseconds) => Open(milliseconds, null);

    /// <inheritdoc/>
    public ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken) => OpenAsync(milliseconds, null, cancellationToken);

    /// <inheritdoc/>
    public Session Open(long milliseconds, object? holder)
    {
        using var scope = ScopeFor(holder, milliseconds, default);
        using var opening = new Opening(this, scope, hosts);
        return Run(opening);
    }

    /// <inheritdoc/>
    public async ValueTask<Session> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken)
    {
        using var scope = ScopeFor(holder, milliseconds, cancellationToken);
        using var opening = new Opening(this, scope, hosts);
        while (true)
        {
            try
            {
                switch (opening.Next)
                {
                    case OpeningStep.Dial:
                        opening.Dialed(await dialer.DialAsync(opening.Endpoint, opening.Scope).ConfigureAwait(false), dialer.Levers);
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

    /// <summary>Opens a session at one endpoint by blocking, nowhere else: also for the connection that carries a cancellation.</summary>
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
                        opening.Dialed(dialer.Dial(opening.Endpoint, opening.Scope), dialer.Levers);
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

    /// <summary>The time of an attempt to open a session for somebody.</summary>
    protected DialScope ScopeFor(object? holder, long milliseconds, CancellationToken cancellationToken) =>
        new((int)Math.Min(milliseconds, int.MaxValue), cancellationToken) { LimitOption = TimeoutOption, Holder = holder, Tls = holder is null ? null : TlsOf(holder) };

    /// <summary>Told when a peer turns out not to take pipelined commands; null for nobody.</summary>
    public Action<Endpoint, string>? PipeliningOff { get; init; }

    /// <summary>
    /// Several commands in one send, to find out whether the peer takes that: <see cref="Step.Metadata"/> when the first was answered as it must
    /// be, <see cref="Step.Completed"/> when all were. Null when it is known, or the session must not try.
    /// </summary>
    protected internal virtual Conversation? CreateProbe(Session session) => null;

    /// <summary>What a probe has found out; null when the peer takes pipelined commands, otherwise what it did instead.</summary>
    protected internal virtual void Probed(Session session, string? fault)
    {
        // Only who probes wants to know.
    }

    /// <summary>Where the session's server sends the client instead; null to stay.</summary>
    /// <exception cref="WireException">It must, and does not; or it may not send there.</exception>
    protected internal virtual Endpoint? RedirectionOf(Session session) => null;

    /// <summary>Whether a session may be used where it was redirected from, when it could not be opened there.</summary>
    protected internal virtual bool MayStay => false;

    /// <summary>Remembers and tells that nothing may be glued at the session's peer.</summary>
    protected internal void Downgraded(Session session, string fault)
    {
        Probed(session, fault);
        PipeliningOff?.Invoke(session.Endpoint, ServerText.OneLine(fault, 1000));
    }
}
