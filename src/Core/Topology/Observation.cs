namespace Slipstream.Core.Topology;

/// <summary>An event that may change what is known about the servers. Its time is in milliseconds.</summary>
internal abstract record Observation(long At);

/// <summary>Time has passed: probes may be due, or unanswered for too long.</summary>
internal sealed record TimePassed(long At) : Observation(At);

/// <summary>A server has answered a probe.</summary>
/// <param name="At">When the answer arrived.</param>
/// <param name="Host">The server's address.</param>
/// <param name="Number">The number of the probe, from <see cref="TopologyDecision.Number"/>. Answers to abandoned probes are ignored.</param>
/// <param name="Answer">What the server says about itself.</param>
internal sealed record ProbeAnswered(long At, string Host, long Number, RoleAnswer Answer) : Observation(At)
{
    /// <summary>When the question was sent, if a login preceded it, which takes several round trips; null if not.</summary>
    public long? AskedAt { get; init; }
}

/// <summary>A probe has failed. A probe without any answer needs no observation, because <see cref="TopologyMachine"/> abandons it.</summary>
/// <param name="At">When it failed.</param>
/// <param name="Host">The server's address.</param>
/// <param name="Number">The number of the probe.</param>
/// <param name="Failure">How it failed.</param>
/// <param name="Error">The message.</param>
internal sealed record ProbeFailed(long At, string Host, long Number, ProbeFailure Failure, string Error) : Observation(At);

/// <summary>A session of a pool gives a reason for a probe.</summary>
/// <param name="At">When it happened.</param>
/// <param name="Host">The server's address.</param>
/// <param name="Generation">The generation of the session. Sessions from before the server's last retirement are ignored.</param>
/// <param name="Doubt">What happened.</param>
/// <param name="Error">The message.</param>
internal sealed record HostDoubted(long At, string Host, long Generation, HostDoubt Doubt, string Error) : Observation(At);

/// <summary>Discovery, the name service or the application has changed the list of servers.</summary>
/// <param name="At">When the new list became known.</param>
/// <param name="Hosts">All addresses, in order of preference.</param>
internal sealed record HostsListed(long At, IReadOnlyList<string> Hosts) : Observation(At);

/// <summary>How a probe failed.</summary>
internal enum ProbeFailure
{
    /// <summary>The server's computer answered that no process listens on the port.</summary>
    Refused,

    /// <summary>The connection was lost, or could not be made.</summary>
    Lost,

    /// <summary>The server reported that it is stopping or offline.</summary>
    Leaving,

    /// <summary>The server reported that it is not ready: it is starting, or is not part of its cluster.</summary>
    NotReady,

    /// <summary>The server answered without stating its role: it is full, or the monitor's user may not log in.</summary>
    Denied,
}

/// <summary>The reason for a probe that a session of a pool gives.</summary>
internal enum HostDoubt
{
    /// <summary>The connection of a session was lost, or a session could not be opened.</summary>
    Lost,

    /// <summary>A command has exceeded its time limit. The cause may be the command itself.</summary>
    TimedOut,

    /// <summary>Commands wait, and the server has answered none of them for some time. The cause may be the commands themselves.</summary>
    Quiet,

    /// <summary>The server refused a write because it is not the primary, or a login reported another role than the last probe.</summary>
    NotPrimary,

    /// <summary>The server refused a command because it is not part of its cluster.</summary>
    NotReady,

    /// <summary>The server ended a session and announced that it is stopping.</summary>
    Leaving,
}
