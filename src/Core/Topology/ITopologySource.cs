namespace Slipstream.Core.Topology;

/// <summary>
/// Names the servers of a data source, for clusters whose members change: from a cloud's tables, a registry or the name service. The driver asks each server
/// that it names for its role, as it does with the servers of the connection string.
/// </summary>
/// <remarks>
/// A source must be thread-safe. The driver calls it in the background, never while a connection is opened, and one call at a time for each data source. The
/// servers of the connection string are used until the first answer.
/// </remarks>
public interface ITopologySource
{
    /// <summary>
    /// Gets the time between two calls. While no primary is known, the driver calls at least every 5 seconds. Default: 30 seconds; shorter times than one
    /// second count as one second.
    /// </summary>
    TimeSpan RefreshInterval => TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets whether a server that is not in the connection string is used only if the options verify its certificate (SSL Mode=VerifyFull or VerifyCA). A
    /// source may return false if nobody else can change its answer, such as a configuration file. Default: true.
    /// </summary>
    bool RequiresVerifiedServers => true;

    /// <summary>Returns all servers that the data source may use now.</summary>
    /// <param name="cancellationToken">Cancelled when the data source is disposed, and after 30 seconds.</param>
    /// <returns>
    /// The servers, in order of preference; at most 64. They replace those of the connection string. A server that is no longer named is drained. An empty list
    /// is ignored: the servers stay.
    /// </returns>
    /// <exception cref="Exception">The source cannot answer. The driver logs the exception (message 1040), keeps the servers, and asks again later.</exception>
    ValueTask<IReadOnlyList<TopologyMember>> GetMembersAsync(CancellationToken cancellationToken);
}
