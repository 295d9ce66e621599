using System.Runtime.CompilerServices;
using Slipstream.Core.Causality;
using Slipstream.Core.Errors;
using Slipstream.Core.Pooling;
using Slipstream.Core.Sessions;
using Slipstream.Core.Time;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Clusters;

/// <summary>One server of a cluster: its pool, and what is known about it.</summary>
/// <param name="endpoint">The server.</param>
/// <param name="probe">What the provider knows about its servers' roles.</param>
internal sealed class ClusterMember(Endpoint endpoint, IRoleProbe probe) : ISessionWatcher, ICausalServer
{
    // How long a server whose waits are not answered is left out, in milliseconds.
    private const long WithoutWaits = 10_000;

    // Each token that a client sends may have another position.
    private const int MostReached = 4;

    private readonly AnswerWatch _answers = new();
    private readonly Lock _gate = new();
    private readonly StrongBox<RoleAnswer?> _lastAnswer = new();
    private Reached[] _reached = [];
    private long _waitsAgainAt = long.MinValue;
    private int _waits;
    private HostStatus _status = new(endpoint.ToString(), HostState.Unknown, HostRole.Unknown);
    private long _changes;
    private bool _isRemoved;

    /// <summary>The server.</summary>
    public Endpoint Endpoint => endpoint;

    /// <summary>The server's address, as the topology knows it.</summary>
    public string Address { get; } = endpoint.ToString();

    /// <summary>What the provider knows about its servers' roles.</summary>
    public IRoleProbe Probe => probe;

    /// <summary>Opens sessions of the server.</summary>
    public SessionOpener Opener { get; private set; } = null!;

    /// <summary>The sessions of the server.</summary>
    public ISessionSource<Session> Sessions { get; private set; } = null!;

    /// <summary>Receives observations; null before the cluster exists.</summary>
    public Action<Observation>? Report { get; set; }

    /// <summary>The server as it was last seen.</summary>
    public HostStatus Status
    {
        get => Volatile.Read(ref _status);
        set => Volatile.Write(ref _status, value);
    }

    /// <summary>Increases with each retirement of the server.</summary>
    public long Generation => Status.Generation;

    /// <summary>How often the state or the role of the server has changed. Only the monitor's thread sets it.</summary>
    public long Changes
    {
        get => Volatile.Read(ref _changes);
        set => Volatile.Write(ref _changes, value);
    }

    /// <summary>When the sessions of earlier generations are ended.</summary>
    public Drains Drains { get; } = new();

    /// <summary>Whether the server is no longer one of the cluster's.</summary>
    public bool IsRemoved
    {
        get => Volatile.Read(ref _isRemoved);
        set => Volatile.Write(ref _isRemoved, value);
    }

    /// <summary>When the server was removed.</summary>
    public long RemovedAt { get; set; }

    /// <summary>When the sessions of the removed server are ended.</summary>
    public long RemovedUntil { get; set; }

    /// <summary>Returns the password of new sessions, if it was renewed; null for that of the settings.</summary>
    public Func<string?>? RenewedPassword { get; init; }

    /// <inheritdoc/>
    public object? Domain { get; set; }

    /// <inheritdoc/>
    public bool IsReplica => Status.Role is HostRole.Replica or HostRole.ReadOnly;

    /// <inheritdoc/>
    public bool HasPositions => Status.Position is not null;

    /// <summary>
    /// Which servers accept writes, as this one has stated it itself: it decides how the server waits for writes. Null for a server that cannot wait, such as a
    /// node of Galera that is not ready.
    /// </summary>
    public WriterRule? WaitRule => Volatile.Read(ref _lastAnswer.Value) is not { Writers: WriterRule.First } answer ? WriterRule.Epoch
        : HostStatus.MayServe(answer.Role) ? WriterRule.First : null;

    /// <summary>Returns a receiver of observations that keeps what the server has stated about itself, before it passes them on.</summary>
    public Action<Observation> Hearing(Action<Observation> report)
    {
        // The monitor's thread must not keep this object in memory, which refers to the cluster.
        var last = _lastAnswer;
        return observation =>
        {
            if (observation is ProbeAnswered answered)
                Volatile.Write(ref last.Value, answered.Answer);
            report(observation);
        };
    }

    /// <summary>
    /// Whether a caller may have the server wait for writes. At most a quarter of its sessions do so at the same time. Tokens with positions that nobody has
    /// written thus leave the other sessions to other callers.
    /// </summary>
    public bool MayWait => Volatile.Read(ref _waits) < MostWaits && Clock.Now >= Volatile.Read(ref _waitsAgainAt) && WaitRule is not null;

    private int MostWaits => Math.Max(1, Sessions.Capacity / 4);

    /// <summary>Begins a wait, unless there are too many. Then <see cref="EndWait"/> must follow.</summary>
    public bool TryBeginWait()
    {
        if (Interlocked.Increment(ref _waits) <= MostWaits)
            return true;
        EndWait();
        return false;
    }

    /// <summary>Ends a wait.</summary>
    public void EndWait() => Interlocked.Decrement(ref _waits);

    /// <summary>Records that the server has not answered a wait, although its time limit had passed. It is not asked to wait for some time.</summary>
    public void WaitUnanswered() => Volatile.Write(ref _waitsAgainAt, Clock.In(WithoutWaits));

    /// <summary>Returns what the server has reported to a caller since its last retirement that covers a position; null for nothing.</summary>
    public LogPosition? FindReached(LogPosition need)
    {
        var status = Status;
        foreach (var reached in Volatile.Read(ref _reached))
        {
            if (reached.Generation == status.Generation && reached.Position.Covers(need) && !HasGoneBack(status, reached))
                return reached.Position;
        }

        return null;
    }

    /// <summary>Records that the server has executed what a caller waited for.</summary>
    /// <param name="position">What it has executed.</param>
    /// <param name="session">The caller's session.</param>
    /// <param name="asked">When the caller asked.</param>
    public void HasReached(LogPosition position, Session session, long asked)
    {
        lock (_gate)
        {
            var status = Status;
            List<Reached> kept = [.. _reached.Where(one => one.Generation == session.HostGeneration && !HasGoneBack(status, one))];
            // A session that is older than the former question belongs to the same process, which has therefore executed that position, too.
            if (kept.FindIndex(one => session.OpenedAt <= one.Asked && one.Position.Covers(position)) is >= 0 and var at)
            {
                kept[at] = kept[at] with { Asked = Math.Max(kept[at].Asked, asked), Answered = Clock.Now };
            }
            else
            {
                kept.RemoveAll(one => one.Asked <= asked && position.Covers(one.Position));
                if (kept.Count == MostReached)
                    kept.RemoveAt(0);
                kept.Add(new(position, session.HostGeneration, asked, Clock.Now));
            }

            Volatile.Write(ref _reached, [.. kept]);
        }
    }

    /// <summary>
    /// Returns whether the server of a session is known to have executed what a caller must see. A server that was restarted may be behind the position that
    /// it had before. So the session must be older than the question about the position: it has outlived the answer, and belongs to the same process.
    /// </summary>
    public bool IsKnownToCover(Session session, LogPosition need)
    {
        var status = Status;
        if (status.Executed?.Covers(need) == true && session.OpenedAt <= status.ExecutedAt)
            return true;
        foreach (var reached in Volatile.Read(ref _reached))
        {
            if (reached.Generation == session.HostGeneration && session.OpenedAt <= reached.Asked && reached.Position.Covers(need)
                && !HasGoneBack(status, reached))
                return true;
        }

        return false;
    }

    /// <summary>
    /// Has the server probed if commands wait and it answers none of them. So a server that hangs is found earlier than by the next probe.
    /// </summary>
    /// <returns>When to look again; <see cref="Clock.Never"/> if nothing happens on the server's sessions.</returns>
    public long LookForAnswers(long now)
    {
        var (received, isWaiting) = (0L, false);
        foreach (var one in Sessions.FindAll())
        {
            if (one is not Session session)
                continue;
            received += session.Wire.Received;
            isWaiting |= session.Operation.IsRunning;
        }

        if (_answers.IsQuiet(received, isWaiting, Status.RoundTrip ?? 0, now))
            Doubt(Generation, HostDoubt.Quiet, "Commands are waiting, and the server has answered none of them for some time.");
        return _answers.NextLookAt;
    }

    /// <summary>Sets the pool of the server.</summary>
    public void Attach(SessionOpener opener, ISessionSource<Session> sessions) => (Opener, Sessions) = (opener, sessions);

    /// <summary>Reports that a session could not be opened.</summary>
    public void NotOpened(long generation, string error) => Doubt(generation, HostDoubt.Lost, error);

    /// <summary>Reports that a new session contradicts what is known about the server.</summary>
    public void Contradicted(Session session) =>
        Doubt(session.HostGeneration, HostDoubt.NotPrimary, "A new session reported that the server is a replica.");

    /// <inheritdoc/>
    public void Refused(Session session, ServerError error)
    {
        if (probe.DoubtOf(session, error) is { } doubt)
            Doubt(session.HostGeneration, doubt, error.Message);
    }

    /// <inheritdoc/>
    public void Lost(Session session, string reason) => Doubt(session.HostGeneration, HostDoubt.Lost, reason);

    /// <inheritdoc/>
    public void TimedOut(Session session, string reason) => Doubt(session.HostGeneration, HostDoubt.TimedOut, reason);

    private void Doubt(long generation, HostDoubt doubt, string error) =>
        Report?.Invoke(new HostDoubted(Clock.Now, Address, generation, doubt, ServerText.OneLine(error, 1000)));

    // A replica that is restored while it runs keeps its sessions. A question that was asked after the answer shows it.
    private static bool HasGoneBack(HostStatus status, Reached reached) =>
        status.ExecutedAt > reached.Answered && status.Executed is { } executed && !executed.Covers(reached.Position);

    private sealed record Reached(LogPosition Position, long Generation, long Asked, long Answered);
}
