using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.Clusters;

/// <summary>A data source that knows one server of a cluster, and finds the others.</summary>
internal static class MemberDiscovery
{
    /// <summary>Checks that all servers are found and used, starting with one of them, in the given order.</summary>
    /// <param name="listed">The server of the connection string.</param>
    /// <param name="user">The user and the password, if not the main user's.</param>
    /// <param name="servers">All servers: the listed one, then the others by their ports.</param>
    public static async Task FindsAsync(LabServer listed, string user, params LabServer[] servers)
    {
        var token = TestContext.Current.CancellationToken;
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(
            listed, $"SSL Mode=VerifyFull;SSL CA={listed.CaFile};Topology=Auto;Topology Discovery=Members;Redirection Hosts={listed.Host};{user}"));
        await using (await source.Primary.OpenConnectionAsync(token))
            await Eventually.TrueAsync(() => source.Topology.Hosts.Count == servers.Length && source.Topology.Hosts.All(static host => host.IsUsable));
        Assert.Equal(servers.Select(static one => one.Port), source.Topology.Hosts.Select(static host => host.Port));
        await using var reader = await source.Replica.OpenConnectionAsync(token);
        await using var question = reader.CreateCommand();
        question.CommandText = "SELECT 1";
        Assert.Equal(1L, Convert.ToInt64(await question.ExecuteScalarAsync(token), System.Globalization.CultureInfo.InvariantCulture));
    }
}
