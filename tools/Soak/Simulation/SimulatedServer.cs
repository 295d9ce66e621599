using Slipstream.Core.Topology;

namespace Slipstream.Soak.Simulation;

/// <summary>A server of a simulated cluster, as it really is. Times are in milliseconds.</summary>
internal sealed class SimulatedServer(string name, int latency)
{
    /// <summary>Numbers of the probes that a hung server has received and not answered.</summary>
    public readonly List<long> Unanswered = [];

    public string Name => name;

    /// <summary>Gets or sets the time of a message in one direction.</summary>
    public int Latency { get; set; } = latency;

    /// <summary>Gets or sets the condition of the process and of the path to it.</summary>
    public ServerCondition Condition { get; set; }

    /// <summary>Gets or sets whether another server's election excludes it, because the others do not reach it.</summary>
    public bool IsIsolated { get; set; }

    /// <summary>Gets or sets what it says about itself.</summary>
    public HostRole Role { get; set; } = HostRole.Replica;

    /// <summary>Gets or sets the epoch that it knows.</summary>
    public long Epoch { get; set; }

    /// <summary>Gets or sets whether an event on it has not ended yet. Others leave it alone meanwhile.</summary>
    public bool IsDisturbed { get; set; }

    /// <summary>Gets or sets whether anything has happened since its last retirement that may be a reason for another one.</summary>
    public bool MayBeRetired { get; set; }

    /// <summary>Gets or sets since when it answers each probe in time; <see cref="long.MaxValue"/> while it does not.</summary>
    public long WellSince { get; set; }

    /// <summary>Gets or sets when it last answered probes in time.</summary>
    public long LastWellAt { get; set; }

    /// <summary>Gets or sets the identity that it states.</summary>
    public string Cluster { get; init; } = "cluster";

    /// <summary>Gets or sets since when the client gets nothing from it; <see cref="long.MaxValue"/> while it gets answers.</summary>
    public long MuteSince { get; set; } = long.MaxValue;

    /// <summary>Gets whether it answers each probe in time.</summary>
    public bool IsWell => Condition == ServerCondition.Running && Latency <= 110;

    /// <summary>Gets whether it answers nothing at all.</summary>
    public bool IsMute => Condition is ServerCondition.Hung or ServerCondition.Unreachable;
}

/// <summary>The condition of a simulated server.</summary>
internal enum ServerCondition
{
    /// <summary>It answers.</summary>
    Running,

    /// <summary>It runs, and refuses logins because it is not ready.</summary>
    Starting,

    /// <summary>It runs, and refuses logins because it is full.</summary>
    Full,

    /// <summary>Nothing listens at its port.</summary>
    Stopped,

    /// <summary>Its process is stopped: connections succeed, and nothing is answered until it runs on.</summary>
    Hung,

    /// <summary>The client's messages to it, and its answers, are lost.</summary>
    Unreachable,
}
