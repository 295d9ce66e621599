using Slipstream.Core.Topology;

namespace Slipstream.Soak.Simulation;

/// <summary>The true state of a server of a simulated cluster. Times are in milliseconds.</summary>
internal sealed class SimulatedServer(string name, int latency)
{
    /// <summary>The numbers of the probes that a hung server has received and not answered.</summary>
    public readonly List<long> Unanswered = [];

    public string Name => name;

    /// <summary>Gets or sets the time of a message in one direction.</summary>
    public int Latency { get; set; } = latency;

    /// <summary>Gets or sets the condition of the process and of the path to it.</summary>
    public ServerCondition Condition { get; set; }

    /// <summary>Gets or sets whether the other servers cannot reach this one, so that an election excludes it.</summary>
    public bool IsIsolated { get; set; }

    /// <summary>Gets or sets the role that the server states.</summary>
    public HostRole Role { get; set; } = HostRole.Replica;

    /// <summary>Gets or sets the epoch that the server knows.</summary>
    public long Epoch { get; set; }

    /// <summary>Gets or sets whether the cluster has the server in its list of members.</summary>
    public bool IsMember { get; set; } = true;

    /// <summary>Gets or sets whether an event on the server has not ended yet. Until then, no other random event selects the server.</summary>
    public bool IsDisturbed { get; set; }

    /// <summary>Gets or sets whether an event since the server's last retirement may be a reason for another one.</summary>
    public bool MayBeRetired { get; set; }

    /// <summary>Gets or sets since when the server answers each probe in time; <see cref="long.MaxValue"/> while it does not.</summary>
    public long WellSince { get; set; }

    /// <summary>Gets or sets when the server last answered probes in time.</summary>
    public long LastWellAt { get; set; }

    /// <summary>Gets or sets the identity of the cluster that the server states.</summary>
    public string Cluster { get; init; } = "cluster";

    /// <summary>Gets or sets since when the client gets no answers from the server; <see cref="long.MaxValue"/> while it gets them.</summary>
    public long MuteSince { get; set; } = long.MaxValue;

    /// <summary>Gets whether the server answers each probe in time.</summary>
    public bool IsWell => Condition == ServerCondition.Running && Latency <= 110;

    /// <summary>Gets whether the server answers nothing at all.</summary>
    public bool IsMute => Condition is ServerCondition.Hung or ServerCondition.Unreachable;
}

/// <summary>The condition of a simulated server.</summary>
internal enum ServerCondition
{
    /// <summary>The server answers.</summary>
    Running,

    /// <summary>The server runs, but refuses logins because it is not ready.</summary>
    Starting,

    /// <summary>The server runs, but refuses logins because it is full.</summary>
    Full,

    /// <summary>No process listens on the server's port.</summary>
    Stopped,

    /// <summary>The server's process is stopped. Connections succeed, but nothing is answered until the process continues.</summary>
    Hung,

    /// <summary>The client's messages to the server, and the server's answers, are lost.</summary>
    Unreachable,
}
