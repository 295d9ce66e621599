using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.Clusters;

/// <summary>
/// After a switchover, connections that were opened before it refuse writes. A single command is executed on the new primary, once. Everything else is reported
/// as what the tables show.
/// </summary>
[Collection(ClusterSql.OneAtATime)]
public class RefusedWriteTests
{
    private const string Waits = "Drain Timeout=300;Server Selection Timeout=60";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    [Trait("Set", "All")]
    public async Task Writes_that_a_former_primary_of_a_group_refuses_are_executed_once_or_reported()
    {
        await using var cluster = await LiveServers.StartGroupReplicationAsync();
        var first = await cluster.PrimaryAsync(Token);
        await RunAsync(cluster, first, cluster.Servers.First(one => one != first));
    }

    [Fact]
    [Trait("Set", "All")]
    public async Task Writes_that_a_former_primary_of_MariaDB_refuses_are_executed_once_or_reported()
    {
        await using var cluster = await LiveServers.StartMariaDbReplicationAsync();
        await RunAsync(cluster, cluster.Servers[0], cluster.Servers[1]);
    }

    // A former primary of PostgreSQL is restarted as a standby, which ends its sessions. Behind PgBouncer, connections outlive that.
    [Fact]
    public async Task Writes_that_a_former_primary_behind_PgBouncer_refuses_are_executed_once_or_reported()
    {
        await using var cluster = await LiveServers.StartPgReplicationAsync(standbys: 1);
        var (first, second) = (cluster.Servers[0], cluster.Servers[1]);
        string[] settings = ["server_login_retry = 0.1", "server_check_delay = 0"];
        await using var before = await LabServer.StartPgBouncerAsync(first, 0, settings, Token);
        await using var after = await LabServer.StartPgBouncerAsync(second, 0, settings, Token);
        await using var source = new PgDataSourceBuilder(
            ConnectionStrings.PostgreSql(before, $"Timeout=60;{Waits}").Replace($"Host={before.Host};Port={before.Port};", string.Create(
                CultureInfo.InvariantCulture, $"Host={before.Host}:{before.Port},{after.Host}:{after.Port};"), StringComparison.Ordinal)).BuildMultiHost();
        await DefineAsync(source.Primary, "LANGUAGE sql AS $$", "$$");
        var writes = new RefusedWrites(source.Primary, static () => Token);
        await writes.OpenAsync();
        await cluster.PromoteAsync(second, Token);
        await using (var standby = PgDataSource.Create(ConnectionStrings.PostgreSql(before)))
            await Eventually.TrueAsync(async () => await IsStandbyAsync(standby));
        await writes.ExecuteAsync();
    }

    private static async Task<bool> IsStandbyAsync(PgDataSource source)
    {
        try
        {
            return await source.CreateCommand("SELECT pg_is_in_recovery()").ExecuteScalarAsync(Token) is true;
        }
        catch (PgException)
        {
            return false;
        }
    }

    private static async Task RunAsync(LabCluster cluster, LabServer first, LabServer second)
    {
        var hosts = string.Join(',', cluster.Servers.Select(static one => string.Create(CultureInfo.InvariantCulture, $"{one.Host}:{one.Port}")));
        await using var source = new MySqlDataSource(
            ConnectionStrings.MySql(first, $"Topology=Auto;{Waits}")
                .Replace($"Server={first.Host};Port={first.Port};", $"Server={hosts};", StringComparison.Ordinal));
        // A table of a group needs a key.
        await DefineAsync(source.Primary, "", "");
        var writes = new RefusedWrites(source.Primary, static () => Token);
        await writes.OpenAsync();
        await cluster.PromoteAsync(second, Token);
        await writes.ExecuteAsync();
    }

    private static async Task DefineAsync(ProviderDataSource primary, string head, string tail)
    {
        await primary.CreateCommand("CREATE TABLE written (id int, part int, PRIMARY KEY (id, part))").ExecuteNonQueryAsync(Token);
        await primary.CreateCommand($"CREATE PROCEDURE add_row(v int) {head} INSERT INTO written VALUES (v, 1) {tail}").ExecuteNonQueryAsync(Token);
    }
}
