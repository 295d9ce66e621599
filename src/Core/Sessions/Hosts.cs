using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>In which order several servers are tried when a session is opened.</summary>
internal enum HostOrder
{
    /// <summary>Each session begins with the next one.</summary>
    RoundRobin,

    /// <summary>As they were written: a later one only when the earlier ones fail.</summary>
    FailOver,

    /// <summary>Any, by chance.</summary>
    Random,

    /// <summary>The one with the fewest sessions of this data source first.</summary>
    LeastConnections,
}

/// <summary>One of a data source's servers: how many sessions it has there, and whether it answered when it was last tried.</summary>
internal sealed class Host(Endpoint endpoint)
{
    // The first look at a silent server comes after two seconds, the later ones after twice the time before, up to half a minute.
    private const int FirstPauseMilliseconds = 2000;
    private const int LongestPauseMilliseconds = 30_000;

    private int _sessions;
    private int _failures;
    private int _probing;
    private long _probeAt;

    /// <summary>Where it listens.</summary>
    public Endpoint Endpoint => endpoint;

    /// <summary>Open or being opened.</summary>
    public int Sessions => Volatile.Read(ref _sessions);

    /// <summary>True while it is taken for dead: it is tried only when no other server answers.</summary>
    public bool IsSuspect => Volatile.Read(ref _failures) > 0;

    /// <summary>Counts one more session of it.</summary>
    public void Enter() => Interlocked.Increment(ref _sessions);

    /// <summary>Counts one less.</summary>
    public void Leave() => Interlocked.Decrement(ref _sessions);

    /// <summary>It answered: what it failed before is forgotten.</summary>
    public void Answered()
    {
        Volatile.Write(ref _failures, 0);
        Volatile.Write(ref _probing, 0);
    }

    /// <param name="now">The time.</param>
    /// <param name="jitter">0..1: many clients must not come back to a server in the same moment.</param>
    public void Failed(long now, double jitter)
    {
        var failures = Interlocked.Increment(ref _failures);
        var pause = Math.Min(LongestPauseMilliseconds, FirstPauseMilliseconds << Math.Min(failures - 1, 10));
        Volatile.Write(ref _probeAt, now + pause + (long)(pause * 0.5 * jitter));
        Volatile.Write(ref _probing, 0);
    }

    /// <summary>
    /// True when it is time to see whether the server is back; whoever hears that does, and then says <see cref="Answered"/> or <see cref="Failed"/>.
    /// </summary>
    public bool TakeProbe(long now) => IsSuspect && now >= Volatile.Read(ref _probeAt) && Interlocked.Exchange(ref _probing, 1) == 0;

    /// <summary>It could not be seen this time: the next one who asks may.</summary>
    public void LeaveProbe() => Volatile.Write(ref _probing, 0);
}

/// <summary>The servers of a data source and the order in which they are tried. Handed time and chance, so that tests need neither.</summary>
internal sealed class Hosts
{
    private readonly Host[] _all;
    private readonly HostOrder _order;
    private readonly Func<int, int> _random;
    private int _next = -1;

    /// <param name="endpoints">At least one.</param>
    /// <param name="order">How they are tried.</param>
    /// <param name="random">A number from 0 to below its argument; null for the process's.</param>
    public Hosts(IReadOnlyList<Endpoint> endpoints, HostOrder order, Func<int, int>? random = null)
    {
        _all = new Host[endpoints.Count];
        for (var at = 0; at < _all.Length; at++)
            _all[at] = new Host(endpoints[at]);
        _order = order;
        _random = random ?? Random.Shared.Next;
    }

    /// <summary>All of them, in the order of the connection string.</summary>
    public IReadOnlyList<Host> All => _all;

    /// <summary>The servers in the order in which they are to be tried now: those that are taken for dead last.</summary>
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
