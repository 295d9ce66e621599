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
    private readonly List<(MySqlDataSource Source, MySqlConnection Connection)> _pausing = [];

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

    // The connection stays open: a lock that it holds must last.
    public async Task PauseReplicasAsync()
    {
        foreach (var server in _replicas)
        {
            var source = new MySqlDataSource(ConnectionStrings.MySql(server));
            var connection = await source.OpenConnectionAsync();
            _pausing.Add((source, connection));
            await ExecuteAsync(connection, _statements.Pause);
        }
    }

    public async Task ContinueReplicasAsync()
    {
        foreach (var (_, connection) in _pausing)
            await ExecuteAsync(connection, _statements.Continue);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var (source, connection) in _pausing)
        {
            await connection.DisposeAsync();
            await source.DisposeAsync();
        }

        await _source.DisposeAsync();
    }

    private static async Task ExecuteAsync(MySqlConnection connection, string sql)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        await command.ExecuteNonQueryAsync();
    }
}
