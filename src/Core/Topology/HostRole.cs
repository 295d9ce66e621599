namespace Slipstream.Core.Topology;

/// <summary>What a server may be used for. The role follows from what the server says about itself, or from what other servers have shown about it.</summary>
public enum HostRole
{
    /// <summary>The server has not stated its role yet.</summary>
    Unknown,

    /// <summary>The server accepts writes.</summary>
    Primary,

    /// <summary>The server is up to date and refuses writes, but is not a replica of another server.</summary>
    ReadOnly,

    /// <summary>The server follows a primary and refuses writes.</summary>
    Replica,

    /// <summary>The server is currently not part of the cluster: it is starting or catching up, or has lost the majority. It must not be used.</summary>
    Joining,

    /// <summary>The server says that it is the primary, but a primary of a later epoch is known. The cluster may discard its data: do not use it.</summary>
    Outranked,

    /// <summary>The server belongs to another cluster than the others. It must not be used.</summary>
    Foreign,
}
