namespace Slipstream.Core.Topology;

/// <summary>What a server may be used for: what it says about itself, or what others have shown about it.</summary>
internal enum HostRole
{
    /// <summary>It has not said it yet.</summary>
    Unknown,

    /// <summary>It accepts writes.</summary>
    Primary,

    /// <summary>It is up to date, and refuses writes, but is not a replica of another server.</summary>
    ReadOnly,

    /// <summary>It follows a primary and refuses writes.</summary>
    Replica,

    /// <summary>It is not part of the cluster at the moment: it starts, catches up, or has lost the majority. It must not be used.</summary>
    Joining,

    /// <summary>It says that it is the primary, and a primary of a later epoch is known. Its data may be abandoned: it must not be used.</summary>
    Outranked,

    /// <summary>It belongs to another cluster than the others. It must not be used.</summary>
    Foreign,
}
