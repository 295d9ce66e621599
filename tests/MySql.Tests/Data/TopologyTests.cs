using Slipstream.Core.Topology;

namespace Slipstream.MySql.Tests.Data;

/// <summary>The servers of data sources that have opened no connection.</summary>
public class TopologyTests
{
    [Theory]
    [InlineData("Server=a;Port=3307", "a:3307 Unknown Unknown")]
    [InlineData("Server=a,b:7", "a:3306 Unknown Unknown; b:7 Unknown Unknown")]
    public void A_data_source_that_does_not_ask_for_roles_lists_its_servers(string connectionString, string expected)
    {
        using var source = new MySqlDataSource(connectionString);
        source.TopologyChanged += static (_, _) => Assert.Fail("It never occurs.");
        Assert.False(source.Topology.IsWatched);
        Assert.Null(source.Topology.Primary);
        Assert.Equal(expected, source.Topology.ToString());
        Assert.True(source.HasSuitableHost);
    }

    [Fact]
    public void Views_share_the_description()
    {
        using var source = new MySqlDataSource("Server=a,b;Topology=Auto");
        Assert.True(source.Topology.IsWatched);
        Assert.Same(source.Topology, source.Replica.Topology);
        Assert.All(source.Topology.Hosts, static host => Assert.Equal((HostState.Unknown, false), (host.State, host.IsUsable)));
        Assert.False(source.Any.HasSuitableHost);
    }
}
