using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Clusters;

/// <summary>
/// Probes one server, over a session of its own, on a thread of its own. An abandoned question closes the session. An opening goes on when its probe is
/// abandoned, because the next probe needs it: a login to a distant or busy server may take longer than the answer to a probe may.
/// </summary>
/// <param name="endpoint">The server.</param>
/// <param name="opener">Opens the session.</param>
/// <param name="probe">Asks the question.</param>
/// <param name="openTimeout">The time limit of an opening, in milliseconds.</param>
/// <param name="report">Receives the results, on the thread of the probe.</param>
internal sealed class HostProber(Endpoint endpoint, SessionOpener opener, IRoleProbe probe, int openTimeout, Action<Observation> report)
{
    // For a while, so that a server that is probed every second keeps its thread.
    private static readonly DedicatedThreads Threads = new("Slipstream probes", 5000);

    private const int LongestError = 1000;

    private readonly string _address = endpoint.ToString();
    private readonly Lock _gate = new();
    private Session? _session;
    private long _number;
    private long _begun;
    private long _failed;
    private bool _isWorking;
    private bool _isAsking;
    private bool _isStopped;
    private int _credentials;

    /// <summary>The server's address.</summary>
    public string Address => _address;

    /// <summary>The exception of the last probe; null after an answer, and while new credentials have not been tried.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>How many probes were begun, and how many of them have failed or were abandoned.</summary>
    public (long Begun, long Failed) Counts
    {
        get
        {
            lock (_gate)
                return (_begun, _failed);
        }
    }

    /// <summary>Forgets the failure: the credentials have changed. The probe under way may still use the former ones.</summary>
    public void ForgetFailure()
    {
        lock (_gate)
        {
            _credentials++;
            Failure = null;
        }
    }

    /// <summary>Begins a probe.</summary>
    public void Begin(long number)
    {
        lock (_gate)
        {
            _number = number;
            _begun++;
            if (_isWorking || _isStopped)
                return;
            _isWorking = true;
        }

        try
        {
            Threads.Begin(Work);
        }
        catch (WireException exception)
        {
            lock (_gate)
            {
                _isWorking = false;
                _failed++;
            }

            Failure = exception;
            report(new ProbeFailed(Clock.Now, _address, number, ProbeFailure.Denied, ServerText.OneLine(exception.Message, LongestError)));
        }
    }

    /// <summary>Abandons a probe that has no answer.</summary>
    public void Abandon(long number)
    {
        Session? asked;
        lock (_gate)
        {
            if (_number != number)
                return;
            _number = 0;
            _failed++;
            asked = _isAsking ? _session : null;
        }

        asked?.Break("it did not answer a probe in time");
    }

    /// <summary>Closes the session. No probe follows.</summary>
    public void Stop()
    {
        Session? session;
        bool isWorking;
        lock (_gate)
        {
            _isStopped = true;
            (session, isWorking) = (_session, _isWorking);
        }

        if (isWorking)
            session?.Break("its data source was disposed");
        else
            session?.Close();
    }

    private void Work()
    {
        while (true)
        {
            long number;
            lock (_gate)
                number = _number;
            var result = number == 0 ? null : Probe(number);
            lock (_gate)
            {
                // The next probe began while this one was under way.
                var isCurrent = _number == number;
                if (!isCurrent && !_isStopped)
                    continue;
                if (isCurrent && result is ProbeFailed)
                    _failed++;
                _number = 0;
                _isWorking = false;
                if (_isStopped)
                    _session?.Close();
            }

            if (result is not null)
                report(result);
            return;
        }
    }

    private Observation Probe(long number)
    {
        var credentials = Volatile.Read(ref _credentials);
        var hasLoggedIn = false;
        try
        {
            var opened = _session is null;
            var session = _session ?? Open();
            lock (_gate)
            {
                _isAsking = _number == number;
                // The result of an opening that took too long is the session.
                if (!_isAsking)
                    return new TimePassed(Clock.Now);
            }

            long? askedAt = opened ? Clock.Now : null;
            hasLoggedIn = true;
            var answer = probe.Ask(session);
            Failure = null;
            return new ProbeAnswered(Clock.Now, _address, number, answer) { AskedAt = askedAt };
        }
        catch (Exception exception)
        {
            Leave();
            lock (_gate)
            {
                if (credentials == _credentials)
                    Failure = exception;
            }

            return new ProbeFailed(Clock.Now, _address, number, KindOf(exception, hasLoggedIn), ServerText.OneLine(exception.Message, LongestError));
        }
        finally
        {
            lock (_gate)
                _isAsking = false;
        }
    }

    private Session Open()
    {
        using var scope = new DialScope(openTimeout, default);
        var session = opener.OpenAt(endpoint, scope);
        if (!scope.TryComplete())
        {
            session.Close();
            throw scope.Ended(endpoint, "connecting");
        }

        lock (_gate)
        {
            if (!_isStopped)
                return _session = session;
        }

        // Nothing would end a question that the server does not answer.
        session.Close();
        throw DisposedSource.Refuse(null);
    }

    private void Leave()
    {
        Session? session;
        lock (_gate)
            (session, _session) = (_session, null);
        session?.Close();
    }

    // An error that passes leaves the question without an answer. What the server said before must not count as its answer.
    private ProbeFailure KindOf(Exception exception, bool hasLoggedIn) => exception switch
    {
        ServerRefusedException refused => probe.FailureOf(refused.Error) is var failure && hasLoggedIn && failure == ProbeFailure.Denied
            && !probe.IsLasting(refused.Error) ? ProbeFailure.Lost : failure,
        WireException { Failure: WireFailure.Refused } => ProbeFailure.Refused,
        WireException { Failure: WireFailure.Forbidden or WireFailure.WrongServer } or CallbackException => ProbeFailure.Denied,
        WireException or ProtocolException => ProbeFailure.Lost,
        _ => ProbeFailure.Denied,
    };
}
