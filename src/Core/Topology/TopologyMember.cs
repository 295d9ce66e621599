namespace Slipstream.Core.Topology;

/// <summary>A server that an <see cref="ITopologySource"/> names.</summary>
/// <param name="Host">The host's name or IP address, as in the connection string: the name that the server's certificate must have.</param>
/// <param name="Port">The TCP port, from 1 to 65535; 0 for that of the connection string.</param>
public sealed record TopologyMember(string Host, int Port = 0);
