using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>Opens sessions: dials, runs the connect conversation, hands the wire to the provider's session. Both verbs, once for all providers.</summary>
/// <param name="dialer">Makes the connections.</param>
/// <param name="hosts">Where the server may be; tried in turn until one accepts.</param>
public abstract partial class SessionOpener(Dialer dialer, Hosts hosts) : ISessionFactory<Session>
{
    /// <summary>Milliseconds for one of several servers; 0 for an equal part of the time that is left.</summary>
    public int HostTimeout { get; init; }

    /// <summary>The option that says how long opening may take, for messages.</summary>
    protected virtual string TimeoutOption => "the connection time-out";

    /// <summary>The conversation that connects and authenticates.</summary>
    protected abstract ConnectScript CreateConnect(ITransport transport, DialScope scope);

    /// <summary>What the holder of a new session wants of TLS in place of what the data source wants; null for that.</summary>
    protected virtual TlsSettings? TlsOf(object holder) => null;

    /// <summary>The session over a wire on which that conversation has succeeded.</summary>
    protected abstract Session CreateSession(Wire wire, Endpoint endpoint, ConnectScript connect);

    /// <summary>True when the server says that it cannot take the session now, which another may: it is full, or stopping.</summary>
    protected virtual bool MayTryNext(ServerError error) => false;

    /// <inheritdoc/>
    public Session Open(long milliseconds) => Open(milliseconds, null);

    /// <inheritdoc/>
    public ValueTask<Session> OpenAsync(long milliseconds, CancellationToken cancellationToken) => OpenAsync(milliseconds, null, cancellationToken);

    /// <inheritdoc/>
    public Session Open(long milliseconds, object? holder)
    {
        using var scope = ScopeFor(holder, milliseconds, default);
        if (hosts.All is [var only])
            return Enter(only, Kept(OpenOrFollow(only.Endpoint, scope), scope));
        var turns = new Turns(this, hosts.InOrder());
        while (turns.Next(scope) is { } share)
        {
            using (share)
            {
                try
                {
                    return turns.Answered(Kept(OpenOrFollow(turns.Host.Endpoint, share), share));
                }
                catch (Exception exception) when (turns.MayGoOn(exception, scope))
                {
                    // The next host may be up.
                }
            }
        }

        return turns.Fail();
    }

    /// <inheritdoc/>
    public async ValueTask<Session> OpenAsync(long milliseconds, object? holder, CancellationToken cancellationToken)
    {
        using var scope = ScopeFor(holder, milliseconds, cancellationToken);
        if (hosts.All is [var only])
            return Enter(only, Kept(await OpenOrFollowAsync(only.Endpoint, scope).ConfigureAwait(false), scope));
        var turns = new Turns(this, hosts.InOrder());
        while (turns.Next(scope) is { } share)
        {
            using (share)
            {
                try
                {
                    return turns.Answered(Kept(await OpenOrFollowAsync(turns.Host.Endpoint, share).ConfigureAwait(false), share));
                }
                catch (Exception exception) when (turns.MayGoOn(exception, scope))
                {
                    // The next host may be up.
                }
            }
        }

        return turns.Fail();
    }

    /// <summary>The time of an attempt to open a session for somebody.</summary>
    protected DialScope ScopeFor(object? holder, long milliseconds, CancellationToken cancellationToken) =>
        new((int)Math.Min(milliseconds, int.MaxValue), cancellationToken) { LimitOption = TimeoutOption, Holder = holder, Tls = holder is null ? null : TlsOf(holder) };

    /// <summary>Told when a peer turns out not to take pipelined commands; null for nobody.</summary>
    public Action<Endpoint, string>? PipeliningOff { get; init; }

    /// <summary>
    /// Several commands in one send, to find out whether the peer takes that: <see cref="Step.Described"/> when the first was answered as it must
    /// be, <see cref="Step.Over"/> when all were. Null when it is known, or the session must not try.
    /// </summary>
    protected virtual Conversation? CreateProbe(Session session) => null;

    /// <summary>What a probe has found out; null when the peer takes pipelined commands, otherwise what it did instead.</summary>
    protected virtual void Probed(Session session, string? fault)
    {
        // Only who probes wants to know.
    }

    // Peers that take pipelining answer the second command right behind the first. A first answer may take a slow server its time.
    private const int FirstAnswerMilliseconds = 5000;
    private const int SecondAnswerMilliseconds = 1000;

    /// <summary>Where the session's server sends the client instead; null to stay.</summary>
    /// <exception cref="WireException">It must, and does not; or it may not send there.</exception>
    protected virtual Endpoint? RedirectionOf(Session session) => null;

    /// <summary>Whether a session may be used where it was redirected from, when it could not be opened there.</summary>
    protected virtual bool MayStay => false;

    /// <summary>Opens a session at one endpoint by blocking, nowhere else: also for the connection that carries a cancellation.</summary>
    public Session OpenAt(Endpoint endpoint, DialScope scope) => Proven(OpenOnceAt(endpoint, scope), scope);

    // One redirection is followed, never a second: two servers could send the client to and fro.
    private Session OpenOrFollow(Endpoint endpoint, DialScope scope)
    {
        var session = OpenOnceAt(endpoint, scope);
        if (TargetOf(session, scope) is { } target)
        {
            try
            {
                return Moved(session, OpenAt(target, scope));
            }
            catch (Exception exception) when (Stays(session, exception, scope))
            {
                // Where it was redirected from, it is still welcome.
            }
        }

        return Proven(session, scope);
    }

    private async ValueTask<Session> OpenOrFollowAsync(Endpoint endpoint, DialScope scope)
    {
        var session = await OpenOnceAtAsync(endpoint, scope).ConfigureAwait(false);
        if (TargetOf(session, scope) is { } target)
        {
            try
            {
                return Moved(session, await ProvenAsync(await OpenOnceAtAsync(target, scope).ConfigureAwait(false), scope).ConfigureAwait(false));
            }
            catch (Exception exception) when (Stays(session, exception, scope))
            {
                // Where it was redirected from, it is still welcome.
            }
        }

        return await ProvenAsync(session, scope).ConfigureAwait(false);
    }

    private Endpoint? TargetOf(Session session, DialScope scope)
    {
        try
        {
            var target = RedirectionOf(session);
            // Who sends the client on was trusted inside TLS: the next one is not believed outside of it.
            scope.DemandsTls |= target is not null && session.Wire.Transport.Trust.IsEncrypted();
            return target;
        }
        catch
        {
            session.Close();
            throw;
        }
    }

    private static Session Moved(Session from, Session to)
    {
        from.Close();
        return to;
    }

    private bool Stays(Session session, Exception exception, DialScope scope)
    {
        if (MayStay && !scope.HasEnded && exception is WireException or ServerRefusedException)
        {
            // The scope would have closed the connection that was dialled last.
            scope.AttachForShutdown(session.Wire.Transport);
            return true;
        }

        session.Close();
        return false;
    }

    private Session Proven(Session session, DialScope scope) =>
        CreateProbe(session) is not { } probe || Passes(session, probe, scope) ? session : OpenOnceAt(session.Endpoint, scope);

    private async ValueTask<Session> ProvenAsync(Session session, DialScope scope) =>
        CreateProbe(session) is not { } probe || await PassesAsync(session, probe, scope).ConfigureAwait(false)
            ? session
            : await OpenOnceAtAsync(session.Endpoint, scope).ConfigureAwait(false);

    private bool Passes(Session session, Conversation probe, DialScope scope)
    {
        try
        {
            session.RefuseLeftovers();
            using (var patience = Patience(session, FirstAnswerMilliseconds))
                BlockingPump.Run(probe, session.Wire);
            using (var patience = Patience(session, SecondAnswerMilliseconds))
                BlockingPump.Run(probe, session.Wire);
            Probed(session, null);
            return true;
        }
        catch (Exception exception) when (exception is WireException or ProtocolException or ObjectDisposedException)
        {
            Downgrade(session, exception, scope);
            return false;
        }
    }

    private async ValueTask<bool> PassesAsync(Session session, Conversation probe, DialScope scope)
    {
        try
        {
            session.RefuseLeftovers();
            using (var patience = Patience(session, FirstAnswerMilliseconds))
                await AsyncPump.RunAsync(probe, session.Wire).ConfigureAwait(false);
            using (var patience = Patience(session, SecondAnswerMilliseconds))
                await AsyncPump.RunAsync(probe, session.Wire).ConfigureAwait(false);
            Probed(session, null);
            return true;
        }
        catch (Exception exception) when (exception is WireException or ProtocolException or ObjectDisposedException)
        {
            Downgrade(session, exception, scope);
            return false;
        }
    }

    // The whole attempt has its own scope, which goes on counting.
    private static DialScope Patience(Session session, int milliseconds)
    {
        var patience = new DialScope(milliseconds, default);
        patience.AttachForShutdown(session.Wire.Transport);
        return patience;
    }

    private void Downgrade(Session session, Exception exception, DialScope scope)
    {
        session.Break("it did not take several commands at once");
        session.Close();
        // The caller's time or patience has ended, not the probe's: nothing was found out.
        if (scope.IsOutOfTime)
            throw scope.Ended(session.Endpoint, "finding out whether several commands may travel together");
        Downgraded(session, exception is ProtocolException protocol ? $"expected {protocol.Expected}, but {protocol.Came} came" : "it closed the connection, or did not answer the second command in time");
    }

    /// <summary>Remembers and tells that nothing may be glued at the session's peer.</summary>
    protected void Downgraded(Session session, string fault)
    {
        Probed(session, fault);
        PipeliningOff?.Invoke(session.Endpoint, ServerText.OneLine(fault, 1000));
    }

    private Session OpenOnceAt(Endpoint endpoint, DialScope scope)
    {
        var transport = dialer.Dial(endpoint, scope);
        var wire = new Wire(transport) { Levers = dialer.Levers };
        var connect = CreateConnect(transport, scope);
        try
        {
            BlockingPump.Run(connect, wire);
            return Opened(wire, endpoint, connect);
        }
        catch (Exception exception)
        {
            wire.Transport.Dispose();
            throw Failed(exception, endpoint, connect, scope);
        }
    }

    private async ValueTask<Session> OpenOnceAtAsync(Endpoint endpoint, DialScope scope)
    {
        var transport = await dialer.DialAsync(endpoint, scope).ConfigureAwait(false);
        var wire = new Wire(transport) { Levers = dialer.Levers };
        var connect = CreateConnect(transport, scope);
        try
        {
            await AsyncPump.RunAsync(connect, wire).ConfigureAwait(false);
            return Opened(wire, endpoint, connect);
        }
        catch (Exception exception)
        {
            wire.Transport.Dispose();
            throw Failed(exception, endpoint, connect, scope);
        }
    }

    private Session Opened(Wire wire, Endpoint endpoint, ConnectScript connect)
    {
        wire.Out.Erase();
        if (connect.Error is { } error)
            throw new ServerRefusedException(error);
        var session = CreateSession(wire, endpoint, connect);
        // What an interruption needs is there before anybody can use the session, or it is not opened.
        Deadlines.Watch(session);
        return session;
    }

    private static Exception Failed(Exception exception, Endpoint endpoint, ConnectScript connect, DialScope scope) => exception switch
    {
        ServerRefusedException => exception,
        _ when scope.HasEnded => scope.Ended(endpoint, connect.Phase),
        ProtocolException protocol => new WireException(
            WireFailure.WrongServer, $"{endpoint} answered, but not as this kind of database server does while {connect.Phase}: expected {protocol.Expected}, but {protocol.Came} came. Check the port.", protocol)
        { RetrySafety = RetrySafety.NotSent },
        WireException { Failure: WireFailure.Lost } when scope.IsOutOfTime => scope.Ended(endpoint, connect.Phase),
        // One that is known not to have sent anything says itself what was being done.
        WireException { Failure: WireFailure.Lost, RetrySafety: RetrySafety.NotSent } => exception,
        WireException { Failure: WireFailure.Lost } lost => new WireException(WireFailure.Lost, $"{endpoint} closed the connection while {connect.Phase}.", lost) { RetrySafety = RetrySafety.NotSent },
        WireException wire => wire,
        _ => exception,
    };
}
