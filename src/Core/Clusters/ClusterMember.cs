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
    private readonly AnswerWatch _answers = new();
    private Reached? _reached;
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

    /// <summary>When the sessions of earlier generations are ended; <see cref="Clock.Never"/> if there are none to be ended.</summary>
    public long DrainedAt { get; set; } = Clock.Never;

    /// <summary>Whether the server is no longer one of the cluster's.</summary>
    public bool IsRemoved
    {
        get => Volatile.Read(ref _isRemoved);
        set => Volatile.Write(ref _isRemoved, value);
    }

    /// <summary>When the server was removed.</summary>
    public long RemovedAt { get; set; }

    /// <summary>Returns the password of new sessions, if it was renewed; null for that of the settings.</summary>
    public Func<string?>? RenewedPassword { get; init; }

    /// <inheritdoc/>
    public object? Domain { get; set; }

    /// <inheritdoc/>
    public bool IsReplica => Status.Role is HostRole.Replica or HostRole.ReadOnly;

    /// <inheritdoc/>
    public bool HasPositions => Status.Position is not null;

    /// <summary>What the server has reported to a caller since its last retirement; null for nothing.</summary>
    public LogPosition? ReachedPosition => Volatile.Read(ref _reached) is { } reached && reached.Generation == Generation ? reached.Position : null;

    /// <summary>Records that the server has executed what a caller waited for.</summary>
    /// <param name="position">What it has executed.</param>
    /// <param name="generation">The generation of the caller's session.</param>
    /// <param name="asked">When the caller asked.</param>
    public void HasReached(LogPosition position, long generation, long asked) => Volatile.Write(ref _reached, new(position, generation, asked));

    /// <summary>
    /// Returns whether the server of a session is known to have executed what a caller must see. A server that was restarted may be behind the position that
    /// it had before. So the session must be older than the question about the position: it has outlived the answer, and belongs to the same process.
    /// </summary>
    public bool IsKnownToCover(Session session, LogPosition need)
    {
        var status = Status;
        return (status.Executed?.Covers(need) == true && session.OpenedAt <= status.ExecutedAt)
            || (Volatile.Read(ref _reached) is { } reached && reached.Generation == session.HostGeneration && session.OpenedAt <= reached.Asked
                && reached.Position.Covers(need));
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

        if (_answers.IsQuiet(received, isWaiting, now))
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

    private sealed record Reached(LogPosition Position, long Generation, long Asked);
}
