using System.Net;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// Detects that a host name resolves to other addresses than before. A change counts only after two lookups in a row returned the same new addresses. Name
/// servers that disagree for a while (new, old, new) therefore do not close a pool each time.
/// </summary>
internal sealed class NameWatch
{
    private const int SecondCheckMilliseconds = 1000;

    private readonly Watched[] _names;
    private readonly long _interval;
    private long _due;
    private int _isResolving;

    /// <param name="endpoints">The endpoints to watch. IP addresses and paths are ignored.</param>
    /// <param name="milliseconds">Interval between two lookups, in milliseconds.</param>
    public NameWatch(IEnumerable<Endpoint> endpoints, long milliseconds)
    {
        _names =
            [.. endpoints.Where(static endpoint => !endpoint.IsUnixSocket && !IPAddress.TryParse(endpoint.Host, out _)).Select(static endpoint => endpoint.Host)
                .Distinct(StringComparer.OrdinalIgnoreCase).Select(static name => new Watched(name))];
        _interval = milliseconds;
    }

    /// <summary>Returns true if a lookup is due. The caller then calls <see cref="Resolve"/>.</summary>
    public bool TryBeginLookup(long now) => _names.Length > 0 && now >= Volatile.Read(ref _due) && Interlocked.Exchange(ref _isResolving, 1) == 0;

    /// <summary>Releases a lookup that could not be made: the next caller may do it.</summary>
    public void CancelLookup() => Volatile.Write(ref _isResolving, 0);

    /// <summary>Resolves the names and returns those whose addresses have changed. A name that cannot be resolved now counts as unchanged.</summary>
    public IReadOnlyList<string> Resolve(Func<string, IPAddress[]> lookUp, long now)
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
                // The name service may be unavailable, which has no meaning for the servers.
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

        Volatile.Write(ref _due, now + (isOpen ? Math.Min(SecondCheckMilliseconds, _interval) : _interval));
        Volatile.Write(ref _isResolving, 0);
        return changed;
    }

    private sealed class Watched(string name)
    {
        public string Name => name;

        public string? Known { get; set; }

        public string? Seen { get; set; }
    }
}
