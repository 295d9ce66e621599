using System.Runtime.CompilerServices;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>Receives the news of a <see cref="TopologyMonitor"/>, on the monitor's thread.</summary>
internal interface ITopologyListener
{
    /// <summary>The snapshot has changed. The call precedes the decisions of the same moment.</summary>
    void Changed(TopologySnapshot snapshot);

    /// <summary>Carries out a decision about the sessions of a server.</summary>
    void Carry(TopologyDecision decision);

    /// <summary>Creates the pool of a server that is added, and its prober. Null if that is not possible.</summary>
    /// <param name="address">The server's address.</param>
    /// <param name="isReported">Whether a server of the cluster has reported it.</param>
    HostProber? Add(string address, bool isReported);

    /// <summary>Members that a server has named must not be used.</summary>
    /// <param name="address">The server.</param>
    /// <param name="because">The reason.</param>
    void Refused(string address, string because);

    /// <summary>Called about once a second, and whenever something has happened.</summary>
    /// <returns>When it must be called next, at the latest; <see cref="Clock.Never"/> if it need not be called earlier.</returns>
    long Tick(long now);
}

/// <summary>
/// Runs the topology machine on one thread: it feeds the machine with observations, has the servers probed, and reports what the machine decides. It is never
/// on the path of a request.
/// </summary>
internal sealed class TopologyMonitor : IDisposable
{
    private const long LongestSleep = 1000;

    // A caller in a loop must not fill the memory with the same observation.
    private const int LongestInbox = 1000;

    private readonly object _gate = new();
    private readonly TopologyMachine _machine;
    private readonly Membership _membership;
    private readonly WeakReference<ITopologyListener> _listener;
    // A change replaces it, because other threads read it.
    private Dictionary<string, HostProber> _probers = [];
    private List<Observation> _inbox = [];
    private long _tickAt = Clock.Never;
    private bool _isStarted;
    private bool _isStopped;

    /// <param name="machine">Decides. Only the monitor's thread uses it.</param>
    /// <param name="membership">Decides which servers there are. Only the monitor's thread uses it.</param>
    /// <param name="listener">Receives the news. The monitor ends when nothing else refers to it.</param>
    public TopologyMonitor(TopologyMachine machine, Membership membership, ITopologyListener listener)
    {
        (_machine, _membership) = (machine, membership);
        _listener = new(listener);
    }

    /// <summary>Adds the prober of a server.</summary>
    public void Add(HostProber prober)
    {
        lock (_gate)
        {
            if (_isStopped)
                prober.Stop();
            else
                Volatile.Write(ref _probers, new(_probers) { [prober.Address] = prober });
        }
    }

    /// <summary>Starts the thread, if it does not run yet.</summary>
    /// <exception cref="Errors.WireException">The thread cannot be started.</exception>
    public void Start()
    {
        if (Volatile.Read(ref _isStarted))
            return;
        lock (_gate)
        {
            if (_isStarted || _isStopped)
                return;
            if (!OwnThread.TryStart(Run, "Slipstream topology"))
                throw OwnThread.NotStarted();
            Volatile.Write(ref _isStarted, true);
        }
    }

    /// <summary>Passes an observation to the machine.</summary>
    public void Report(Observation observation)
    {
        lock (_gate)
        {
            if (_isStopped || (_inbox.Count >= LongestInbox && observation is HostDoubted))
                return;
            _inbox.Add(observation);
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Returns why the last probe of a server failed; null after an answer.</summary>
    public Exception? FailureOf(string address) => Volatile.Read(ref _probers).GetValueOrDefault(address)?.Failure;

    /// <summary>Returns how many probes of a server were sent, and how many of them have failed.</summary>
    public (long Sent, long Failed) ProbesOf(string address) => Volatile.Read(ref _probers).TryGetValue(address, out var prober) ? prober.Counts : default;

    /// <summary>Forgets why the last probes failed: the credentials have changed.</summary>
    public void ForgetFailures()
    {
        foreach (var prober in Volatile.Read(ref _probers).Values)
            prober.ForgetFailure();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isStopped)
                return;
            _isStopped = true;
            Monitor.Pulse(_gate);
        }

        foreach (var prober in Volatile.Read(ref _probers).Values)
            prober.Stop();
    }

    private void Run()
    {
        List<Observation> taken = [];
        while (Receive(ref taken))
        {
            if (!TryPass(taken))
            {
                Dispose();
                return;
            }

            taken.Clear();
        }
    }

    // False if nothing refers to the listener any more. A separate method: the thread's own frame, which lasts as long as the thread, must not hold the
    // listener while it waits. In code that is not optimized, every local variable lives as long as its method.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryPass(List<Observation> taken)
    {
        // Otherwise, the listener and its pools would never be garbage collected.
        if (!_listener.TryGetTarget(out var listener))
            return false;
        if (taken.Count == 0 && _machine.DueAt <= Clock.Now)
            Attempt(() => Take(new TimePassed(Clock.Now), listener));
        foreach (var observation in taken)
            Attempt(() => Take(observation, listener));
        _tickAt = Clock.In(LongestSleep);
        Attempt(() => _tickAt = listener.Tick(Clock.Now));
        return true;
    }

    // Each one separately: what fails, such as the application's logger, must neither end the process nor keep the other news from those who need them.
    private static void Attempt(Action news)
    {
        try
        {
            news();
        }
        catch (Exception)
        {
            // There is nobody to whom it could be reported.
        }
    }

    private bool Receive(ref List<Observation> taken)
    {
        lock (_gate)
        {
            if (_inbox.Count == 0 && !_isStopped && Math.Min(_machine.DueAt, _tickAt) - Clock.Now is > 0 and var left)
                Monitor.Wait(_gate, (int)Math.Min(left, LongestSleep));
            (taken, _inbox) = (_inbox, taken);
            return !_isStopped;
        }
    }

    private void Take(Observation observation, ITopologyListener listener)
    {
        if (observation is HostsListed listed)
        {
            if (_membership.List(listed.Hosts))
                Relist(listener);
            return;
        }

        Process(observation, listener);
        if (observation is not ProbeAnswered answered)
            return;
        if (answered.Answer.Members?.Refusal is { } refusal)
            listener.Refused(answered.Host, refusal);
        if (_membership.Take(answered, _machine.Snapshot))
            Relist(listener);
    }

    private void Relist(ITopologyListener listener)
    {
        List<string> addresses = [];
        foreach (var address in _membership.All)
        {
            if (!_probers.ContainsKey(address))
            {
                // The next change of the list tries it again.
                if (listener.Add(address, _membership.IsFound(address)) is not { } prober)
                    continue;
                Add(prober);
            }

            addresses.Add(address);
        }

        Process(new HostsListed(Clock.Now, addresses), listener);
    }

    private void Process(Observation observation, ITopologyListener listener)
    {
        var before = _machine.Snapshot;
        var decisions = _machine.Take(observation);
        foreach (var decision in decisions)
        {
            if (decision.Action == TopologyAction.Abandon)
                _probers[decision.Host].Abandon(decision.Number);
            else if (decision.Action == TopologyAction.Probe)
                _probers[decision.Host].Begin(decision.Number);
            else if (decision.Action == TopologyAction.Remove)
                Remove(decision.Host);
        }

        if (!ReferenceEquals(before, _machine.Snapshot))
            Attempt(() => listener.Changed(_machine.Snapshot));
        foreach (var decision in decisions)
        {
            if (decision.Action is not (TopologyAction.Probe or TopologyAction.Abandon))
                Attempt(() => listener.Carry(decision));
        }
    }

    private void Remove(string address)
    {
        HostProber? prober;
        lock (_gate)
        {
            Dictionary<string, HostProber> probers = new(_probers);
            if (probers.Remove(address, out prober))
                Volatile.Write(ref _probers, probers);
        }

        prober?.Stop();
    }
}
