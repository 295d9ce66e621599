using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>A primary with standbys that fails over: a data source with all of its servers finds the new primary.</summary>
public class PgReplicationTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_data_source_follows_the_primary_through_a_failover_and_back()
    {
        await using var cluster = await LiveServers.StartPgReplicationAsync();
        var (first, second, third) = (cluster.Servers[0], cluster.Servers[1], cluster.Servers[2]);
        await using var primary = PgDataSource.Create(All(cluster, "primary"));
        await using var standby = PgDataSource.Create(All(cluster, "standby"));
        await primary.CreateCommand("CREATE TABLE written (id int PRIMARY KEY)").ExecuteNonQueryAsync(Token);
        await WriteAsync(primary, 1);
        await ReadAsync(standby, 1);
        Assert.Equal(first.Port, await PortAsync(primary));
        Assert.NotEqual(first.Port, await PortAsync(standby));

        await first.KillAsync();
        cluster.Promote(second);
        cluster.Follow(third, second);
        await WriteAsync(primary, 2);
        Assert.Equal(second.Port, await PortAsync(primary));
        await ReadAsync(standby, 3);
        // A role that was found out is believed for Host Recheck Seconds: until then, the promoted server may still be used as a standby.
        await Eventually.TrueAsync(async () => await PortAsync(standby) == third.Port);

        await cluster.RejoinAsync(first, second, Token);
        await using (var rejoined = PgDataSource.Create(ConnectionStrings.PostgreSql(first)))
            await ReadAsync(rejoined, 3);
        await second.StopAsync();
        cluster.Promote(first);
        await WriteAsync(primary, 4);
        Assert.Equal(first.Port, await PortAsync(primary));
    }

    private static string All(PgReplication cluster, string target)
    {
        var server = cluster.Servers[0];
        var hosts = string.Join(',', cluster.Servers.Select(static one => $"{one.Host}:{one.Port}"));
        return ConnectionStrings.PostgreSql(server, $"Target Session Attributes={target};Host Recheck Seconds=1;Timeout=3")
            .Replace($"Host={server.Host};", $"Host={hosts};", StringComparison.Ordinal);
    }

    // A server has the sum of its rows only if it has all of them.
    private static Task ReadAsync(PgDataSource source, int sum) => Eventually.TrueAsync(async () =>
        await TryAsync(async () => await source.CreateCommand("SELECT sum(id) FROM written").ExecuteScalarAsync(Token)) is long found && found == sum);

    // During a failover a write may be refused, or its connection lost.
    private static Task WriteAsync(PgDataSource source, int id) => Eventually.TrueAsync(async () =>
        await TryAsync(async () => await source.CreateCommand(
            $"INSERT INTO written VALUES ({id}) ON CONFLICT (id) DO UPDATE SET id = excluded.id").ExecuteNonQueryAsync(Token)) is 1);

    private static async Task<object?> TryAsync<T>(Func<Task<T>> work)
    {
        try
        {
            return await work();
        }
        catch (PgException)
        {
            return null;
        }
    }

    private static async Task<int> PortAsync(PgDataSource source)
    {
        await using var connection = await source.OpenConnectionAsync(Token);
        return connection.Port;
    }
}
