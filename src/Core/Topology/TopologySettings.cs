namespace Slipstream.Core.Topology;

/// <summary>Which of several servers that accept writes is the primary.</summary>
internal enum WriterRule
{
    /// <summary>Only one of them can be the primary: the one with the latest epoch.</summary>
    Epoch,

    /// <summary>All of them can be, as with Galera. The first one in the list is chosen, so that all clients choose the same server.</summary>
    First,
}

/// <summary>The rules of a topology. Times are in milliseconds.</summary>
internal sealed record TopologySettings
{
    /// <summary>Which of several servers that accept writes is the primary. An answer of a server may change it.</summary>
    public WriterRule Writers { get; set; }

    /// <summary>Whether any caller wants a primary. Only then a missing primary is searched for.</summary>
    public bool SeeksPrimary { get; init; } = true;

    /// <summary>Interval between two probes of the primary. Other servers are probed half as often.</summary>
    public long RefreshInterval { get; init; } = 1000;

    /// <summary>Time limit for the answer to a probe.</summary>
    public long ProbeTimeout { get; init; } = 1000;

    /// <summary>Age of an unanswered probe at which other servers are preferred.</summary>
    public long SilenceLimit { get; init; } = 250;

    /// <summary>Shortest time between two probes of a server while a primary is known.</summary>
    public long ShortestInterval { get; init; } = 200;

    /// <summary>Number of lost probes in a row after which a server is dead. After a refused connection, it is dead at once.</summary>
    public int MissesUntilDead { get; init; } = 2;

    /// <summary>Number of unanswered probes in a row after which sessions in use are ended.</summary>
    public int SilencesUntilCut { get; init; } = 3;

    /// <summary>Longest interval between two probes of a dead server.</summary>
    public long LongestBackoff { get; init; } = 10_000;

    /// <summary>Time for which a server that has returned must answer before it replaces a primary that works (<see cref="WriterRule.First"/>).</summary>
    public long SettleTime { get; init; } = 2000;

    /// <summary>
    /// Time after a wrongly refused write in which further refusals only make a probe due. A caller that writes in read-only transactions must not keep the
    /// primary from other callers.
    /// </summary>
    public long DistrustTime { get; init; } = 10_000;

    /// <summary>
    /// Shortest delay of the caller's own process that does not count as a server's silence. After the delay, the process has the same time to read an answer.
    /// </summary>
    public long PauseLimit { get; init; } = 50;

    /// <summary>Time after which a server is removed that was found in the cluster's list of members, and that the primary no longer reports.</summary>
    public long RemovalDelay { get; init; } = 30_000;
}
