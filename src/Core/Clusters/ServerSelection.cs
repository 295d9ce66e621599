using Slipstream.Core.Causality;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>
/// The search of one caller for a session, after the first attempt has not succeeded at once. It decides and never waits. A server that has failed is left out
/// until other servers suit, or for a tenth of a second.
/// </summary>
/// <param name="cluster">The servers.</param>
/// <param name="wish">What the caller wants.</param>
/// <param name="began">When the caller began to wait.</param>
/// <param name="milliseconds">The time limit of the caller, in milliseconds; 0: no limit.</param>
/// <param name="name">The wish in the provider's words, for messages.</param>
/// <param name="need">What the caller must see; null for nothing.</param>
internal sealed class ServerSelection(Cluster cluster, HostWish wish, long began, long milliseconds, string name, CausalNeed? need = null)
{
    private const long Pause = 100;

    // Milliseconds after the time limit of a wait within which its answer must arrive.
    private const long Slack = 250;

    // Longest time between two waits of a caller whose writes do not arrive, in milliseconds. The probes may show earlier that they have.
    private const long LongestPause = 2000;

    // The time for the search begins with the search: the caller may have waited for a session of a server that was retired in the meantime.
    private readonly long _due = Math.Min(
        milliseconds <= 0 ? Clock.Never : began + milliseconds, cluster.SelectionTimeout <= 0 ? Clock.Never : Clock.In(cluster.SelectionTimeout));

    private readonly List<ClusterMember> _failed = [];
    private ClusterMember? _excluded;
    private long _excludedSince;
    private Exception? _failure;
    private bool _isBehind;
    private bool _wasBehind;
    private long _asked;
    private ClusterMember? _waitsAt;
    private long _askAgainAt = long.MinValue;
    private long _pause = Pause;
    private bool _isWholeWait;
    private WriterRule _rule;

    /// <summary>The servers that suited at the last choice.</summary>
    public Choices Seen { get; private set; } = Choices.None;

    // Positions change without a change of the servers that suit.
    /// <summary>How long to wait for a change, in milliseconds; 0: no limit.</summary>
    public long WaitTime => _failed.Count == 0 && need is null ? TimeLeft : TimeLeft == 0 ? Pause : Math.Min(Pause, TimeLeft);

    /// <summary>The time that is left for a lease, in milliseconds; 0: no limit.</summary>
    public long TimeLeft => _due == Clock.Never ? 0 : Math.Max(1, _due - Clock.Now);

    /// <summary>Returns the next server to lease from; null if the caller must wait.</summary>
    /// <exception cref="Exception">No server suits, and waiting longer cannot help, or the time has run out.</exception>
    public ClusterMember? Next()
    {
        cluster.Start();
        if (_due != Clock.Never && Clock.Now >= _due)
            throw Failed();
        if (cluster.Choices is var now && !ReferenceEquals(now, Seen))
        {
            Seen = now;
            _failed.Clear();
            // The change may be that of another server, and the monitor not yet have heard what this one has done.
            if (_excluded is { } excluded && excluded.Status.Since == _excludedSince)
                _failed.Add(excluded);
        }

        var tiers = need is null ? now[wish] : cluster.Narrow(now[wish], need, mayAsk: !_isBehind && Clock.Now >= _askAgainAt);
        if (cluster.Choose(tiers, _failed.Count > 0 ? _failed : null) is { } member)
            return member;
        _wasBehind |= tiers.Length == 0 && now[wish].Length > 0;
        if (_failure is ServerRefusedException)
            throw _failure;
        if (_failed.Count == 0 && cluster.FindPermanentFailure() is { } permanent)
            throw permanent;
        return null;
    }

    /// <summary>Leaves a server out until its state changes, or for a tenth of a second: it is about to be reported as one that does not suit.</summary>
    public void Exclude(ClusterMember member)
    {
        (_excluded, _excludedSince) = (member, member.Status.Since);
        Seen = cluster.Choices;
        _failed.Add(member);
    }

    /// <summary>Records that a wait has ended without a change.</summary>
    public void Waited()
    {
        _failed.Clear();
        _excluded = null;
        _isBehind = false;
    }

    /// <summary>Returns whether a session may be used at once: nothing must be seen, or it is known that its server has executed that.</summary>
    public bool IsFresh(Session session, ClusterMember member) =>
        need is null || cluster.IsFreshest(member, need) || member.IsKnownToCover(session, need.Position);

    /// <summary>
    /// Begins the wait of a session's server for what the caller must see, together with the session's owed exchanges. Null if the server cannot wait for it.
    /// </summary>
    public PositionWait? BeginWait(Session session, ClusterMember member, CancellationToken cancellationToken)
    {
        var limit = cluster.CausalReadTimeout;
        var left = TimeLeft == 0 ? long.MaxValue : TimeLeft;
        limit = Math.Min(limit, left);
        // Servers may take 0 for no limit.
        if (limit <= 0 || member.WaitRule is not { } rule || member.Probe.CreateWait(session, need!.Position, limit, rule) is not { } wait
            || !member.TryBeginWait())
        {
            // No back-off: the server was not asked.
            _isBehind = _wasBehind = true;
            return null;
        }

        (_waitsAt, _asked, _rule, _isWholeWait) = (member, Clock.Now, rule, left > limit + Slack);
        // The wait ends with the time limit or the caller's token. A server that does not answer would hardly answer a request to cancel it.
        session.EndsAtOnce = true;
        session.BeginOperation(Math.Min(limit + Slack, left));
        session.RegisterToken(cancellationToken);
        session.PrependPending();
        wait.Exchange.Encode(session.Wire);
        session.Queue.Begin(wait.Exchange);
        return wait;
    }

    /// <summary>Ends the wait. Returns whether the session may be used.</summary>
    public bool EndWait(Session session, ClusterMember member, PositionWait wait)
    {
        session.UnregisterToken();
        session.EndsAtOnce = false;
        LeaveWait();
        // The question must not be the last statement that the lease's first command sees.
        if (session.ResetsBetweenLeases)
            session.KeepSkippedReset();
        if (session.IsBroken || wait.Exchange.Error is not null || !wait.IsReached(wait.Exchange))
        {
            Behind();
            return false;
        }

        // With several writers, the wait is for all writes of a moment, which have no position.
        if (_rule != WriterRule.First)
            member.HasReached(need!.Position, session, _asked);
        return true;
    }

    /// <summary>Ends a wait that failed below the server's answers.</summary>
    public void WaitFailed(Session session, Exception exception)
    {
        session.UnregisterToken();
        var reason = session.Operation.Interrupted.Reason;
        session.Abort(exception, reason);
        if (reason == Interruption.TimedOut && _isWholeWait)
            _waitsAt?.WaitUnanswered();
        LeaveWait();
        Behind();
    }

    private void LeaveWait()
    {
        _waitsAt?.EndWait();
        _waitsAt = null;
    }

    // One wait for each attempt: with several replicas that are behind, the caller would wait for each of them.
    private void Behind()
    {
        _isBehind = _wasBehind = true;
        _askAgainAt = Clock.In(_pause);
        _pause = Math.Min(2 * _pause, LongestPause);
    }

    /// <summary>Records that a session of the server was not what the caller wants.</summary>
    public void Rejected(ClusterMember member) => _failed.Add(member);

    /// <summary>Records that a lease has failed. Returns whether the search goes on.</summary>
    public bool Failed(ClusterMember member, long generation, Exception exception)
    {
        // The caller had chosen it before.
        if (member.IsRemoved && exception is ObjectDisposedException)
        {
            _failed.Add(member);
            return true;
        }

        var refusal = (exception as ServerRefusedException)?.Error;
        // The server is full, or refuses for another reason of its own. That ends the search if no other server suits.
        var isDenied = refusal is not null && member.Probe.FailureOf(refusal) == ProbeFailure.Denied;
        var concernsServer = refusal is null
            ? exception is WireException { Failure: not WireFailure.Canceled }
            : !isDenied || member.Opener.MayTryNext(refusal);
        if (!concernsServer)
            return false;
        _failure = isDenied ? exception : null;
        if (!isDenied)
            member.NotOpened(generation, exception.Message);
        _failed.Add(member);
        return true;
    }

    private string Missing => !_wasBehind ? "" : need!.Position == LogPosition.Unknown
        ? "The position of a write is unknown, and no usable server was sure to have executed it. "
        : $"No server was known to have executed the writes of the token {ServerText.OneLine(need.Position.ToString(), 500)}. ";

    private WireException Failed() => new(
        WireFailure.Unreachable,
        $"None of the {cluster.Members.Length} servers could be used for {name} within {(_due - began) / 1000.0:0.###} s. {Missing}{cluster.Describe()}",
        cluster.FindFailure())
        { RetrySafety = RetrySafety.NotSent };
}
