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

    /// <summary>A server was added.</summary>
    /// <param name="address">The server.</param>
    /// <param name="isReported">Whether a server of the cluster has reported it. If not, the application's source has named it.</param>
    void ServerAdded(string address, bool isReported);

    /// <summary>A server was removed.</summary>
    /// <param name="address">The server.</param>
    /// <param name="because">The reason.</param>
    void ServerRemoved(string address, string because);

    /// <summary>Members that a server or the application's source has named are not used. Once for each reason.</summary>
    /// <param name="by">The server or the source, or the member whose pool could not be created.</param>
    /// <param name="because">The reason.</param>
    void MembersRefused(string by, string because);

    /// <summary>The application's source has failed. On a thread of the pool.</summary>
    void SourceFailed(Exception exception);

    /// <summary>A handler of the application has thrown an exception. On a thread of the pool.</summary>
    void HandlerFailed(Exception exception);
}
