namespace Slipstream.Core.Topology;

/// <summary>All servers of a data source at one moment, as the driver knows them. It does not change.</summary>
public sealed class TopologyDescription
{
    internal TopologyDescription(long version, IReadOnlyList<HostDescription> hosts, HostDescription? primary, bool isWatched) =>
        (Version, Hosts, Primary, IsWatched) = (version, hosts, primary, isWatched);

    /// <summary>Gets a number that increases whenever something about the servers changes, such as a round-trip time.</summary>
    public long Version { get; }

    /// <summary>Gets the servers in the order of the connection string.</summary>
    public IReadOnlyList<HostDescription> Hosts { get; }

    /// <summary>Gets the server that connections for writes use: one of <see cref="Hosts"/>. Null while none is known.</summary>
    public HostDescription? Primary { get; }

    /// <summary>
    /// Gets whether the driver asks the servers for their roles. If not, because the data source has one server or does not distinguish them, the roles and
    /// states are unknown.
    /// </summary>
    public bool IsWatched { get; }

    /// <summary>Returns the servers with their roles and states, for logs.</summary>
    /// <returns>The servers, separated by semicolons.</returns>
    public override string ToString() => string.Join("; ", Hosts);
}
