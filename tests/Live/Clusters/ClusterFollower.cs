using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.Clusters;

/// <summary>A data source with all servers of a cluster, and writers and readers that must reach the right one.</summary>
internal sealed class ClusterFollower : IAsyncDisposable
{
    private readonly MySqlDataSource _source;

    public ClusterFollower(LabCluster cluster, MySqlTopology topology, string more = "")
    {
        var server = cluster.Servers[0];
        var hosts = string.Join(',', cluster.Servers.Select(static one => $"{one.Host}:{one.Port}"));
        _source = new(ConnectionStrings.MySql(server, $"Topology={topology};Load Balance=FailOver;{more}")
            .Replace($"Server={server.Host};Port={server.Port};", $"Server={hosts};", StringComparison.Ordinal));
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public ValueTask DisposeAsync() => _source.DisposeAsync();

    /// <summary>Writes, again and again until the write has succeeded, and returns the port of the server that took it.</summary>
    public async Task<int> WriteAsync(int id)
    {
        var port = 0L;
        await Eventually.TrueAsync(async () =>
        {
            try
            {
                await using var connection = await _source.Primary.OpenConnectionAsync(Token);
                await using var command = connection.CreateCommand();
                command.CommandText = "INSERT IGNORE INTO written VALUES (@id)";
                command.Parameters.AddWithValue("@id", id);
                await command.ExecuteNonQueryAsync(Token);
                await using var question = connection.CreateCommand();
                question.CommandText = "SELECT @@port";
                port = Convert.ToInt64(await question.ExecuteScalarAsync(Token), System.Globalization.CultureInfo.InvariantCulture);
                return true;
            }
            catch (MySqlException)
            {
                return false;
            }
        });
        return (int)port;
    }

    /// <summary>Returns the port of the server that a reader gets.</summary>
    public async Task<int> ReaderAsync()
    {
        await using var connection = await _source.Replica.OpenConnectionAsync(Token);
        await using var question = connection.CreateCommand();
        question.CommandText = "SELECT @@port";
        return Convert.ToInt32(await question.ExecuteScalarAsync(Token), System.Globalization.CultureInfo.InvariantCulture);
    }
}
