using System.Data.Common;
using Slipstream.Core.Topology;

namespace Slipstream.Samples.Aurora;

/// <summary>
/// The instances of an Aurora cluster, from the table that each instance has. Sources: Amazon Aurora User Guide, "information_schema.replica_host_status" and
/// "aurora_replica_status".
/// </summary>
/// <param name="cluster">
/// Opens connections to any instance, such as by the cluster's endpoint: a data source of its own, because the other one waits for this source.
/// </param>
/// <param name="hostPattern">The instances' host names, with a question mark for the identifier: <c>?.abc123.eu-central-1.rds.amazonaws.com</c>.</param>
/// <param name="query">The question: <see cref="MySql"/> or <see cref="PostgreSql"/>.</param>
public sealed class AuroraTopologySource(DbDataSource cluster, string hostPattern, string query) : ITopologySource
{
    /// <summary>For Aurora MySQL. Instances that were deleted stay in the table for a while, and no longer change their row.</summary>
    public const string MySql = """
        SELECT server_id, session_id = 'MASTER_SESSION_ID' FROM information_schema.replica_host_status
        WHERE session_id = 'MASTER_SESSION_ID' OR last_update_timestamp > NOW() - INTERVAL 5 MINUTE ORDER BY server_id
        """;

    /// <summary>For Aurora PostgreSQL.</summary>
    public const string PostgreSql = """
        SELECT server_id, CASE WHEN session_id = 'MASTER_SESSION_ID' THEN 1 ELSE 0 END FROM aurora_replica_status()
        WHERE session_id = 'MASTER_SESSION_ID' OR last_update_timestamp > now() - interval '5 minutes' ORDER BY server_id
        """;

    private const int LongestIdentifier = 63;

    /// <summary>Instances are seldom added, and the driver itself follows the writer.</summary>
    public TimeSpan RefreshInterval => TimeSpan.FromSeconds(10);

    /// <summary>Returns the instances, the writer first.</summary>
    public async ValueTask<IReadOnlyList<TopologyMember>> GetMembersAsync(CancellationToken cancellationToken)
    {
        List<TopologyMember> members = [];
        await using var connection = await cluster.OpenConnectionAsync(cancellationToken);
        await using var command = connection.CreateCommand();
        command.CommandText = query;
        await using var reader = await command.ExecuteReaderAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken))
        {
            var member = new TopologyMember(HostOf(reader.GetString(0)));
            if (reader.GetInt32(1) == 1)
                members.Insert(0, member);
            else
                members.Add(member);
        }

        return members;
    }

    // The identifier becomes a part of a host name. A server must not be able to name a host of another domain.
    private string HostOf(string identifier) => identifier.Length is > 0 and <= LongestIdentifier
        && identifier.All(static letter => char.IsAsciiLetterOrDigit(letter) || letter == '-')
            ? hostPattern.Replace("?", identifier, StringComparison.Ordinal)
            : throw new InvalidDataException($"'{identifier}' is not the identifier of an instance.");
}
