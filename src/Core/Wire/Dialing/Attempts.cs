using System.Net;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// The order in which the addresses of a name are tried, and for how long. Each address first gets a short time, so that a dead route costs that and not the
/// whole time. Then those that did not answer are tried again, each for its share of the remaining time. (RFC 8305 tries the next address after 250 ms, in
/// parallel with the previous one. Trying them one after the other achieves the same without a second socket.)
/// </summary>
internal sealed class Attempts(IPAddress[] addresses)
{
    private const int MomentMilliseconds = 300;

    private readonly List<IPAddress> _silent = [];
    private int _next;

    /// <summary>The most informative failure if no address answered: a refusal rather than a time-out.</summary>
    public WireException? Failure { get; private set; }

    /// <summary>The next address to try; null if none is left. The caller disposes the scope.</summary>
    public (IPAddress Address, DialScope Scope)? Next(DialScope scope)
    {
        if (_next < addresses.Length)
            return (addresses[_next++], scope.ShareAmong(1, MomentMilliseconds));
        if (_silent.Count == 0)
            return null;
        var address = _silent[0];
        _silent.RemoveAt(0);
        _next = int.MaxValue;
        return (address, scope.ShareAmong(_silent.Count + 1));
    }

    /// <summary>Records that the connection to the last address failed.</summary>
    public void Failed(WireException exception)
    {
        if (exception.Failure == WireFailure.TimedOut && _next <= addresses.Length)
            _silent.Add(addresses[_next - 1]);
        if (Failure is null or { Failure: WireFailure.TimedOut })
            Failure = exception;
    }
}
