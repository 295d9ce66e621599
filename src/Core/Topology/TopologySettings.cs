namespace Slipstream.Core.Topology;

/// <summary>Which of several servers that accept writes is the primary.</summary>
internal enum WriterRule
{
    /// <summary>Only one may be right: the one of the latest epoch.</summary>
    Epoch,

    /// <summary>All are right, as with Galera: the first one in the list, so that all clients choose the same.</summary>
    First,
}

/// <summary>The rules of a topology. Times are in milliseconds.</summary>
internal sealed record TopologySettings
{
    /// <summary>Which of several servers that accept writes is the primary.</summary>
    public WriterRule Writers { get; init; }

    /// <summary>Whether any caller wants a primary: only then a missing one is searched for.</summary>
    public bool SeeksPrimary { get; init; } = true;

    /// <summary>Interval between two probes of the primary. Other servers are probed half as often.</summary>
    public long RefreshInterval { get; init; } = 1000;

    /// <summary>Time limit for the answer to a probe.</summary>
    public long ProbeTimeout { get; init; } = 1000;

    /// <summary>Age of an unanswered probe at which other servers are preferred.</summary>
    public long SilenceLimit { get; init; } = 250;

    /// <summary>Shortest time between two probes of a server while a primary is known.</summary>
    public long ShortestInterval { get; init; } = 200;

    /// <summary>Number of lost probes in a row after which a server is dead. A refused connection needs no second one.</summary>
    public int MissesUntilDead { get; init; } = 2;

    /// <summary>Number of unanswered probes in a row after which sessions in use are ended.</summary>
    public int SilencesUntilCut { get; init; } = 3;

    /// <summary>Longest interval between two probes of a dead server.</summary>
    public long LongestBackoff { get; init; } = 10_000;

    /// <summary>Time for which a server that has come back must answer before it replaces a primary that works (<see cref="WriterRule.First"/>).</summary>
    public long SettleTime { get; init; } = 2000;

    /// <summary>
    /// Time after a wrongly refused write for which further refusals only make a probe due. A caller that writes in read-only transactions must not keep the
    /// primary from the others.
    /// </summary>
    public long DistrustTime { get; init; } = 10_000;

    /// <summary>
    /// Delay of the caller's own process from which on it is not counted as a server's silence. Afterwards an answer has as much time to be read.
    /// </summary>
    public long PauseLimit { get; init; } = 50;
}
