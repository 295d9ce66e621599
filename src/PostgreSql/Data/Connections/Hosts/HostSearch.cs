using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>
/// The search for a session of a server with a wanted role. It decides and never waits: the caller leases from <see cref="Host"/>, and reports the result.
/// Servers whose role is wanted or unknown come first; for a preference, then any server; last, those that were offline or had another role, which may have
/// changed. A server whose pool is full has its turn only when no server can serve the caller at once.
/// </summary>
internal sealed class HostSearch
{
    // Without a limit, an attempt that gets no answer must leave the others a chance.
    private const long ShareWithoutLimit = 15_000;

    private static readonly Stage[] OfDemand =
    [
        new(Phase.Wanted), new(Phase.Wanted, Waits: true), new(Phase.LastChance), new(Phase.LastChance, Waits: true),
    ];

    // Another role at once is worth more than the preferred one after a wait.
    private static readonly Stage[] OfPreference =
    [
        new(Phase.Wanted), new(Phase.Any), new(Phase.Wanted, Waits: true), new(Phase.Any, Waits: true), new(Phase.LastChance),
        new(Phase.LastChance, Waits: true),
    ];

    private readonly HostPool[] _order;
    private readonly TargetSessionAttributes _target;
    private readonly Stage[] _stages;
    private readonly long _began;
    private readonly long _due;
    private readonly Exception?[] _failures;
    private readonly ServerRole[] _found;
    private int _stage;
    private int _at = -1;
    private long _dueOfAttempt;
    private bool _isOutOfTime;

    /// <param name="order">The servers in the order of the attempts.</param>
    /// <param name="target">The wanted role.</param>
    /// <param name="milliseconds">The time for the whole search; 0 for no limit.</param>
    public HostSearch(HostPool[] order, TargetSessionAttributes target, long milliseconds)
    {
        _order = order;
        _target = target;
        _stages = target.IsPreference() ? OfPreference : OfDemand;
        _began = Clock.Now;
        _due = Clock.In(milliseconds);
        _failures = new Exception?[order.Length];
        _found = new ServerRole[order.Length];
    }

    private enum Phase
    {
        Wanted,
        Any,
        LastChance,
    }

    /// <summary>Gets the server of the current attempt.</summary>
    public HostPool Host => _order[_at];

    /// <summary>Gets the time that is left for the current attempt, in milliseconds; 0 for no limit.</summary>
    public long Milliseconds => _dueOfAttempt == Clock.Never ? 0 : Math.Max(1, _dueOfAttempt - Clock.Now);

    private Phase CurrentPhase => _stages[_stage].Phase;

    /// <summary>Moves to the next server; false at the end.</summary>
    public bool Next()
    {
        for (; _stage < _stages.Length && !_isOutOfTime; _stage++, _at = -1)
        {
            while (++_at < _order.Length)
            {
                var now = Clock.Now;
                if (!IsCandidate(_at, now) || !(_stages[_stage].Waits || Host.HasRoom))
                    continue;
                _dueOfAttempt = DueOfAttempt(now);
                return true;
            }
        }

        return false;
    }

    private bool IsCandidate(int at, long now) => MayHaveTurn(at) && CurrentPhase switch
    {
        Phase.Wanted => _found[at] == ServerRole.Unknown && _order[at].RoleAt(now) is var role && (role == ServerRole.Unknown || _target.Wants(role)),
        Phase.Any => _order[at].RoleAt(now) != ServerRole.Offline,
        _ => true,
    };

    // Whether an attempt at a server may still follow in this or a later stage.
    private bool MayHaveTurn(int at) => _failures[at] is null && (_target.IsPreference() || _found[at] == ServerRole.Unknown);

    // The servers of this phase share the time; those of later phases get one more share together. A wait for a full pool leaves no share for servers that are
    // offline, or have a role that is not allowed: they have their turn only if no pool is full.
    private long DueOfAttempt(long now)
    {
        if (_order.Length == 1)
            return _due;
        var (shares, later) = (1, 0);
        for (var at = 0; at < _order.Length; at++)
        {
            if (at == _at || !MayHaveTurn(at))
                continue;
            if (IsCandidate(at, now))
                shares++;
            else if (!_stages[_stage].Waits || (_target.IsPreference() && _order[at].RoleAt(now) != ServerRole.Offline))
                later = 1;
        }

        var left = _due == Clock.Never ? ShareWithoutLimit * _order.Length : Math.Max(1, _due - now);
        return now + Math.Max(1, left / (shares + later));
    }

    /// <summary>Returns whether the session that was leased is what the search is for; null if its server must be asked for its role.</summary>
    public bool? IsWanted(PgSession session)
    {
        if (_target == TargetSessionAttributes.Any)
            return true;
        if (CurrentPhase != Phase.LastChance && Host.RoleAt(Clock.Now) is var known and not (ServerRole.Unknown or ServerRole.Offline))
            return Accepts(known);
        return IsNew(session) && HostPool.ReportedBy(session.State.Settings) is var role and not ServerRole.Unknown ? Learned(role, session.OpenedAt) : null;
    }

    // What a session has reported may be long ago, also if it has waited in the pool for its first lease.
    private bool IsNew(PgSession session) => session.Leases.Ended == 0
        && (session.OpenedAt >= _began || (CurrentPhase != Phase.LastChance && Clock.Now - session.OpenedAt < Host.Recheck));

    /// <summary>Records the role that the current server has just given. Returns whether the search has found what it is for.</summary>
    public bool Learned(ServerRole role) => Learned(role, Clock.Now);

    private bool Learned(ServerRole role, long at)
    {
        Host.Learn(role, at);
        return Accepts(role);
    }

    private bool Accepts(ServerRole role)
    {
        _found[_at] = role;
        return _target.Wants(role) || (_target.IsPreference() && CurrentPhase != Phase.Wanted);
    }

    /// <summary>Records that the attempt has failed. Returns whether the failure concerns only this server, so that the search goes on.</summary>
    public bool Failed(Exception exception)
    {
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
        _isOutOfTime = Clock.Now >= _due;
        return true;
    }

    /// <summary>Returns the exception for a search without a result.</summary>
    public Exception Failure()
    {
        if (_failures is [{ } only])
            return only;
        var reasons = _order.Select((host, at) => $"{host.Endpoint}: {_failures[at]?.Message ?? Describe(host, _found[at])}");
        var message = $"None of the {_order.Length} servers could be used for Target Session Attributes={Targets.WordOf(_target)}. {string.Join(" ", reasons)}";
        // More sessions, or shorter leases, would have helped.
        if (Array.Exists(_failures, static failure => failure is PoolExhaustedException))
            return new PoolExhaustedException(message);
        return new WireException(
            _failures.OfType<WireException>().FirstOrDefault()?.Failure ?? WireFailure.Unreachable,
            message,
            _failures.FirstOrDefault(static failure => failure is not null)) { RetrySafety = RetrySafety.NotSent };
    }

    private string Describe(HostPool host, ServerRole found) => (found == ServerRole.Unknown && _isOutOfTime ? host.RoleAt(Clock.Now) : found) switch
    {
        ServerRole.Primary => "It is a primary.",
        ServerRole.ReadOnlyPrimary => "It is a primary whose transactions are read-only by default.",
        ServerRole.Standby => "It is a standby.",
        _ when _isOutOfTime => "There was no time left to try it.",
        _ => "Its role is not known.",
    };

    // A pass over the servers. If it does not wait, servers whose pool is full are left out.
    private readonly record struct Stage(Phase Phase, bool Waits = false);
}
