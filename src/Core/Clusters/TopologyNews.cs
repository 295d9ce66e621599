using Slipstream.Core.Errors;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>
/// What the application learns about the servers: their description, and the event of changes. The event is raised on a thread of the pool, outside of locks,
/// one change after another, so that a handler delays neither the monitor nor a caller.
/// </summary>
/// <param name="cluster">The servers.</param>
/// <param name="state">The servers at the start.</param>
internal sealed class TopologyNews(Cluster cluster, ClusterState state)
{
    private const int LongestError = 500;

    // In milliseconds: the longest time that a TimeSpan holds. A server may report any number.
    private const long LongestLag = long.MaxValue / TimeSpan.TicksPerMillisecond;

    // A handler that does not return must not fill the memory. Further changes then have one event.
    private const int MostWaiting = 100;

    private readonly Lock _gate = new();
    private readonly List<TopologyChangedEventArgs> _waiting = [];
    private ClusterState _state = state;
    private DateTimeOffset[] _since = Array.ConvertAll(state.Members, static _ => new DateTimeOffset(Clock.UtcNow));
    private TopologyDescription? _description;
    private EventHandler<TopologyChangedEventArgs>? _handlers;
    private bool _isRaising;
    private bool _isEnded;

    /// <summary>The sender of the event: the data source that owns the cluster.</summary>
    public object? Sender { get; set; }

    /// <summary>A change of a server's role or state, or of the primary.</summary>
    public event EventHandler<TopologyChangedEventArgs>? Changed
    {
        add
        {
            lock (_gate)
                _handlers += value;
        }

        remove
        {
            lock (_gate)
                _handlers -= value;
        }
    }

    /// <summary>Describes the servers as they are known now.</summary>
    public TopologyDescription Describe()
    {
        lock (_gate)
            return _description ??= Describe(_state, _since);
    }

    /// <summary>Takes a change over. Only the monitor's thread calls it.</summary>
    public void Take(ClusterState now)
    {
        lock (_gate)
        {
            var since = SinceOf(now.Snapshot);
            var hasChanged = !ReferenceEquals(since, _since) || now.Snapshot.PrimaryIndex != _state.Snapshot.PrimaryIndex;
            var (former, formerSince, described) = (_state, _since, _description);
            (_state, _since, _description) = (now, since, null);
            if (!hasChanged || _handlers is null || _isEnded)
                return;
            var previous = described ?? Describe(former, formerSince);
            if (_waiting.Count == MostWaiting)
                _waiting[^1] = new(_waiting[^1].Previous, Describe());
            else
                _waiting.Add(new(previous, Describe()));
            if (_isRaising)
                return;
            _isRaising = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static news => news.Raise(), this, preferLocal: false);
    }

    /// <summary>Raises no further event.</summary>
    public void End()
    {
        lock (_gate)
        {
            _isEnded = true;
            _waiting.Clear();
        }
    }

    // The same array if no role and no state has changed, and the servers are the same.
    private DateTimeOffset[] SinceOf(TopologySnapshot now)
    {
        var former = _state.Snapshot;
        var since = _since;
        if (!now.HasSameHosts(former))
        {
            since = new DateTimeOffset[now.Hosts.Length];
            for (var at = 0; at < since.Length; at++)
                since[at] = former.Find(now.Hosts[at].Address, at) is >= 0 and var then ? _since[then] : Clock.UtcNow;
        }

        for (var at = 0; at < now.Hosts.Length; at++)
        {
            if (!now.HasChanged(former, at))
                continue;
            if (ReferenceEquals(since, _since))
                since = [.. _since];
            since[at] = Clock.UtcNow;
        }

        return since;
    }

    private static TopologyDescription Describe(ClusterState state, DateTimeOffset[] since)
    {
        var (snapshot, members) = state;
        var hosts = new HostDescription[members.Length];
        for (var at = 0; at < hosts.Length; at++)
        {
            var (endpoint, status) = (members[at].Endpoint, snapshot.Hosts[at]);
            hosts[at] = new(endpoint.Host, endpoint.Port)
            {
                Role = snapshot.RoleOf(at),
                State = status.State,
                Lag = status.Lag is { } lag ? TimeSpan.FromMilliseconds(Math.Clamp(lag, 0, LongestLag)) : null,
                RoundTripTime = status.RoundTrip is { } roundTrip ? TimeSpan.FromMilliseconds(roundTrip) : null,
                Since = since[at],
                LastError = status.Error is { } error ? ServerText.OneLine(error, LongestError) : null,
            };
        }

        return new(snapshot.Version, Array.AsReadOnly(hosts), snapshot.PrimaryIndex < 0 ? null : hosts[snapshot.PrimaryIndex], isWatched: true);
    }

    private void Raise()
    {
        while (true)
        {
            TopologyChangedEventArgs change;
            EventHandler<TopologyChangedEventArgs>? handlers;
            lock (_gate)
            {
                if (_waiting.Count == 0)
                {
                    _isRaising = false;
                    return;
                }

                (change, handlers) = (_waiting[0], _handlers);
                _waiting.RemoveAt(0);
            }

            foreach (var handler in Delegate.EnumerateInvocationList(handlers))
                Raise(handler, change);
        }
    }

    private void Raise(EventHandler<TopologyChangedEventArgs> handler, TopologyChangedEventArgs change)
    {
        try
        {
            handler(Sender, change);
        }
        catch (Exception exception)
        {
            Report(exception);
        }
    }

    private void Report(Exception exception)
    {
        try
        {
            cluster.Observer?.HandlerFailed(exception);
        }
        catch (Exception)
        {
            // The application's logger has failed, too.
        }
    }
}
