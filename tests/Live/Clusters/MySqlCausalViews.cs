using Slipstream.Core.Causality;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.Clusters;

/// <summary>The views of a cluster of MySQL's family.</summary>
internal sealed class MySqlCausalViews : ICausalViews, IAsyncDisposable
{
    private readonly LabServer[] _replicas;
    private readonly (string Pause, string Continue) _statements;
    private readonly MySqlDataSource _source;

    public MySqlCausalViews(LabCluster cluster, LabServer primary, string pause, string goOn)
    {
        _replicas = [.. cluster.Servers.Where(one => one != primary)];
        _statements = (pause, goOn);
        var server = cluster.Servers[0];
        var hosts = string.Join(',', cluster.Servers.Select(static one => $"{one.Host}:{one.Port}"));
        _source = new(ConnectionStrings.MySql(server, "Topology=Auto;Server Selection Timeout=2")
            .Replace($"Server={server.Host};Port={server.Port};", $"Server={hosts};", StringComparison.Ordinal));
    }

    public ProviderDataSource Primary => _source.Primary;

    public ProviderDataSource PreferReplica => _source.PreferReplica;

    public ProviderDataSource Replica => _source.Replica;

    public string WhichServer => "SELECT @@port";

    public ProviderDataSource WithToken(ProviderDataSource view, WriteToken? token) => ((MySqlDataSource)view).WithToken(token);

    public Task PauseReplicasAsync() => OnReplicasAsync(_statements.Pause);

    public Task ContinueReplicasAsync() => OnReplicasAsync(_statements.Continue);

    public ValueTask DisposeAsync() => _source.DisposeAsync();

    private async Task OnReplicasAsync(string sql)
    {
        foreach (var server in _replicas)
            await ClusterSql.ExecuteAsync(server, sql);
    }
}
