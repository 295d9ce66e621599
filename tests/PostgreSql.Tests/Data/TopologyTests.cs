using Slipstream.Core.Topology;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>The servers of data sources that have opened no connection.</summary>
public class TopologyTests
{
    [Theory]
    [InlineData("Host=a;Port=5433", "a:5433 Unknown Unknown")]
    [InlineData("Host=a,b:7", "a:5432 Unknown Unknown; b:7 Unknown Unknown")]
    public void A_data_source_that_does_not_ask_for_roles_lists_its_servers(string connectionString, string expected)
    {
        using var source = PgDataSource.Create(connectionString);
        source.TopologyChanged += static (_, _) => Assert.Fail("It never occurs.");
        Assert.False(source.Topology.IsWatched);
        Assert.Null(source.Topology.Primary);
        Assert.Equal(expected, source.Topology.ToString());
        Assert.True(source.HasSuitableHost);
    }

    [Fact]
    public void Views_share_the_description()
    {
        using var source = new PgDataSourceBuilder("Host=a,b").BuildMultiHost();
        Assert.True(source.Topology.IsWatched);
        Assert.Same(source.Topology, source.Replica.Topology);
        Assert.All(source.Topology.Hosts, static host => Assert.Equal((HostState.Unknown, false), (host.State, host.IsUsable)));
        Assert.False(source.Any.HasSuitableHost);
    }
}
