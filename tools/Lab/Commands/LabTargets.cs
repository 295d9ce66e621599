namespace Slipstream.Lab;

/// <summary>The servers and clusters that a command is about.</summary>
/// <param name="Servers">The single servers.</param>
/// <param name="Clusters">The clusters.</param>
/// <param name="IsDefault">True if the command line names none of them.</param>
internal sealed record LabTargets(IReadOnlyList<ServerKind> Servers, IReadOnlyList<ClusterKind> Clusters, bool IsDefault)
{
    public static LabTargets All { get; } = new(ServerKinds.All, ClusterKinds.All, IsDefault: true);
}
