namespace Slipstream.Core.Topology;

/// <summary>Whether a server answers.</summary>
internal enum HostState
{
    /// <summary>It has not answered and not failed yet.</summary>
    Unknown,

    /// <summary>It has answered the last probe.</summary>
    Up,

    /// <summary>A session or one probe was lost. It is used only if no other server suits.</summary>
    Suspect,

    /// <summary>It has announced its end. It must not be used until a session opened later answers.</summary>
    Leaving,

    /// <summary>It refuses connections, or has not answered several probes. It must not be used.</summary>
    Dead,
}
