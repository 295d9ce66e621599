using System.Net;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Wires;

/// <summary>
/// In which order, and for how long, the addresses of one name are tried: each for a moment first, so that a dead route costs a moment and not the whole
/// time; then those that did not answer again, each for its part of what is left. (RFC 8305 asks the next address after 250 ms beside the one before; one after
/// the other gives the same without a second socket.)
/// </summary>
internal sealed class Attempts(IPAddress[] addresses)
{
    private const int MomentMilliseconds = 300;

    private readonly List<IPAddress> _silent = [];
    private int _next;

    /// <summary>What is worth saying when none answered: a refusal before a silence.</summary>
    public WireException? Failure { get; private set; }

    /// <summary>The address to try now; null when there is none left. The caller disposes the patience.</summary>
    public (IPAddress Address, DialScope Patience)? Next(DialScope scope)
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

    /// <summary>The address tried last did not become a connection.</summary>
    public void Failed(WireException exception)
    {
        if (exception.Failure == WireFailure.TimedOut && _next <= addresses.Length)
            _silent.Add(addresses[_next - 1]);
        if (Failure is null or { Failure: WireFailure.TimedOut })
            Failure = exception;
    }
}
