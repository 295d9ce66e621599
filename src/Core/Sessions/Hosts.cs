using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>The order in which several servers are tried for a new session.</summary>
internal enum HostOrder
{
    /// <summary>Each session begins with the next server.</summary>
    RoundRobin,

    /// <summary>The order of the connection string: a later server only if the earlier ones fail.</summary>
    FailOver,

    /// <summary>A random order.</summary>
    Random,

    /// <summary>The server with the fewest sessions of this data source first.</summary>
    LeastConnections,
}

/// <summary>One of a data source's servers, with the number of its sessions and the result of the last attempt.</summary>
internal sealed class Host(Endpoint endpoint)
{
    // An unavailable server is probed after two seconds. The pause then doubles up to 30 seconds.
    private const int FirstPauseMilliseconds = 2000;
    private const int LongestPauseMilliseconds = 30_000;

    private int _sessions;
    private int _failures;
    private int _probing;
    private long _probeAt;

    /// <summary>The server's address.</summary>
    public Endpoint Endpoint => endpoint;

    /// <summary>Number of sessions that are open or being opened.</summary>
    public int Sessions => Volatile.Read(ref _sessions);

    /// <summary>Whether the server is regarded as unavailable: it is tried only if no other server answers.</summary>
    public bool IsSuspect => Volatile.Read(ref _failures) > 0;

    /// <summary>Counts a new session.</summary>
    public void Enter() => Interlocked.Increment(ref _sessions);

    /// <summary>Counts an ended session.</summary>
    public void Leave() => Interlocked.Decrement(ref _sessions);

    /// <summary>Records that the server answered, and forgets earlier failures.</summary>
    public void Answered()
    {
        Volatile.Write(ref _failures, 0);
        Volatile.Write(ref _probing, 0);
    }

    /// <summary>Records a failure and schedules the next probe.</summary>
    /// <param name="now">The time.</param>
    /// <param name="jitter">A factor from 0 to 1, so that many clients do not return to a server at the same moment.</param>
    public void Failed(long now, double jitter)
    {
        var failures = Interlocked.Increment(ref _failures);
        var pause = Math.Min(LongestPauseMilliseconds, FirstPauseMilliseconds << Math.Min(failures - 1, 10));
        Volatile.Write(ref _probeAt, now + pause + (long)(pause * 0.5 * jitter));
        Volatile.Write(ref _probing, 0);
    }

    /// <summary>
    /// Returns true if it is time to probe the server. The caller then does it and calls <see cref="Answered"/> or <see cref="Failed"/>.
    /// </summary>
    public bool TakeProbe(long now) => IsSuspect && now >= Volatile.Read(ref _probeAt) && Interlocked.Exchange(ref _probing, 1) == 0;

    /// <summary>Releases a probe that could not be made: the next caller may probe.</summary>
    public void LeaveProbe() => Volatile.Write(ref _probing, 0);
}

/// <summary>The servers of a data source and their order. Receives time and random numbers, so that tests control both.</summary>
internal sealed class Hosts
{
    private readonly Host[] _all;
    private readonly HostOrder _order;
    private readonly Func<int, int> _random;
    private int _next = -1;

    /// <param name="endpoints">The servers; at least one.</param>
    /// <param name="order">The order of the attempts.</param>
    /// <param name="random">Returns a number from 0 to below its argument; null for the process's generator.</param>
    public Hosts(IReadOnlyList<Endpoint> endpoints, HostOrder order, Func<int, int>? random = null)
    {
        _all = new Host[endpoints.Count];
        for (var at = 0; at < _all.Length; at++)
            _all[at] = new Host(endpoints[at]);
        _order = order;
        _random = random ?? Random.Shared.Next;
    }

    /// <summary>All servers in the order of the connection string.</summary>
    public IReadOnlyList<Host> All => _all;

    /// <summary>The servers in the order of the attempts; those regarded as unavailable come last.</summary>
    public Host[] InOrder()
    {
        if (_all.Length == 1)
            return _all;
        var turned = _order == HostOrder.FailOver ? 0 : (Interlocked.Increment(ref _next) & int.MaxValue) % _all.Length;
        Host[] ordered = [.. _all.AsSpan(turned), .. _all.AsSpan(0, turned)];
        if (_order == HostOrder.Random)
            Shuffle(ordered);
        return _order == HostOrder.LeastConnections
            ? [.. ordered.OrderBy(static host => host.IsSuspect).ThenBy(static host => host.Sessions)]
            : [.. ordered.OrderBy(static host => host.IsSuspect)];
    }

    private void Shuffle(Host[] hosts)
    {
        for (var at = hosts.Length - 1; at > 0; at--)
        {
            var other = _random(at + 1);
            (hosts[at], hosts[other]) = (hosts[other], hosts[at]);
        }
    }
}
