using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>Receives the events of a cluster, for logs, on the monitor's thread.</summary>
internal interface IClusterObserver
{
    /// <summary>Another server is the primary.</summary>
    /// <param name="before">The former one; null if there was none.</param>
    /// <param name="now">The primary; null if none is known.</param>
    /// <param name="states">The states of all servers.</param>
    void PrimaryChanged(string? before, string? now, string states);

    /// <summary>A server can no longer be used, or can be used again.</summary>
    void ServerChanged(HostStatus status);

    /// <summary>Two servers say that they are the primary, and nothing shows which one is right.</summary>
    void TwoPrimaries(string primary, string other);
}
