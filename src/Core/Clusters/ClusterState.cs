using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>The servers of a cluster at one moment, with their pools, in the same order.</summary>
/// <param name="Snapshot">What is known about the servers.</param>
/// <param name="Members">Their pools.</param>
internal sealed record ClusterState(TopologySnapshot Snapshot, ClusterMember[] Members);
