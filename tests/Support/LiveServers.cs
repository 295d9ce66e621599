using System.Collections.Concurrent;
using Slipstream.Lab;
using Xunit;

namespace Slipstream.Testing;

/// <summary>
/// The lab's servers for tests. Each is started once and is in use until the test program ends. If a server is not available, its tests are reported as
/// skipped, with the reason; with <c>SLIPSTREAM_REQUIRE_SERVERS=1</c>, they fail instead.
/// </summary>
public static class LiveServers
{
    private static readonly ConcurrentDictionary<ServerKind, Lazy<Task<LabServer>>> Servers = new();
    private static readonly ConcurrentDictionary<bool, Lazy<Task<LabServer>>> PgBouncers = new();

    /// <summary>True if a server that is not available is a failure.</summary>
    public static bool AreRequired => Environment.GetEnvironmentVariable("SLIPSTREAM_REQUIRE_SERVERS") == "1";

    /// <summary>Returns the shared server of a kind. The caller must not dispose it.</summary>
    public static Task<LabServer> GetAsync(ServerKind kind) =>
        OrSkipAsync(Servers.GetOrAdd(kind, static kind => new Lazy<Task<LabServer>>(() => LabServer.StartAsync(kind))).Value);

    /// <summary>Starts a server for the caller alone, for tests that stop or break one. The caller disposes it.</summary>
    public static Task<LabServer> StartPrivateAsync(ServerKind kind, params string[] extraArguments) =>
        OrSkipAsync(LabServer.StartPrivateAsync(kind, extraArguments));

    /// <summary>
    /// Returns the shared PgBouncer in front of PostgreSQL 15, which pools transactions. The first test that asks starts it. The caller must not dispose it.
    /// </summary>
    /// <param name="tracksPrepared">Whether PgBouncer tracks prepared statements (<c>max_prepared_statements</c>).</param>
    public static Task<LabServer> GetPgBouncerAsync(bool tracksPrepared) =>
        OrSkipAsync(PgBouncers.GetOrAdd(
            tracksPrepared,
            static tracks => new Lazy<Task<LabServer>>(
                async () => await LabServer.StartPgBouncerAsync(await GetAsync(ServerKind.PostgreSql), tracks ? 100 : 0))).Value);

    /// <summary>Starts a replicated PostgreSQL cluster for the caller alone. The caller disposes it.</summary>
    public static Task<PgReplication> StartPgReplicationAsync(int standbys = 2) => OrSkipAsync(PgReplication.StartAsync(standbys));

    /// <summary>Starts a Galera cluster for the caller alone. The caller disposes it.</summary>
    public static Task<GaleraCluster> StartGaleraAsync(int nodes = 3) => OrSkipAsync(GaleraCluster.StartAsync(nodes));

    /// <summary>Starts a MySQL group for the caller alone. The caller disposes it.</summary>
    public static Task<GroupReplicationCluster> StartGroupReplicationAsync(int members = 3, bool grantsMembers = true) =>
        OrSkipAsync(GroupReplicationCluster.StartAsync(members, grantsMembers: grantsMembers));

    /// <summary>Starts replicated MariaDB servers for the caller alone. The caller disposes them.</summary>
    public static Task<MariaDbReplication> StartMariaDbReplicationAsync(int replicas = 2) => OrSkipAsync(MariaDbReplication.StartAsync(replicas));

    /// <summary>Returns the user with this authentication method or name. Skips the test if the server has none.</summary>
    public static LabUser RequireUser(this LabServer server, string methodOrName)
    {
        ArgumentNullException.ThrowIfNull(server);
        if (server.FindUser(methodOrName) is { } user)
            return user;
        var reason = $"{server.Kind.DisplayName()} {server.Version} at {server.Host}:{server.Port} has no user for {methodOrName}.";
        if (AreRequired)
            Assert.Fail(reason);
        Assert.Skip(reason);
        throw new InvalidOperationException(reason);
    }

    /// <summary>The passwords of every server and user that tests have used. No log, span, metric or exception may contain them.</summary>
    public static ConcurrentDictionary<string, string> Passwords { get; } = new();

    private static LabServer Told(LabServer server)
    {
        Passwords.TryAdd(server.Password, $"the password of {server.User} on {server.Kind}");
        foreach (var user in server.Users)
            Passwords.TryAdd(user.Password, $"the password of {user.Name} on {server.Kind}");
        return server;
    }

    private static async Task<LabServer> OrSkipAsync(Task<LabServer> starting) => Told(await OrSkipCoreAsync(starting));

    private static async Task<T> OrSkipAsync<T>(Task<T> starting)
        where T : LabCluster
    {
        var cluster = await OrSkipCoreAsync(starting);
        foreach (var server in cluster.Servers)
            Told(server);
        return cluster;
    }

    private static async Task<T> OrSkipCoreAsync<T>(Task<T> starting)
    {
        try
        {
            return await starting;
        }
        catch (LabUnavailableException e) when (!AreRequired)
        {
            Assert.Skip(e.Message);
            throw;
        }
    }
}
