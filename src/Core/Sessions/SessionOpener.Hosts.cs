using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <content>Several servers: who is tried next, who is taken for dead, and looks at them outside of anybody's request.</content>
internal abstract partial class SessionOpener : ISweptPool, IDisposable
{
    private const int ProbeMilliseconds = 5000;

    private NameWatch? _names;

    /// <summary>Told that a host name leads to other addresses than before: sessions opened until now may be with the wrong server.</summary>
    public Action<string>? AddressesChanged { get; set; }

    /// <summary>Begins to look after servers that are taken for dead, and after names whose addresses change.</summary>
    /// <param name="nameInterval">Milliseconds between two looks at the name service; 0 for none.</param>
    protected void Watch(long nameInterval)
    {
        if (nameInterval > 0)
            _names = NamesOf(hosts, nameInterval);
        if (_names is not null || hosts.All.Count > 1)
            PoolSweeper.Add(this);
    }

    // A method of its own: only those who watch names load what it uses.
    private static NameWatch NamesOf(Hosts hosts, long interval) => new(hosts.All.Select(static host => host.Endpoint), interval);

    /// <inheritdoc/>
    public void Dispose()
    {
        PoolSweeper.Remove(this);
        GC.SuppressFinalize(this);
    }

    // Threads of their own: a dead server or name service must not delay the sweeping of the pools.
    void ISweptPool.Sweep(long now)
    {
        if (_names is { } names && names.TakeLook(now))
        {
            if (!OwnThread.TryStart(() => Look(names), "Slipstream host names"))
                names.LeaveLook();
        }

        if (hosts.All.Count > 1)
            foreach (var host in hosts.All)
                if (host.TakeProbe(now) && !OwnThread.TryStart(() => Probe(host), "Slipstream host probe"))
                    host.LeaveProbe();
    }

    private void Look(NameWatch names)
    {
        try
        {
            foreach (var name in names.Look(dialer.LookUp, Clock.Now))
                AddressesChanged?.Invoke(name);
        }
        catch (Exception)
        {
            // An application's log that throws must not end its process.
        }
    }

    // A whole session: a connection that ends before its login counts towards the server's limit of broken ones.
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
            // Whatever it is, it is no server that sessions should be opened at.
            host.Failed(Clock.Now, Random.Shared.NextDouble());
        }
    }
}
