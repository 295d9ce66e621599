namespace Slipstream.Core.Topology;

/// <summary>Whether a server answers.</summary>
public enum HostState
{
    /// <summary>The server has neither answered nor failed yet.</summary>
    Unknown,

    /// <summary>The server has answered the last probe.</summary>
    Up,

    /// <summary>A session or one probe was lost. The server is used only if no other server suits.</summary>
    Suspect,

    /// <summary>The server has announced its end. It must not be used until it answers on a session that was opened later.</summary>
    Leaving,

    /// <summary>The server refuses connections, or several probes were lost. It must not be used.</summary>
    Dead,
}
