using System.Globalization;
using Slipstream.Core.Causality;
using Slipstream.Core.Clusters;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Errors;

namespace Slipstream.MySql.Sessions;

/// <summary>The roles of the servers of a cluster: Galera, Group Replication, or asynchronous replication.</summary>
/// <param name="topology">The kind of cluster. Auto: each server is asked which one it belongs to.</param>
/// <param name="members">Which members of the cluster may be used that a server names; null if the servers are not asked for them.</param>
internal sealed class MySqlRoleProbe(MySqlTopology topology, MemberRules? members = null) : IRoleProbe
{
    // Values of Galera's status variables, by name. Any user may read them. Source: Galera Cluster documentation, "Galera Status Variables".
    private const string OfGalera = """
        SELECT CONCAT('wsrep_on=', (SELECT variable_value FROM information_schema.global_variables WHERE variable_name = 'WSREP_ON'), '|',
         GROUP_CONCAT(CONCAT(LOWER(variable_name), '=', variable_value) SEPARATOR '|')) FROM information_schema.global_status
        WHERE variable_name IN ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state', 'wsrep_cluster_conf_id', 'wsrep_cluster_state_uuid'
        """;

    // The addresses at which clients reach the nodes, and the index of the node's own address.
    private const string OfNodes = ", 'wsrep_incoming_addresses', 'wsrep_local_index'";

    // Percona XtraDB Cluster has the variables where MySQL has them.
    private const string OfPercona = """
        SELECT GROUP_CONCAT(CONCAT(LOWER(variable_name), '=', variable_value) SEPARATOR '|') FROM performance_schema.global_status
        WHERE variable_name IN ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state', 'wsrep_cluster_conf_id', 'wsrep_cluster_state_uuid'
        """;

    // The result of GROUP_CONCAT has at most 1024 bytes by default. MySQL 5.7 takes the hint for a comment.
    private const string LongLists = "/*+ SET_VAR(group_concat_max_len = 32768) */ ";

    // The tables need a grant: GRANT SELECT ON performance_schema.replication_group_members, and the same for ..._member_stats.
    private const string GroupRole = $$"""
        CONCAT_WS('|', 'group', @@global.super_read_only, IFNULL(m.member_state, ''), IFNULL(m.member_role, ''),
         (SELECT SUM(o.member_state IN ('ONLINE', 'RECOVERING')) * 2 > COUNT(*) FROM performance_schema.replication_group_members o),
         IFNULL((SELECT s.view_id FROM performance_schema.replication_group_member_stats s WHERE s.member_id = i.id), ''), i.name,
         IF(LENGTH(@@global.gtid_executed) < 32768, @@global.gtid_executed, '{{Some}}')
        """;

    // The members after their number, because a list may be cut off, and the server itself.
    private const string GroupMembers = """
        ,
         (SELECT CONCAT_WS(',', COUNT(a.member_port), GROUP_CONCAT(CONCAT(IF(INSTR(a.member_host, ':'), CONCAT('[', a.member_host, ']'), a.member_host),
         ':', a.member_port))) FROM performance_schema.replication_group_members a),
         IFNULL(CONCAT(IF(INSTR(m.member_host, ':'), CONCAT('[', m.member_host, ']'), m.member_host), ':', m.member_port), '')
        """;

    private const string GroupOfServer = """
        )
        FROM (SELECT @@server_uuid AS id, IFNULL((SELECT v.variable_value FROM performance_schema.global_variables v
         WHERE v.variable_name = 'group_replication_group_name'), '') AS name) i
        LEFT JOIN performance_schema.replication_group_members m ON m.member_id = i.id
        """;

    private const string OfGroup = "SELECT " + GroupRole + GroupOfServer;
    private const string OfGroupWithMembers = "SELECT " + LongLists + GroupRole + GroupMembers + GroupOfServer;

    // The set of executed transactions grows with each source. Without identifiers, there is nothing to compare.
    private const string OfMySqlServer = $$"""
        SELECT CONCAT_WS('|', 'server', @@global.read_only, '', IF(@@global.gtid_mode NOT LIKE 'ON%', '{{None}}',
         IF(LENGTH(@@global.gtid_executed) < 32768, @@global.gtid_executed, '{{Some}}')))
        """;

    // A server that accepts writes and follows another one is a replica that somebody forgot to make read-only.
    private const string OfMariaDbServer = $$"""
        SELECT CONCAT_WS('|', 'server', @@global.read_only,
         (SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'SLAVE_RUNNING'),
         IF(@@global.log_bin, '{{Some}}', '{{None}}'), @@global.gtid_slave_pos)
        """;

    // In place of a position: the server has none, or it has one that is long or elsewhere.
    private const string None = "-";
    private const string Some = "?";

    // What the functions return that wait.
    private const string Reached = "0";
    private const string NotReached = "1";

    // A donor still executes writes, but its answers may take long.
    private const string Synced = "4";
    private const string Donor = "2";

    /// <inheritdoc/>
    public RoleAnswer Ask(Session session)
    {
        var own = (MySqlSession)session;
        var kind = topology == MySqlTopology.Auto ? own.Cluster : topology;
        if (kind is MySqlTopology.Auto or MySqlTopology.Galera && AskGalera(own) is { } node)
        {
            own.Cluster = MySqlTopology.Galera;
            own.FoundGalera();
            return node;
        }

        if (kind == MySqlTopology.Galera)
            return new(HostRole.Joining);
        var isGroup = kind == MySqlTopology.GroupReplication;
        if (!own.State.IsMariaDb && (isGroup || kind == MySqlTopology.Auto) && AskGroup(own, isGroup) is { } member)
        {
            own.Cluster = MySqlTopology.GroupReplication;
            return member;
        }

        if (isGroup)
            return new(HostRole.Joining);

        var answer = Run(own, own.State.IsMariaDb ? OfMariaDbServer : OfMySqlServer)?.Split('|') ?? [];
        if (answer is not ["server", var readOnly, var replicates, .. var positions])
            return new(HostRole.Unknown);
        own.Cluster = MySqlTopology.Replication;
        var position = positions is [var first, ..] ? first : None;
        // Of MariaDB, only what it has received from its primary counts: its own writes may be in the same domain.
        var replicated = positions is [_, var second] ? second : position;
        // MariaDB has the word OFF for it, MySQL the number.
        return new(readOnly is not ("0" or "OFF") || replicates == "ON" ? HostRole.Replica : HostRole.Primary)
        {
            Writers = WriterRule.Epoch,
            Position = position == None ? null : position == Some ? replicated : position,
            Executed = own.State.IsMariaDb ? DomainSequences.Parse(replicated, ',') : TransactionSet.Parse(replicated, ','),
        };
    }

    /// <inheritdoc/>
    public ProbeFailure FailureOf(ServerError error) => error.Number switch
    {
        // ER_SERVER_SHUTDOWN, ER_SERVER_OFFLINE_MODE (also of a member that its group has expelled; since MySQL 9 with the reason, as 6400).
        1053 or 3032 or 6400 => ProbeFailure.Leaving,
        // ER_UNKNOWN_COM_ERROR of a Galera node that is not synchronised, ER_SERVER_ISNT_AVAILABLE.
        1047 or 3168 => ProbeFailure.NotReady,
        // The monitor's session was ended.
        1927 or 3169 => ProbeFailure.Lost,
        _ => ProbeFailure.Denied,
    };

    // ER_TABLEACCESS_DENIED_ERROR, ER_COLUMNACCESS_DENIED_ERROR, ER_SPECIFIC_ACCESS_DENIED_ERROR, ER_UNKNOWN_TABLE, ER_NO_SUCH_TABLE, ER_BAD_FIELD_ERROR,
    // ER_UNKNOWN_SYSTEM_VARIABLE.
    /// <inheritdoc/>
    public bool IsLasting(ServerError error) => error.Number is 1142 or 1143 or 1227 or 1109 or 1146 or 1054 or 1193;

    // An administrator may end a single session: only the monitor's own session shows whether the server is stopping.
    /// <inheritdoc/>
    public HostDoubt? DoubtOf(Session session, ServerError error) => error.Number switch
    {
        _ when IsOfReplica(error) => HostDoubt.NotPrimary,
        1047 or 3032 or ErrorKinds.HookFailed or 6400 => HostDoubt.NotReady,
        _ when ErrorKinds.IsOutsidePrimaryComponent(error) => HostDoubt.NotReady,
        1053 or 1927 or 3169 => HostDoubt.Lost,
        _ => null,
    };

    /// <inheritdoc/>
    public bool IsReplicaAtLogin(Session session) => false;

    /// <inheritdoc/>
    public PositionWait? CreateWait(Session session, LogPosition need, long milliseconds, WriterRule writers)
    {
        var own = (MySqlSession)session;
        var seconds = (milliseconds / 1000.0).ToString("0.###", CultureInfo.InvariantCulture);
        var question = (writers, own.State.IsMariaDb, need) switch
        {
            // A node of Galera then first applies everything that was committed in the cluster before. Percona has no such statement. Without wsrep_on, the
            // server would answer at once.
            (WriterRule.First, true, _) =>
                $"SET STATEMENT wsrep_sync_wait=1,max_statement_time={seconds} FOR SELECT IF(@@wsrep_on,'{Reached}','{NotReached}')",
            (WriterRule.Epoch, true, DomainSequences domains) => $"SELECT MASTER_GTID_WAIT('{domains.Text()}',{seconds})",
            (WriterRule.Epoch, false, TransactionSet set) => $"SELECT WAIT_FOR_EXECUTED_GTID_SET('{set.Text()}',{seconds})",
            _ => null,
        };
        return question is null ? null : new(new OneTextQuery(own.State, question), static wait => ((OneTextQuery)wait).Text == Reached);
    }

    /// <summary>
    /// Returns whether the server refused a write because it is a replica: ER_OPTION_PREVENTS_STATEMENT names the option, ER_READ_ONLY_MODE,
    /// ER_INNODB_READ_ONLY. (1792 means that the transaction is read-only.)
    /// </summary>
    public static bool IsOfReplica(ServerError error) => error.Number is 1836 or 1874
        || (error.Number == 1290 && error.Message.Contains("read-only", StringComparison.OrdinalIgnoreCase));

    // Null if the server is not a node of Galera.
    private RoleAnswer? AskGalera(MySqlSession session)
    {
        var question = (session.State.IsMariaDb ? OfGalera : OfPercona) + (members is null ? "" : OfNodes) + ")";
        if (members is not null && !session.State.IsMariaDb)
            question = "SELECT " + LongLists + question["SELECT ".Length..];
        if (Run(session, question) is not { } text)
            return null;
        Dictionary<string, string> values = [];
        foreach (var pair in text.Split('|'))
            if (pair.Split('=', 2) is [var name, var value])
                values[name] = value;
        // A server with the library but without a cluster has the variables, too. A node that has lost its cluster is no such server: it refuses commands.
        if (!values.TryGetValue("wsrep_local_state", out var state)
            || (values.GetValueOrDefault("wsrep_cluster_status") == "Disconnected" && values.GetValueOrDefault("wsrep_on") != "ON"))
            return null;
        var isReady = values.GetValueOrDefault("wsrep_ready") == "ON" && values.GetValueOrDefault("wsrep_cluster_status") == "Primary";
        var cluster = values.GetValueOrDefault("wsrep_cluster_state_uuid");
        var isKnown = cluster is not (null or "" or "00000000-0000-0000-0000-000000000000");
        return new(!isReady ? HostRole.Joining : state == Synced ? HostRole.Primary : state == Donor ? HostRole.ReadOnly : HostRole.Joining)
        {
            Writers = WriterRule.First,
            Cluster = isKnown ? cluster : null,
            Lineage = isKnown ? cluster : null,
            Members = values.TryGetValue("wsrep_incoming_addresses", out var addresses) && members is not null
                ? NodesOf(members, addresses, values.GetValueOrDefault("wsrep_local_index"), session.Wire.Transport.Trust)
                : null,
            Epoch = isKnown && long.TryParse(values.GetValueOrDefault("wsrep_cluster_conf_id"), NumberStyles.None, CultureInfo.InvariantCulture, out var view)
                ? view : 0,
        };
    }

    // Null if the server is not a member of a group, or the user may not see that. If it must be one, the user is told which grant is missing: a member that
    // the others have removed may still look like a server that accepts writes.
    private RoleAnswer? AskGroup(MySqlSession session, bool isRequired)
    {
        string? text;
        try
        {
            text = Run(session, members is null ? OfGroup : OfGroupWithMembers);
        }
        catch (ServerRefusedException refused) when (!isRequired && !session.IsBroken && refused.Error.Number is 1142 or 1146 or 1054)
        {
            return null;
        }

        // A server without a group name belongs to no group. One that has left its group keeps the name.
        if (text?.Split('|') is not ["group", var superReadOnly, var state, var role, var hasMajority, var view, { Length: > 0 } group, .. var positions])
            return null;
        var parts = view.Split(':', 2);
        var executed = positions is [var first, ..] ? first : null;
        return new((state, role) switch
        {
            // A member is PRIMARY before it accepts writes.
            ("ONLINE", "PRIMARY") => superReadOnly == "0" && hasMajority == "1" ? HostRole.Primary : HostRole.Joining,
            ("ONLINE", "SECONDARY") => hasMajority == "1" ? HostRole.Replica : HostRole.Joining,
            _ => HostRole.Joining,
        })
        {
            Writers = WriterRule.Epoch,
            Cluster = group,
            Position = executed,
            Executed = executed is null ? null : TransactionSet.Parse(executed, ','),
            Members = positions is [_, var named, var self] && members is not null ? MembersOf(members, named, self, session.Wire.Transport.Trust) : null,
            Lineage = parts[0].Length > 0 ? parts[0] : null,
            Epoch = parts.Length == 2 && long.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0,
        };
    }

    private static MemberList NodesOf(MemberRules rules, string addresses, string? index, PeerTrust trust)
    {
        var nodes = addresses.Split(',');
        var self = uint.TryParse(index, NumberStyles.None, CultureInfo.InvariantCulture, out var own) && own < nodes.Length ? nodes[own] : null;
        return rules.Read(nodes, self, trust);
    }

    private static MemberList MembersOf(MemberRules rules, string named, string self, PeerTrust trust)
    {
        var (count, addresses) = named.Split(',') is [var first, .. var rest] ? (first, rest) : ("", []);
        return int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number == addresses.Length
            ? rules.Read(addresses, self, trust)
            : new([]) { Refusal = "its list is not complete" };
    }

    private static string? Run(MySqlSession session, string question)
    {
        var query = new OneTextQuery(session.State, question);
        BlockingPump.Run(new StandaloneExchange(session, query), session.Wire);
        return query.Error is { } error ? throw new ServerRefusedException(error) : query.Text;
    }
}
