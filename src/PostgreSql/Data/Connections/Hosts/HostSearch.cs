using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// The search for a session of a server with a wanted role. It decides and never waits: the caller leases from <see cref="Host"/>, and reports the result.
/// Servers whose role is wanted or unknown come first; for a preference, then any server; last, those that were offline or had another role, which may have
/// changed.
/// </summary>
internal sealed class HostSearch
{
    // Without a limit, an attempt that gets no answer must leave the others a chance.
    private const long ShareWithoutLimit = 15_000;

    private readonly HostPool[] _order;
    private readonly TargetSessionAttributes _target;
    private readonly long _due;
    private readonly Exception?[] _failures;
    private readonly ServerRole[] _found;
    private Phase _phase;
    private int _at = -1;
    private bool _skipsFull = true;

    /// <param name="order">The servers in the order of the attempts.</param>
    /// <param name="target">The wanted role.</param>
    /// <param name="milliseconds">The time for the whole search; 0 for no limit.</param>
    public HostSearch(HostPool[] order, TargetSessionAttributes target, long milliseconds)
    {
        _order = order;
        _target = target;
        _due = Clock.In(milliseconds);
        _failures = new Exception?[order.Length];
        _found = new ServerRole[order.Length];
    }

    private enum Phase
    {
        Wanted,
        Any,
        LastChance,
        End,
    }

    /// <summary>Gets the server of the current attempt.</summary>
    public HostPool Host => _order[_at];

    /// <summary>Gets the time for the current attempt, in milliseconds; 0 for no limit.</summary>
    public long Milliseconds
    {
        get
        {
            var left = _due == Clock.Never ? ShareWithoutLimit * _order.Length : Math.Max(1, _due - Clock.Now);
            return _order.Length == 1 ? _due == Clock.Never ? 0 : left : Math.Max(1, left / (_order.Length - _at));
        }
    }

    /// <summary>Moves to the next server; false at the end.</summary>
    public bool Next()
    {
        while (_phase != Phase.End)
        {
            while (++_at < _order.Length)
            {
                if (IsCandidate(_order[_at].RoleAt(Clock.Now)) && !(_skipsFull && !_order[_at].HasRoom))
                    return true;
            }

            _at = -1;
            // Servers whose pool is full have their turn after the others in the same phase.
            if (_skipsFull)
            {
                _skipsFull = false;
                continue;
            }

            _skipsFull = true;
            _phase = _phase == Phase.Wanted && !_target.IsPreference() ? Phase.LastChance : _phase + 1;
        }

        return false;
    }

    private bool IsCandidate(ServerRole role) => _failures[_at] is null && _phase switch
    {
        Phase.Wanted => _found[_at] == ServerRole.Unknown && (role == ServerRole.Unknown || _target.Wants(role)),
        Phase.Any => role != ServerRole.Offline,
        _ => _target.IsPreference() || _found[_at] == ServerRole.Unknown,
    };

    /// <summary>Returns whether the session that was leased is what the search is for; null if its server must be asked for its role.</summary>
    public bool? IsWanted(PgSession session)
    {
        if (_target == TargetSessionAttributes.Any)
            return true;
        if (_phase != Phase.LastChance && Host.RoleAt(Clock.Now) is var known and not (ServerRole.Unknown or ServerRole.Offline))
            return Accepts(known);
        // What a pooled session has reported may be long ago.
        return session.Leases.Ended == 0 && HostPool.ReportedBy(session.State.Settings) is var role and not ServerRole.Unknown ? Learned(role) : null;
    }

    /// <summary>Records the role of the current server. Returns whether the search has found what it is for.</summary>
    public bool Learned(ServerRole role)
    {
        Host.Learn(role, Clock.Now);
        return Accepts(role);
    }

    private bool Accepts(ServerRole role)
    {
        _found[_at] = role;
        return _target.Wants(role) || (_target.IsPreference() && _phase != Phase.Wanted);
    }

    /// <summary>Records that the attempt has failed. Returns whether another server may succeed.</summary>
    public bool Failed(Exception exception)
    {
        if (Clock.Now >= _due)
            return false;
        switch (exception)
        {
            case PoolExhaustedException:
                break;
            case PgException { IsTransient: true }:
            case WireException { Failure: not WireFailure.Canceled }:
            case ServerRefusedException refused when PgSessionOpener.ConcernsServer(refused.Error):
                Host.Learn(ServerRole.Offline, Clock.Now);
                break;
            default:
                return false;
        }

        _failures[_at] = exception;
        return true;
    }

    /// <summary>Returns the exception for a search without a result.</summary>
    public Exception Failure()
    {
        if (_failures is [{ } only])
            return only;
        var reasons = _order.Select((host, at) => $"{host.Endpoint}: {_failures[at]?.Message ?? Describe(_found[at])}");
        return new WireException(
            _failures.OfType<WireException>().FirstOrDefault()?.Failure ?? WireFailure.Unreachable,
            $"None of the {_order.Length} servers could be used for Target Session Attributes={Targets.WordOf(_target)}. {string.Join(" ", reasons)}",
            _failures.FirstOrDefault(static failure => failure is not null)) { RetrySafety = RetrySafety.NotSent };
    }

    private static string Describe(ServerRole role) => role switch
    {
        ServerRole.Primary => "It is a primary.",
        ServerRole.ReadOnlyPrimary => "It is a primary whose transactions are read-only by default.",
        ServerRole.Standby => "It is a standby.",
        _ => "Its role is not known.",
    };
}
