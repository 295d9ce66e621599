using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <content>Several servers: which one is tried next, which are unavailable, and probes outside any request.</content>
internal abstract partial class SessionOpener : ISweptPool, IDisposable
{
    private const int ProbeMilliseconds = 5000;

    private readonly HashSet<DialScope> _openings = [];
    private NameWatch? _names;

    /// <summary>Called when a host name resolves to other addresses than before: the sessions opened so far may belong to the wrong server.</summary>
    public Action<string>? AddressesChanged { get; set; }

    /// <summary>Ends all openings that are under way, as if their time had run out: the server does not answer.</summary>
    public void InterruptOpenings()
    {
        DialScope[] openings;
        lock (_openings)
            openings = [.. _openings];
        foreach (var opening in openings)
            opening.End();
    }

    private void Began(DialScope scope)
    {
        lock (_openings)
            _openings.Add(scope);
    }

    private void Ended(DialScope scope)
    {
        lock (_openings)
            _openings.Remove(scope);
    }

    /// <summary>Starts probing unavailable servers, and watching host names for changed addresses.</summary>
    /// <param name="nameInterval">Interval between two lookups of the names, in milliseconds; 0: none.</param>
    protected void Watch(long nameInterval)
    {
        if (nameInterval > 0)
            _names = NamesOf(hosts, nameInterval);
        if (_names is not null || hosts.All.Count > 1)
            PoolSweeper.Add(this);
    }

    // A separate method, so that its dependencies are loaded only if names are watched.
    private static NameWatch NamesOf(Hosts hosts, long interval) => new(hosts.All.Select(static host => host.Endpoint), interval);

    /// <inheritdoc/>
    public void Dispose()
    {
        PoolSweeper.Remove(this);
        GC.SuppressFinalize(this);
    }

    // On separate threads: a dead server or name service must not delay the sweeping of the pools.
    void ISweptPool.Sweep(long now)
    {
        if (_names is { } names && names.TryBeginLookup(now))
        {
            if (!OwnThread.TryStart(() => ResolveNames(names), "Slipstream host names"))
                names.CancelLookup();
        }

        if (hosts.All.Count > 1)
            foreach (var host in hosts.All)
                if (host.TakeProbe(now) && !OwnThread.TryStart(() => Probe(host), "Slipstream host probe"))
                    host.LeaveProbe();
    }

    private void ResolveNames(NameWatch names)
    {
        try
        {
            foreach (var name in names.Resolve(dialer.LookUp, Clock.Now))
                AddressesChanged?.Invoke(name);
        }
        catch (Exception)
        {
            // An exception of the application's logger must not end the process.
        }
    }

    // Opens a whole session: the server would count a connection that ends before its login towards its limit of broken ones.
    private void Probe(Host host)
    {
        try
        {
            using var scope = new DialScope(ProbeMilliseconds, default);
            OpenAt(host.Endpoint, scope).Close();
            host.Answered();
        }
        catch (Exception)
        {
            // Whatever the cause, sessions should not be opened at this server.
            host.Failed(Clock.Now, Random.Shared.NextDouble());
        }
    }
}
