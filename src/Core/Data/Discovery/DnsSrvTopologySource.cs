using System.Net;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Data;

/// <summary>
/// Names the servers of a cluster from SRV records of the name service, such as <c>_service._tcp.db.example</c> or those of a headless service of Kubernetes.
/// Source: RFC 2782.
/// </summary>
/// <remarks>
/// <para>
/// Answers of the name service are not authenticated. Therefore, a server that is not in the connection string is used only if SSL Mode verifies its
/// certificate, and an answer is refused as a whole if it names a host that is not below <see cref="Domain"/>.
/// </para>
/// <para>
/// The servers with the lowest priority come first, then those with the highest weight. The order matters only with <c>Load Balance=FailOver</c>, with a
/// provider that prefers the first server, and for the node that takes the writes of a cluster with several writers: the weights do not spread the
/// connections.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// builder.UseTopologySource(new DnsSrvTopologySource("_database._tcp.db.example"));
/// await using var source = builder.Build();
/// </code>
/// </example>
public sealed class DnsSrvTopologySource : ITopologySource
{
    private readonly string _domain;

    /// <summary>Creates a source. It asks nothing yet.</summary>
    /// <param name="serviceName">The name of the records: <c>_service._protocol.domain</c>.</param>
    /// <exception cref="ArgumentException">The text is not such a name.</exception>
    public DnsSrvTopologySource(string serviceName)
    {
        ArgumentNullException.ThrowIfNull(serviceName);
        var name = DnsName.Normalize(serviceName);
        if (name?.Split('.') is not [['_', _, ..], ['_', _, ..], .. { Length: > 0 } domain])
            throw new ArgumentException($"'{serviceName}' is not the name of a service: use the form _service._tcp.db.example.", nameof(serviceName));
        (ServiceName, _domain) = (name, string.Join('.', domain));
    }

    /// <summary>Gets the name of the records, in lower case.</summary>
    public string ServiceName { get; }

    /// <summary>
    /// Gets the domain to which all servers must belong. Default: what follows the service and the protocol in <see cref="ServiceName"/>. Set it if the servers
    /// are beside that name, not below it.
    /// </summary>
    /// <exception cref="ArgumentException">The text is not a domain of at least two labels.</exception>
    public string Domain
    {
        get => _domain;
        init => _domain = DnsName.Normalize(value ?? "") is { } name && name.Contains('.')
            ? name
            : throw new ArgumentException($"'{value}' is not a domain, such as db.example.", nameof(value));
    }

    /// <summary>Gets the name servers, which are asked in this order. Default: empty, for those of the operating system.</summary>
    public IReadOnlyList<IPEndPoint> NameServers { get; init; } = [];

    /// <summary>Gets the time between two questions. Default: 60 seconds.</summary>
    public TimeSpan RefreshInterval { get; init; } = TimeSpan.FromSeconds(60);

    /// <inheritdoc/>
    public bool RequiresVerifiedServers => true;

    /// <summary>Asks the name service for the servers. Each name server has 2 seconds for its answer, and is asked at most twice.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The servers; empty if the service is not available.</returns>
    /// <exception cref="InvalidDataException">The name does not exist, or the answer is not valid, or names a host outside of <see cref="Domain"/>.</exception>
    /// <exception cref="IOException">No name server has answered.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async ValueTask<IReadOnlyList<TopologyMember>> GetMembersAsync(CancellationToken cancellationToken)
    {
        var records = await SrvResolver.ResolveAsync(ServiceName, NameServers, cancellationToken).ConfigureAwait(false);
        foreach (var record in records)
            if (!DnsName.IsBelow(record.Target, Domain))
                throw new InvalidDataException($"The name service names the server {record.Target}, which is not below {Domain}: none is used.");
        return
        [
            .. records.OrderBy(static one => one.Priority).ThenByDescending(static one => one.Weight).ThenBy(static one => one.Target, StringComparer.Ordinal)
                .ThenBy(static one => one.Port).Select(static one => new TopologyMember(one.Target, one.Port)),
        ];
    }
}
