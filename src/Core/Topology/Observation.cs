namespace Slipstream.Core.Topology;

/// <summary>Something that was seen of the servers, with the time in milliseconds.</summary>
internal abstract record Observation(long At);

/// <summary>Time has passed: probes may be due, or unanswered for too long.</summary>
internal sealed record TimePassed(long At) : Observation(At);

/// <summary>A server has answered a probe.</summary>
/// <param name="At">When the answer came.</param>
/// <param name="Host">The server's address.</param>
/// <param name="Number">The number of the probe, from <see cref="TopologyDecision.Number"/>. Answers to abandoned probes are ignored.</param>
/// <param name="Answer">What the server says about itself.</param>
internal sealed record ProbeAnswered(long At, string Host, long Number, RoleAnswer Answer) : Observation(At);

/// <summary>A probe has failed. Probes without any answer need no observation: <see cref="TopologyMachine"/> abandons them.</summary>
/// <param name="At">When it failed.</param>
/// <param name="Host">The server's address.</param>
/// <param name="Number">The number of the probe.</param>
/// <param name="Failure">How it failed.</param>
/// <param name="Error">The message.</param>
internal sealed record ProbeFailed(long At, string Host, long Number, ProbeFailure Failure, string Error) : Observation(At);

/// <summary>A session of the pools gives reason for a probe.</summary>
/// <param name="At">When it happened.</param>
/// <param name="Host">The server's address.</param>
/// <param name="Generation">The generation to which the session belongs. Those before the server's last retirement are ignored.</param>
/// <param name="Doubt">What happened.</param>
/// <param name="Error">The message.</param>
internal sealed record HostDoubted(long At, string Host, long Generation, HostDoubt Doubt, string Error) : Observation(At);

/// <summary>The list of servers has changed: by discovery, by the name service or by the application.</summary>
/// <param name="At">When it was known.</param>
/// <param name="Hosts">All addresses, in order of preference.</param>
internal sealed record HostsListed(long At, IReadOnlyList<string> Hosts) : Observation(At);

/// <summary>How a probe failed.</summary>
internal enum ProbeFailure
{
    /// <summary>The machine answered that nothing listens at the port.</summary>
    Refused,

    /// <summary>The connection was lost, or no connection could be made.</summary>
    Lost,

    /// <summary>The server said that it is stopping, or offline.</summary>
    Leaving,

    /// <summary>The server said that it is not ready: it is starting, or not part of its cluster.</summary>
    NotReady,

    /// <summary>The server is there and did not say its role: it is full, or the monitor's user may not log in.</summary>
    Denied,
}

/// <summary>Why the sessions of a pool give reason for a probe.</summary>
internal enum HostDoubt
{
    /// <summary>The connection of a session was lost, or a session could not be opened.</summary>
    Lost,

    /// <summary>A command has exceeded its time limit. This may be the command's own fault.</summary>
    TimedOut,

    /// <summary>The server refused a write: it is not the primary. Or a login has reported another role than the last probe.</summary>
    NotPrimary,

    /// <summary>The server refused a command: it is not part of its cluster.</summary>
    NotReady,

    /// <summary>The server ended a session and announced that it stops.</summary>
    Leaving,
}
