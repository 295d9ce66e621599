using System.Net.Sockets;
using System.Runtime.ExceptionServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>What an <see cref="Opening"/> needs next.</summary>
internal enum OpeningStep
{
    /// <summary>Nothing: the session is open.</summary>
    Done,

    /// <summary>Connect to <see cref="Opening.Endpoint"/>.</summary>
    Dial,

    /// <summary>Run <see cref="Opening.Conversation"/> on <see cref="Opening.Wire"/> to its next outcome.</summary>
    Converse,
}

/// <summary>
/// The opening of one session: selecting and dialling a server, the connect conversation, a redirection by the server, and the probe for pipelining. It decides
/// and never waits. The caller, blocking or not, carries out what <see cref="Next"/> requests and reports the result.
/// </summary>
internal sealed class Opening : IDisposable
{
    // A peer that supports pipelining answers the second command right after the first. A slow server may need time for the first answer.
    private const int FirstAnswerMilliseconds = 5000;
    private const int SecondAnswerMilliseconds = 1000;

    private readonly SessionOpener _opener;
    private readonly DialScope _whole;
    private readonly Host? _only;
    private readonly HostAttempts? _attempts;
    private DialScope? _share;
    private DialScope? _timeLimit;
    private Phase _phase;
    private bool _mayFollow;
    private bool _mayProbe;
    private Wire? _wire;
    private ConnectScript? _connect;
    private Conversation? _probe;
    private Session? _session;
    // The session whose server redirected the client, until a session at the target is open.
    private Session? _from;

    /// <summary>Opens a session at one of several servers.</summary>
    public Opening(SessionOpener opener, DialScope scope, Hosts hosts)
    {
        (_opener, _whole) = (opener, scope);
        if (hosts.All is [var only])
        {
            _only = only;
            Begin(only.Endpoint);
            return;
        }

        _attempts = new(opener, hosts.InOrder());
        TryNextHost();
    }

    /// <summary>Opens a session at one endpoint, without following redirections.</summary>
    public Opening(SessionOpener opener, DialScope scope, Endpoint endpoint)
    {
        (_opener, _whole) = (opener, scope);
        Begin(endpoint);
        _mayFollow = false;
    }

    private enum Phase
    {
        Dialing,
        Connecting,
        Examining,
        FirstAnswer,
        SecondAnswer,
        Open,
    }

    /// <summary>The next step.</summary>
    public OpeningStep Next => _phase switch
    {
        Phase.Dialing => OpeningStep.Dial,
        Phase.Open => OpeningStep.Done,
        _ => OpeningStep.Converse,
    };

    /// <summary>The endpoint to dial.</summary>
    public Endpoint Endpoint { get; private set; } = null!;

    /// <summary>The time limit of the current attempt.</summary>
    public DialScope Scope => _share ?? _whole;

    /// <summary>The conversation to run.</summary>
    public Conversation Conversation => _phase == Phase.Connecting ? _connect! : _probe!;

    /// <summary>The wire to run it on.</summary>
    public Wire Wire => _session?.Wire ?? _wire!;

    /// <summary>The open session.</summary>
    public Session Session => _session!;

    /// <summary>Reports a successful dial.</summary>
    public void Dialed(ITransport transport, WireOptimizations optimizations)
    {
        _wire = new(transport) { Optimizations = optimizations };
        _connect = _opener.CreateConnect(transport, Scope);
        _phase = Phase.Connecting;
    }

    /// <summary>Reports that the conversation has reached its outcome.</summary>
    public void Conversed()
    {
        switch (_phase)
        {
            case Phase.Connecting:
                _session = Connected();
                _phase = Phase.Examining;
                if (!Follows())
                    BeginProbe();
                break;
            case Phase.FirstAnswer:
                Wait(SecondAnswerMilliseconds);
                _phase = Phase.SecondAnswer;
                break;
            default:
                Wait(0);
                _opener.Probed(_session!, null);
                Opened();
                break;
        }
    }

    /// <summary>Reports that the requested step has failed.</summary>
    /// <exception cref="Exception">The opening has failed: the exception for the caller. Otherwise the opening continues.</exception>
    public void Failed(Exception exception)
    {
        if (HandleFailure(exception) is not { } failure)
            return;
        if (_attempts is null || !_attempts.Failed(failure, _whole))
            ExceptionDispatchInfo.Throw(failure);
        if (!TryNextHost())
            ExceptionDispatchInfo.Throw(_attempts.Failure);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timeLimit?.Dispose();
        _share?.Dispose();
    }

    // Null if the opening continues at this server.
    private Exception? HandleFailure(Exception exception)
    {
        var failure = exception;
        switch (_phase)
        {
            case Phase.Dialing:
                _wire?.Transport.Dispose();
                if (Scope.HasEnded && exception is SocketException or ObjectDisposedException)
                    failure = Scope.Ended(Endpoint, "connecting");
                break;
            case Phase.Connecting:
                _wire!.Transport.Dispose();
                failure = Explain(exception);
                break;
            case Phase.FirstAnswer or Phase.SecondAnswer:
                Wait(0);
                if (exception is not (WireException or ProtocolException or SocketException or ObjectDisposedException))
                    break;
                if (Downgrade(exception) is not { } ended)
                    return null;
                failure = ended;
                break;
        }

        return _from is null ? failure : FallBack(failure);
    }

    // ---------------------------------------------------------------- servers

    private bool TryNextHost()
    {
        _share?.Dispose();
        _share = _attempts!.Next(_whole);
        if (_share is null)
            return false;
        Begin(_attempts.Host.Endpoint);
        return true;
    }

    private void Begin(Endpoint endpoint)
    {
        (_mayFollow, _mayProbe) = (true, true);
        Dial(endpoint);
    }

    private void Dial(Endpoint endpoint)
    {
        Endpoint = endpoint;
        (_session, _wire) = (null, null);
        _phase = Phase.Dialing;
    }

    private void Opened()
    {
        _from?.Close();
        _from = null;
        // A caller that opens at one endpoint uses its scope for more than that.
        if (_only is not null || _attempts is not null)
            Keep();
        _phase = Phase.Open;
        if (_only is not null)
        {
            _only.Enter();
            _session!.At(_only);
        }

        _attempts?.Succeeded(_session!);
    }

    // A time-out or cancellation at this moment has already closed the connection.
    private void Keep()
    {
        if (Scope.TryComplete())
            return;
        _phase = Phase.Examining;
        _session!.Break("its opening was stopped");
        _session.Close();
        throw Scope.Ended(_session.Endpoint, "connecting");
    }

    // ---------------------------------------------------------------- the connect conversation

    private Session Connected()
    {
        _wire!.Out.Erase();
        if (_connect!.Error is { } error)
            throw new ServerRefusedException(error);
        var session = _opener.CreateSession(_wire, Endpoint, _connect);
        // Before the session can be used, the sweeper must watch it, so that it can be interrupted. Otherwise it is not opened.
        Deadlines.Watch(session);
        return session;
    }

    private Exception Explain(Exception exception) => exception switch
    {
        ServerRefusedException => exception,
        _ when Scope.HasEnded => Scope.Ended(Endpoint, _connect!.Phase),
        ProtocolException protocol => new WireException(
            WireFailure.WrongServer, $"{Endpoint} did not answer as this kind of database server does while {_connect!.Phase}: expected {protocol.Expected}, "
                + $"but received {protocol.Came}. Check the port.", protocol)
        { RetrySafety = RetrySafety.NotSent },
        WireException { Failure: WireFailure.Lost } when Scope.IsOutOfTime => Scope.Ended(Endpoint, _connect!.Phase),
        // An exception that is known to precede any send has a sufficient message.
        WireException { Failure: WireFailure.Lost, RetrySafety: RetrySafety.NotSent } => exception,
        WireException { Failure: WireFailure.Lost } lost =>
            new WireException(WireFailure.Lost, $"{Endpoint} closed the connection while {_connect!.Phase}.", lost)
        { RetrySafety = RetrySafety.NotSent },
        _ => exception,
    };

    // ---------------------------------------------------------------- redirection

    // Only one redirection is followed: two servers could redirect the client to each other for ever.
    private bool Follows()
    {
        if (!_mayFollow)
            return false;
        _mayFollow = false;
        try
        {
            if (_opener.RedirectionOf(_session!) is not { } target)
                return false;
            // The redirecting server was authenticated inside TLS, so the target must offer TLS too.
            Scope.DemandsTls |= _session!.Wire.Transport.Trust.IsEncrypted();
            _from = _session;
            Dial(target);
            return true;
        }
        catch
        {
            _session!.Close();
            throw;
        }
    }

    // The server that redirected the client may still accept it.
    private Exception? FallBack(Exception failure)
    {
        (_session, _from) = (_from!, null);
        if (!_opener.MayFallBack || Scope.HasEnded || failure is not (WireException or ServerRefusedException))
        {
            _session.Close();
            return failure;
        }

        // Otherwise the scope would close the connection that was dialled last.
        Scope.AttachForShutdown(_session.Wire.Transport);
        _phase = Phase.Examining;
        _mayProbe = true;
        try
        {
            BeginProbe();
            return null;
        }
        catch (Exception exception)
        {
            return HandleFailure(exception);
        }
    }

    // ---------------------------------------------------------------- the probe

    private void BeginProbe()
    {
        _probe = _mayProbe ? _opener.CreateProbe(_session!) : null;
        if (_probe is null)
        {
            Opened();
            return;
        }

        _mayProbe = false;
        _phase = Phase.FirstAnswer;
        _session!.RefuseLeftovers();
        Wait(FirstAnswerMilliseconds);
    }

    // The time limit of the whole attempt has its own scope, which continues.
    private void Wait(int milliseconds)
    {
        _timeLimit?.Dispose();
        _timeLimit = null;
        if (milliseconds == 0)
            return;
        _timeLimit = new(milliseconds, default);
        _timeLimit.AttachForShutdown(_session!.Wire.Transport);
    }

    // The peer does not accept several commands at once: opens a new session without pipelining. Returns the exception if the time has run out.
    private WireException? Downgrade(Exception exception)
    {
        var session = _session!;
        session.Break("it did not accept several commands at once");
        session.Close();
        // The caller's time has run out, not the probe's: the result is unknown.
        if (Scope.IsOutOfTime)
            return Scope.Ended(session.Endpoint, "checking whether the server accepts several commands at once");
        _opener.Downgraded(
            session, exception is ProtocolException protocol ? $"expected {protocol.Expected}, but received {protocol.Came}" : "it closed the connection, or "
                + "did not answer the second command in time");
        Dial(session.Endpoint);
        return null;
    }
}
