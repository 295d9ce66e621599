using System.Diagnostics;
using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// A MySQL group (Group Replication) with a single primary, which the members elect. A member that was killed is suspected after five seconds, which MySQL does
/// not let anyone change, and then expelled.
/// </summary>
public sealed class GroupReplicationCluster : LabCluster
{
    // The default of MySQL is five seconds, in addition to those of the suspicion.
    internal static readonly TimeSpan DefaultExpelTimeout = TimeSpan.Zero;

    // The statement waits until the member is in the group.
    private static readonly TimeSpan JoinLimit = TimeSpan.FromMinutes(2);

    private const string MemberQuery =
        "SELECT own.MEMBER_STATE, own.MEMBER_ROLE, @@GLOBAL.super_read_only, @@GLOBAL.offline_mode, "
        + "(SELECT COUNT(*) FROM performance_schema.replication_group_members), "
        + "(SELECT COUNT(*) FROM performance_schema.replication_group_members WHERE MEMBER_STATE = 'ONLINE') "
        + "FROM performance_schema.replication_group_members AS own WHERE own.MEMBER_ID = @@GLOBAL.server_uuid";

    private readonly GroupPlan _group;

    private GroupReplicationCluster(GroupPlan group) => _group = group;

    public override ClusterKind Kind => ClusterKind.GroupReplication;

    /// <summary>Starts a group. Its first member is the primary.</summary>
    /// <param name="members">The number of members.</param>
    /// <param name="expelTimeout">
    /// The time (<c>group_replication_member_expel_timeout</c>) after which a suspected member is expelled; the default is 0, MySQL's own is five seconds.
    /// </param>
    /// <param name="grantsMembers">
    /// Whether the user <c>lab_sha2</c> may read <c>replication_group_members</c> and <c>replication_group_member_stats</c>. MySQL by itself permits no
    /// ordinary user to. The main user may always.
    /// </param>
    /// <param name="ct">Cancels the start.</param>
    /// <exception cref="LabUnavailableException">The servers are unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static Task<GroupReplicationCluster> StartAsync(
        int members = 3, TimeSpan? expelTimeout = null, bool grantsMembers = true, CancellationToken ct = default) =>
        StartAsync(ClusterHome.Private(ClusterKind.GroupReplication), members, expelTimeout ?? DefaultExpelTimeout, grantsMembers, ct);

    internal static async Task<GroupReplicationCluster> StartAsync(
        ClusterHome home, int members, TimeSpan expelTimeout, bool grantsMembers, CancellationToken ct)
    {
        var id = Random.Shared.Next();
        var ports = FreePort.ChooseInside(members);
        home.Write([id, .. ports]);
        var group = new GroupPlan(Name(id), ports, expelTimeout);
        var cluster = new GroupReplicationCluster(group);
        var starting = new List<Task<LabServer>>();
        try
        {
            var first = await home.StartAsync(1, new GroupReplicationRecipe(1, group), [], ct);
            cluster.Add(first);
            for (var number = 2; number <= members; number++)
                starting.Add(home.StartAsync(number, new GroupReplicationRecipe(number, group), [], ct));
            await Task.Run(() => Start(first, isFirst: true), ct);
            foreach (var next in starting)
            {
                var server = await next;
                cluster.Add(server);
                await JoinAsync(server, ct);
            }

            await cluster.WaitForMembersAsync(members, ct);
            if (grantsMembers)
                Grant(first);
            return cluster;
        }
        catch
        {
            // Those that are still starting become members, too, so that they end with the cluster.
            foreach (var next in starting)
                await next.ContinueWith(cluster.AddIfStarted, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Opens the cluster that <c>lab up</c> has started, or returns null.</summary>
    internal static GroupReplicationCluster? Open(ClusterHome home)
    {
        if (home.Read() is not [var id, .. var ports])
            return null;
        var group = new GroupPlan(Name(id), ports, DefaultExpelTimeout);
        var cluster = new GroupReplicationCluster(group);
        for (var number = 1; number <= ports.Length; number++)
            cluster.Add(home.Open(number, new GroupReplicationRecipe(number, group), []));
        return cluster;
    }

    /// <summary>Waits until a running member reports that it is the primary and takes writes, and returns it.</summary>
    public async Task<LabServer> PrimaryAsync(CancellationToken ct = default)
    {
        LabServer? primary = null;
        await WaitAsync(() => (primary = FindPrimary()) is not null, "a member is the primary and takes writes", ct);
        return primary!;
    }

    /// <summary>
    /// Waits until the group has this number of members, all of them online, and one of them is a primary that takes writes. Every running server that belongs
    /// to the group must report the same.
    /// </summary>
    public Task WaitForMembersAsync(int online, CancellationToken ct = default) => WaitAsync(
        () =>
        {
            var members = Servers.Where(IsRunning).Select(Member).OfType<GroupMember>().Where(static member => member.IsOnline).ToList();
            return members.Count == online && members.TrueForAll(member => member.Known == online && member.Online == online)
                && members.Count(static member => member.TakesWrites) == 1;
        },
        string.Create(CultureInfo.InvariantCulture, $"{online} members are online and one of them takes writes"),
        ct);

    /// <summary>Makes a member the primary (<c>group_replication_set_as_primary</c>). It takes writes when this returns.</summary>
    public async Task SwitchoverAsync(LabServer server, CancellationToken ct = default)
    {
        await Task.Run(
            () =>
            {
                var uuid = LabSql.Run(Own(server).Settings, QueryLimit, "SELECT @@GLOBAL.server_uuid")[0][0];
                LabSql.Run(server.Settings, JoinLimit, $"SELECT group_replication_set_as_primary('{uuid}')");
            },
            ct);
        await WaitAsync(() => Member(server) is { TakesWrites: true }, $"the server on port {server.Port} is the primary", ct);
    }

    /// <inheritdoc cref="SwitchoverAsync"/>
    public override Task PromoteAsync(LabServer server, CancellationToken ct = default) => SwitchoverAsync(server, ct);

    /// <summary>
    /// Makes a member leave the group (<c>STOP GROUP_REPLICATION</c>). Its server runs on and is read-only. <see cref="RejoinAsync"/> undoes it.
    /// </summary>
    public Task LeaveAsync(LabServer server, CancellationToken ct = default) =>
        Task.Run(() => LabSql.Run(Own(server).Settings, JoinLimit, "STOP GROUP_REPLICATION"), ct);

    /// <summary>
    /// Makes the group expel a member: it is paused until the others have done so. It then learns this and goes into offline mode. <see cref="RejoinAsync"/>
    /// undoes it.
    /// </summary>
    public async Task ExpelAsync(LabServer server, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(server);
        // By default, it would come back by itself at once.
        await Task.Run(() => LabSql.Run(Own(server).Settings, QueryLimit, "SET GLOBAL group_replication_autorejoin_tries = 0"), ct);
        server.Pause();
        var others = Servers.Where(other => other != server && IsRunning(other) && Member(other) is { IsOnline: true }).ToList();
        await WaitAsync(
            () => others.TrueForAll(other => Member(other) is { } member && member.Known == others.Count), $"the member on port {server.Port} is expelled", ct);
        server.Continue();
        await WaitAsync(() => Member(server) is { IsOnline: false, IsOffline: true }, $"the member on port {server.Port} is in offline mode", ct);
    }

    /// <summary>
    /// Brings a server back into the group, after it was killed or stopped, left, or was expelled. It is online when this returns. If no member is online, it
    /// founds the group anew.
    /// </summary>
    public override async Task RejoinAsync(LabServer server, CancellationToken ct = default)
    {
        await Own(server).StartAgainAsync(ct);
        if (Member(server) is { IsOnline: true })
            return;
        if (Servers.Any(other => other != server && IsRunning(other) && Member(other) is { IsOnline: true }))
            await JoinAsync(server, ct);
        else
            await Task.Run(() => Start(server, isFirst: true), ct);
        await WaitAsync(() => Member(server) is { IsOnline: true }, $"the member on port {server.Port} is online", ct);
    }

    public override string Describe(LabServer server)
    {
        if (Member(Own(server)) is not { } member)
            return Silence(server);
        return $"{member.Role}, {member.State}".TrimStart(',', ' ') + (member.IsReadOnly ? ", read-only" : "") + (member.IsOffline ? ", offline mode" : "");
    }

    private protected override IReadOnlyList<int> GroupPorts(LabServer server) => Servers.ToList().IndexOf(server) is var index and >= 0
        ? [_group.Ports[index]]
        : [];

    private LabServer? FindPrimary() => Servers.FirstOrDefault(server => IsRunning(server) && Member(server) is { TakesWrites: true });

    // The group still has a member that was killed and started again within seconds, and refuses it until that is expelled.
    private static async Task JoinAsync(LabServer server, CancellationToken ct)
    {
        for (var waited = Stopwatch.StartNew(); ; await Task.Delay(200, ct))
        {
            try
            {
                await Task.Run(() => Start(server, isFirst: false), ct);
                return;
            }
            catch (InvalidOperationException e) when (waited.Elapsed < JoinLimit)
            {
                LabServer.ReportProgress($"the member on port {server.Port.ToString(CultureInfo.InvariantCulture)} tries again to join: {e.Message}");
            }
        }
    }

    private static void Start(LabServer server, bool isFirst)
    {
        // All members have the same users.
        string[] statements =
        [
            "SET GLOBAL offline_mode = OFF",
            "SET GLOBAL group_replication_autorejoin_tries = DEFAULT",
            // A member that was expelled is in the state ERROR, and its replication still has to be stopped.
            "STOP GROUP_REPLICATION",
            $"CHANGE REPLICATION SOURCE TO SOURCE_USER = '{server.User}', SOURCE_PASSWORD = '{server.Password}' FOR CHANNEL 'group_replication_recovery'",
            $"SET GLOBAL group_replication_bootstrap_group = {(isFirst ? "ON" : "OFF")}",
            "START GROUP_REPLICATION",
            "SET GLOBAL group_replication_bootstrap_group = OFF",
        ];
        LabSql.Run(server.Settings, JoinLimit, statements);
    }

    private static void Grant(LabServer primary)
    {
        var user = primary.FindUser("caching_sha2_password")!.Name;
        LabSql.Run(
            primary.Settings, JoinLimit,
            $"GRANT SELECT ON performance_schema.replication_group_members TO {user}",
            $"GRANT SELECT ON performance_schema.replication_group_member_stats TO {user}");
    }

    private static GroupMember? Member(LabServer server) => Ask(server, MemberQuery) is [var row]
        ? new GroupMember(
            row[0]!, row[1]!, row[2] == "1", row[3] == "1", int.Parse(row[4]!, CultureInfo.InvariantCulture), int.Parse(row[5]!, CultureInfo.InvariantCulture))
        : null;

    private static Guid Name(int id) => new(id, 0x5115, 0x4d17, [0x8e, 0xa0, 0, 0, 0, 0, 0, 1]);

    private void AddIfStarted(Task<LabServer> starting)
    {
        if (starting.IsCompletedSuccessfully && !Servers.Contains(starting.Result))
            Add(starting.Result);
    }

    /// <summary>The row of a server about itself, and the number of rows about all members.</summary>
    private sealed record GroupMember(string State, string Role, bool IsReadOnly, bool IsOffline, int Known, int Online)
    {
        public bool IsOnline => State == "ONLINE";

        public bool TakesWrites => IsOnline && Role == "PRIMARY" && !IsReadOnly && Online * 2 > Known;
    }
}
