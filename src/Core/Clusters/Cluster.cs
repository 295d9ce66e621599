using System.Globalization;
using System.Text;
using Slipstream.Core.Causality;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Clusters;

/// <summary>Several servers: the pool of each, the monitor, and the choice of a server for each caller.</summary>
internal sealed class Cluster : ITopologyListener, IDisposable
{
    private static readonly Func<int, int> NextRandom = Random.Shared.Next;

    private readonly object _gate = new();
    private readonly TopologyMonitor _monitor;
    private readonly ClusterOptions _options;
    private readonly MemberPools _pools = new();
    private readonly ClusterReports _reports = new();
    private readonly Func<Endpoint, ClusterMember>? _open;
    private readonly SourcePoll? _poll;
    private Choices _choices;
    private ClusterState _state;
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private string? _lastPrimary;
    private long _primaryChanges;
    private int _waiting;
    private bool _isDisposed;

    /// <param name="members">The servers, with different addresses, in order of preference.</param>
    /// <param name="options">What the owner decides.</param>
    /// <param name="open">Creates a server with its pool that is added later; null if none is.</param>
    public Cluster(ClusterMember[] members, ClusterOptions options, Func<Endpoint, ClusterMember>? open = null)
    {
        (_options, _open) = (options, open);
        var addresses = Array.ConvertAll(members, static one => one.Address);
        var machine = new TopologyMachine(options.Topology, addresses, Clock.Now, Random.Shared.NextDouble);
        _state = new(machine.Snapshot, members);
        News = new(this, _state);
        _choices = Choices.Of(machine.Snapshot, members, options.Limits, Choices.None, options.MayGrow);
        _monitor = new(machine, new(addresses, options.Topology.RemovalDelay), this);
        foreach (var member in members)
            _monitor.Add(Join(member));
        if (options.Source is { } source)
            _poll = new(source, options.Rules, _monitor.Report, _reports.Refused, _reports.SourceFailed);
    }

    /// <summary>Receives the events, for the log; null for nobody.</summary>
    public IClusterObserver? Observer
    {
        get => _reports.Observer;
        set => _reports.Observer = value;
    }

    /// <summary>The servers, in order of preference. A change replaces the array.</summary>
    public ClusterMember[] Members => State.Members;

    /// <summary>What the application learns about the servers.</summary>
    public TopologyNews News { get; }

    /// <summary>How often another server than the one before has become the primary.</summary>
    public long PrimaryChanges => Volatile.Read(ref _primaryChanges);

    /// <summary>Whether the cluster was disposed.</summary>
    public bool IsDisposed => Volatile.Read(ref _isDisposed);

    /// <summary>All servers as they are known now.</summary>
    public TopologySnapshot Snapshot => State.Snapshot;

    /// <summary>All servers as they are known now, with their pools.</summary>
    public ClusterState State => Volatile.Read(ref _state);

    /// <summary>The servers that suit each wish now.</summary>
    public Choices Choices => Volatile.Read(ref _choices);

    /// <summary>Time limit of the wait for a server, in milliseconds; 0: that of the caller.</summary>
    public long SelectionTimeout => _options.SelectionTimeout;

    /// <summary>Returns the server for a session; null if the caller must wait for one.</summary>
    public ClusterMember? Choose(HostWish wish)
    {
        var tiers = Choices[wish];
        return tiers is [{ Members: [var only] }] ? only : Choose(tiers, null);
    }

    /// <summary>Returns the server for a session; null if the caller must wait for one.</summary>
    /// <param name="tiers">The servers that suit.</param>
    /// <param name="excluded">Servers that have just failed; null for none.</param>
    public ClusterMember? Choose(Choices.Tier[] tiers, List<ClusterMember>? excluded)
    {
        ClusterMember? full = null;
        var isSteady = false;
        foreach (var tier in tiers)
        {
            // A full pool is no reason to use a server that does not answer in time.
            if (full is not null && isSteady && !tier.IsSteady)
                break;
            if (Pick(tier.Members, excluded, needsRoom: true) is { } free)
                return free;
            if (full is null && Pick(tier.Members, excluded, needsRoom: false) is { } busy)
                (full, isSteady) = (busy, tier.IsSteady);
        }

        return full;
    }

    /// <summary>How long a replica may take to execute the writes that a caller must see, in milliseconds.</summary>
    public long CausalReadTimeout => _options.CausalReadTimeout;

    /// <summary>Returns the servers of which a caller who must see certain writes may use one.</summary>
    /// <param name="tiers">The servers that suit.</param>
    /// <param name="need">What the caller must see.</param>
    /// <param name="mayAsk">Whether servers may be used that must be asked first.</param>
    public Choices.Tier[] Narrow(Choices.Tier[] tiers, CausalNeed need, bool mayAsk)
    {
        var (snapshot, members) = State;
        // What one server says about itself does not change how another one waits.
        var (positions, all) = (snapshot with { Writers = WriterRule.Epoch }, snapshot with { Writers = WriterRule.First });
        List<Choices.Tier> narrowed = [];
        foreach (var tier in tiers)
        {
            var (fresh, mayCatchUp) = CausalSelection.Divide(
                tier.Members,
                member => CausalSelection.Of(
                    member.WaitRule == WriterRule.Epoch ? positions : all, Array.IndexOf(members, member), member.FindReached(need.Position), need.Position,
                    ReferenceEquals(member, need.Writer)));
            if (fresh.Length > 0)
                narrowed.Add(new(tier.IsSteady, fresh));
            if (mayAsk && Array.FindAll(mayCatchUp, static member => member.MayWait) is { Length: > 0 } asked)
                narrowed.Add(new(tier.IsSteady, asked));
        }

        return [.. narrowed];
    }

    /// <summary>Whether all servers accept writes, so that the primary need not have executed those of the others.</summary>
    public bool HasSeveralWriters => State.Snapshot.Writers == WriterRule.First;

    /// <summary>Returns whether no server is fresher than this one, as far as certain writes are concerned.</summary>
    /// <param name="member">The server.</param>
    /// <param name="need">The writes.</param>
    public bool IsFreshest(ClusterMember member, CausalNeed need)
    {
        var (snapshot, members) = State;
        return CausalSelection.IsFreshest(snapshot, Array.IndexOf(members, member), ReferenceEquals(member, need.Writer));
    }

    /// <summary>Starts the monitor, if it does not run yet.</summary>
    /// <exception cref="WireException">Its thread cannot be started.</exception>
    /// <exception cref="ObjectDisposedException">The cluster was disposed.</exception>
    public void Start()
    {
        if (Volatile.Read(ref _isDisposed))
            throw DisposedSource.Refuse(null);
        _monitor.Start();
    }

    /// <summary>Has all servers probed as soon as possible.</summary>
    public void ProbeAll(string reason)
    {
        foreach (var member in Members)
            _monitor.Report(new HostDoubted(Clock.Now, member.Address, member.Generation, HostDoubt.TimedOut, reason));
    }

    /// <summary>Has all servers probed with new credentials. The failures of the former ones do not count any more.</summary>
    public void CredentialsChanged()
    {
        _monitor.ForgetFailures();
        ProbeAll("The password has changed.");
    }

    /// <summary>
    /// Returns a failure that waiting does not mend, such as a wrong password or certificate; null without one. It is known only if no server has ever been
    /// usable, and none may become so.
    /// </summary>
    public Exception? FindPermanentFailure()
    {
        Exception? permanent = null;
        foreach (var member in Members)
        {
            if (member.Status.Role != HostRole.Unknown)
                return null;
            var failure = FailureOf(member);
            switch (failure)
            {
                case ServerRefusedException refused when member.Probe.FailureOf(refused.Error) == ProbeFailure.Denied:
                case WireException { Failure: WireFailure.TlsFailed or WireFailure.TlsNotOffered or WireFailure.Forbidden or WireFailure.WrongServer }:
                case CallbackException or ArgumentException or InvalidOperationException:
                    permanent ??= failure;
                    break;
                case WireException { Failure: WireFailure.Refused or WireFailure.UnknownHost }:
                    break;
                default:
                    return null;
            }
        }

        return permanent;
    }

    /// <summary>Returns why the last probe of the first server failed whose probe did; null if none did.</summary>
    public Exception? FindFailure() => Members.Select(FailureOf).FirstOrDefault(static failure => failure is not null);

    /// <summary>Returns how many probes of a server were sent, and how many of them have failed or had no answer in time.</summary>
    public (long Sent, long Failed) ProbesOf(ClusterMember member) => _monitor.ProbesOf(member.Address);

    /// <summary>Returns why the last probe of a server failed; null after an answer.</summary>
    public Exception? FailureOf(ClusterMember member) => _monitor.FailureOf(member.Address);

    /// <summary>Waits until other servers suit than the caller has seen.</summary>
    /// <returns>False if the time has run out.</returns>
    public bool WaitForChange(Choices seen, long milliseconds)
    {
        EnterWait();
        try
        {
            var due = Clock.In(milliseconds);
            lock (_gate)
            {
                while (ReferenceEquals(seen, _choices) && !_isDisposed)
                {
                    if (due != Clock.Never && due - Clock.Now <= 0)
                        return false;
                    Monitor.Wait(_gate, due == Clock.Never ? -1 : (int)Math.Min(int.MaxValue, due - Clock.Now));
                }
            }

            return true;
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    /// <inheritdoc cref="WaitForChange"/>
    public async ValueTask<bool> WaitForChangeAsync(Choices seen, long milliseconds, CancellationToken cancellationToken)
    {
        EnterWait();
        try
        {
            Task changed;
            lock (_gate)
            {
                if (!ReferenceEquals(seen, _choices) || _isDisposed)
                    return true;
                changed = _changed.Task;
            }

            await changed.WaitAsync(milliseconds <= 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromMilliseconds(milliseconds), cancellationToken)
                .ConfigureAwait(false);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    /// <summary>Describes all servers, for the message of an exception.</summary>
    public string Describe()
    {
        var text = new StringBuilder();
        var now = Clock.Now;
        foreach (var member in Members)
        {
            var status = member.Status;
            if (text.Length > 0)
                text.Append(' ');
            text.Append(CultureInfo.InvariantCulture, $"{member.Address}, for {Math.Max(0, now - status.Since) / 1000.0:0.#} s: {Describe(status)}");
            var error = status.Error ?? FailureOf(member)?.Message;
            if (error is not null)
                text.Append(CultureInfo.InvariantCulture, $" {ServerText.OneLine(error, 500).TrimEnd('.')}.");
        }

        if (_poll?.Failure is { } failure)
        {
            var reason = ServerText.OneLine(failure.Message, 500).TrimEnd('.');
            text.Append(text.Length > 0 ? " " : "").Append(CultureInfo.InvariantCulture, $"The topology source failed: {reason}.");
        }

        foreach (var (by, because) in _reports.Refusals)
            text.Append(text.Length > 0 ? " " : "").Append(by).Append(": ").Append(ServerText.OneLine(because, 500).TrimEnd('.')).Append('.');
        return text.ToString();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            Volatile.Write(ref _isDisposed, true);
            Monitor.PulseAll(_gate);
            _changed.TrySetResult();
        }

        _poll?.Dispose();
        _monitor.Dispose();
        News.End();
        _pools.Dispose();
    }

    void ITopologyListener.Changed(TopologySnapshot snapshot)
    {
        var former = _state;
        var state = _pools.Follow(snapshot, former);
        for (var at = 0; at < state.Members.Length; at++)
        {
            var (member, before, now) = (state.Members[at], state.Members[at].Status, snapshot.Hosts[at]);
            member.Status = now;
            // Its callers choose again. If no other server suits, they return.
            if (now.IsSilent && !before.IsSilent)
                Divert(member);
        }

        Volatile.Write(ref _state, state);
        Publish(state);
        Count(former.Snapshot, state);
        News.Take(state);
        Tell(former.Snapshot, snapshot);
    }

    private void Count(TopologySnapshot before, ClusterState state)
    {
        var now = state.Snapshot;
        for (var at = 0; at < state.Members.Length; at++)
            if (now.HasChanged(before, at))
                state.Members[at].Changes++;
        if (now.Primary?.Address is not { } primary || primary == _lastPrimary)
            return;
        // The first one is no change.
        if (_lastPrimary is not null)
            Volatile.Write(ref _primaryChanges, _primaryChanges + 1);
        _lastPrimary = primary;
    }

    private void Publish(ClusterState state)
    {
        var choices = Choices.Of(state.Snapshot, state.Members, _options.Limits, _choices, _options.MayGrow);
        if (!ReferenceEquals(choices, _choices))
            Publish(choices);
    }

    private void Publish(Choices choices)
    {
        TaskCompletionSource changed;
        lock (_gate)
        {
            Volatile.Write(ref _choices, choices);
            Monitor.PulseAll(_gate);
            changed = _changed;
            if (!_isDisposed)
                _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        changed.TrySetResult();
    }

    private void Tell(TopologySnapshot before, TopologySnapshot now) => _reports.Tell(observer => Tell(observer, before, now));

    private void Tell(IClusterObserver observer, TopologySnapshot before, TopologySnapshot now)
    {
        if (before.Primary?.Address != now.Primary?.Address)
            observer.PrimaryChanged(before.Primary?.Address, now.Primary?.Address, Describe());
        for (var at = 0; at < now.Hosts.Length; at++)
        {
            if (before.Find(now.Hosts[at].Address, at) >= 0 && now.HasChanged(before, at))
                observer.ServerChanged(before, now, at);
        }
    }

    void ITopologyListener.Carry(TopologyDecision decision)
    {
        if (_pools.Find(decision.Host) is not { } member)
            return;
        switch (decision.Action)
        {
            case TopologyAction.Retire:
                member.Sessions.Clear();
                Divert(member);
                member.Drains.Add(member.Generation, Clock.Now + _options.DrainTimeout);
                break;
            case TopologyAction.Cut:
                member.Sessions.Cut("its server has not answered several probes", static (_, _) => true, 0L);
                break;
            case TopologyAction.Remove:
                Remove(member, decision.Reason);
                break;
            case TopologyAction.ReportTwoPrimaries when Snapshot.Primary is { } primary:
                _reports.Tell(observer => observer.TwoPrimaries(primary.Address, decision.Host));
                break;
        }
    }

    long ITopologyListener.Tick(long now)
    {
        _poll?.Tick(now, Snapshot.PrimaryIndex < 0);
        // No server suits any wish. The callers choose again, and find the failure.
        if (Volatile.Read(ref _waiting) > 0 && FindPermanentFailure() is not null)
            Publish(_choices.Renew());
        var next = Clock.Never;
        foreach (var member in Members)
        {
            next = Math.Min(next, member.LookForAnswers(now));
            if (member.Drains.Take(now) is not { } ended)
                continue;
            member.Sessions.Cut(
                "its server was retired, and the drain time has ended", static (session, generation) => session.HostGeneration < generation, ended);
        }

        _pools.EndRemoved(now);
        return next;
    }

    HostProber? ITopologyListener.Add(string address, bool isReported)
    {
        if (_open is null)
            return null;
        try
        {
            var prober = Join(_pools.FindRemoved(address) ?? _open(_options.Rules.EndpointOf(address)));
            _reports.Tell(observer => observer.ServerAdded(address, isReported));
            return prober;
        }
        catch (Exception exception)
        {
            // Its pool could not be created, such as without a readable certificate.
            if (!IsDisposed)
                _reports.Refused(address, exception.Message);
            return null;
        }
    }

    void ITopologyListener.Refused(string address, string because) => _reports.Refused(address, because);

    private HostProber Join(ClusterMember member)
    {
        _pools.Add(member);
        (member.Report, member.Domain) = (_monitor.Report, this);
        // Three limits of a probe: a login takes several round trips.
        var openTimeout = (int)Math.Min(int.MaxValue, 3 * _options.Topology.ProbeTimeout);
        return new(member.Endpoint, member.Opener, member.Probe, openTimeout, member.Hearing(_monitor.Report));
    }

    private void Remove(ClusterMember member, string because)
    {
        _pools.Remove(member, Clock.Now + _options.DrainTimeout);
        Divert(member);
        _reports.Tell(observer => observer.ServerRemoved(member.Address, because));
    }

    private static void Divert(ClusterMember member)
    {
        member.Sessions.Divert(new WireException(WireFailure.Unreachable, $"{member.Address} does not answer.") { RetrySafety = RetrySafety.NotSent });
        member.Opener.InterruptOpenings();
    }

    private static string Describe(HostStatus status) => status.State switch
    {
        HostState.Unknown => "Its role is not known.",
        HostState.Dead => "It is down.",
        HostState.Leaving => "It is stopping.",
        _ => status.Role switch
        {
            HostRole.Unknown => "Its role is not known.",
            HostRole.Primary => "It is a primary.",
            HostRole.ReadOnly => "It refuses writes.",
            HostRole.Replica => "It is a replica.",
            HostRole.Joining => "It is not ready.",
            HostRole.Outranked => "It is a former primary.",
            _ => "It belongs to another cluster.",
        },
    };

    private void EnterWait()
    {
        if (Interlocked.Increment(ref _waiting) <= _options.MostWaiting)
            return;
        Interlocked.Decrement(ref _waiting);
        throw new WireException(WireFailure.Unreachable, $"No server suits, and {_options.MostWaiting} callers are waiting for one already. {Describe()}")
            { RetrySafety = RetrySafety.NotSent };
    }

    private ClusterMember? Pick(ClusterMember[] members, List<ClusterMember>? excluded, bool needsRoom)
    {
        if (!_options.Balances || members.Length == 1)
            return First(members, excluded, needsRoom);

        var (first, second) = Selection.Pair(members.Length, NextRandom);
        var (one, other) = (members[first], members[second]);
        if (other.Sessions.Load < one.Sessions.Load)
            (one, other) = (other, one);
        return MayPick(one, excluded, needsRoom) ? one
            : MayPick(other, excluded, needsRoom) ? other
            : First(members, excluded, needsRoom);
    }

    private static ClusterMember? First(ClusterMember[] members, List<ClusterMember>? excluded, bool needsRoom)
    {
        foreach (var member in members)
            if (MayPick(member, excluded, needsRoom))
                return member;
        return null;
    }

    private static bool MayPick(ClusterMember member, List<ClusterMember>? excluded, bool needsRoom) =>
        (excluded is null || !excluded.Contains(member)) && (!needsRoom || member.Sessions.HasRoom);
}
