using System.Net;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// Notices that a host name leads to other addresses than before. A change counts when two looks in a row have seen the same one:
/// name servers that disagree for a while, new, old, new, do not close a pool each time.
/// </summary>
internal sealed class NameWatch
{
    private const int SecondLookMilliseconds = 1000;

    private readonly Watched[] _names;
    private readonly long _interval;
    private long _due;
    private int _looking;

    /// <param name="endpoints">Those that are addresses or paths are not watched.</param>
    /// <param name="milliseconds">Between two looks.</param>
    public NameWatch(IEnumerable<Endpoint> endpoints, long milliseconds)
    {
        _names = [.. endpoints.Where(static endpoint => !endpoint.IsUnixSocket && !IPAddress.TryParse(endpoint.Host, out _)).Select(static endpoint => endpoint.Host)
            .Distinct(StringComparer.OrdinalIgnoreCase).Select(static name => new Watched(name))];
        _interval = milliseconds;
    }

    /// <summary>True when it is time to look; whoever hears that calls <see cref="Look"/>.</summary>
    public bool TakeLook(long now) => _names.Length > 0 && now >= Volatile.Read(ref _due) && Interlocked.Exchange(ref _looking, 1) == 0;

    /// <summary>It could not be looked this time: the next one who asks may.</summary>
    public void LeaveLook() => Volatile.Write(ref _looking, 0);

    /// <summary>Asks the name service; returns the names whose addresses have changed. A name that cannot be resolved now has not changed.</summary>
    public IReadOnlyList<string> Look(Func<string, IPAddress[]> lookUp, long now)
    {
        List<string> changed = [];
        var isOpen = false;
        foreach (var watched in _names)
        {
            string addresses;
            try
            {
                addresses = string.Join(' ', lookUp(watched.Name).Select(static address => address.ToString()).Order(StringComparer.Ordinal));
            }
            catch (Exception)
            {
                // The name service may be away, which says nothing about the servers.
                continue;
            }

            if (addresses.Length == 0)
                continue;
            if (watched.Known is null || addresses == watched.Known)
                (watched.Known, watched.Seen) = (addresses, null);
            else if (addresses == watched.Seen)
            {
                (watched.Known, watched.Seen) = (addresses, null);
                changed.Add(watched.Name);
            }
            else
                watched.Seen = addresses;
            isOpen |= watched.Seen is not null;
        }

        Volatile.Write(ref _due, now + (isOpen ? Math.Min(SecondLookMilliseconds, _interval) : _interval));
        Volatile.Write(ref _looking, 0);
        return changed;
    }

    private sealed class Watched(string name)
    {
        public string Name => name;

        public string? Known { get; set; }

        public string? Seen { get; set; }
    }
}
