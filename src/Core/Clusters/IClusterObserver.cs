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

    /// <summary>The state or the role of a server has changed.</summary>
    /// <param name="before">The servers before the change.</param>
    /// <param name="now">The servers after it.</param>
    /// <param name="at">The index of the server.</param>
    void ServerChanged(TopologySnapshot before, TopologySnapshot now, int at);

    /// <summary>Two servers say that they are the primary, and nothing shows which one is right.</summary>
    void TwoPrimaries(string primary, string other);

    /// <summary>A handler of the application has thrown an exception. On a thread of the pool.</summary>
    void HandlerFailed(Exception exception);
}
