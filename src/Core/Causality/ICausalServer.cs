namespace Slipstream.Core.Causality;

/// <summary>A server of a cluster, as the tracking of writes knows it.</summary>
internal interface ICausalServer
{
    /// <summary>Identifies the cluster.</summary>
    object? Domain { get; }

    /// <summary>Whether the server is known to refuse writes.</summary>
    bool IsReplica { get; }

    /// <summary>Whether the server can report the positions of writes.</summary>
    bool HasPositions { get; }
}
