using Slipstream.Core.Causality;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.Live.Clusters;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Reads from standbys see the writes before them.</summary>
[Collection(ClusterSql.OneAtATime)]
public class PgCausalReadTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Standbys_answer_only_when_they_have_the_writes()
    {
        await using var cluster = await LiveServers.StartPgReplicationAsync();
        await using var views = new Views(cluster);
        await new CausalReads(views, static () => Token).RunAsync();
    }

    private sealed class Views : ICausalViews, IAsyncDisposable
    {
        // Without synchronous_commit, which the lab turns off, commits reach the standbys only after wal_writer_delay (200 ms).
        private const string More =
            "Track Write Token=true;Server Selection Timeout=2;Load Balance Hosts=true;Options=-c synchronous_commit=on;";

        private readonly PgReplication _cluster;
        private readonly PgMultiHostDataSource _source;

        public Views(PgReplication cluster)
        {
            _cluster = cluster;
            var server = cluster.Servers[0];
            var hosts = string.Join(',', cluster.Servers.Select(static one => $"{one.Host}:{one.Port}"));
            _source = new PgDataSourceBuilder(ConnectionStrings.PostgreSql(server, More)
                .Replace($"Host={server.Host};Port={server.Port};", $"Host={hosts};", StringComparison.Ordinal)).BuildMultiHost();
        }

        public ProviderDataSource Primary => _source.Primary;

        public ProviderDataSource PreferReplica => _source.PreferReplica;

        public ProviderDataSource Replica => _source.Replica;

        public string WhichServer => "SELECT inet_server_port()";

        public ProviderDataSource WithToken(ProviderDataSource view, WriteToken? token) => ((PgDataSource)view).WithToken(token);

        public Task PauseReplicasAsync() => OnStandbysAsync("SELECT pg_wal_replay_pause()");

        public Task ContinueReplicasAsync() => OnStandbysAsync("SELECT pg_wal_replay_resume()");

        public ValueTask DisposeAsync() => _source.DisposeAsync();

        private async Task OnStandbysAsync(string sql)
        {
            foreach (var server in _cluster.Servers.Skip(1))
            {
                await using var source = PgDataSource.Create(ConnectionStrings.PostgreSql(server));
                await source.CreateCommand(sql).ExecuteNonQueryAsync(Token);
            }
        }
    }
}
