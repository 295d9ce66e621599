namespace Slipstream.Lab.Tests;

/// <summary>The parts of clusters that need no server.</summary>
public sealed class ClusterKindTests
{
    [Fact]
    public void Each_cluster_has_a_word_of_its_own_that_no_server_has()
    {
        foreach (var kind in ClusterKinds.All)
        {
            Assert.True(ClusterKinds.TryParse(kind.Word(), out var read));
            Assert.Equal(kind, read);
            Assert.False(ServerKinds.TryParse(kind.Word(), out _));
        }

        Assert.Equal(Enum.GetValues<ClusterKind>().Order(), ClusterKinds.All.Order());
        Assert.False(ClusterKinds.TryParse("postgresql", out _));
    }

    [Fact]
    public void Ports_inside_of_clusters_are_different_and_never_those_of_servers()
    {
        var ports = FreePort.ChooseInside(20);
        Assert.Equal(20, ports.Distinct().Count());
        Assert.All(ports, static port => Assert.InRange(port, 30_000, 32_000));
        for (var i = 0; i < 50; i++)
            Assert.InRange(FreePort.Choose(), 20_000, 29_999);
    }

    [Fact]
    public void A_connection_string_with_several_servers_has_all_addresses_and_one_login()
    {
        var first = new ServerSettings(ServerKind.PostgreSql, "127.0.0.1", 20_001, "me", "secret", "test");
        var text = ServerSettings.ToConnectionString([first, first with { Port = 20_002 }, first with { Port = 20_003 }]);
        Assert.Equal("Host=127.0.0.1:20001,127.0.0.1:20002,127.0.0.1:20003;Username=me;Password=secret;Database=test", text);
        Assert.Equal("Host=127.0.0.1;Port=20001;Username=me;Password=secret;Database=test", first.ToConnectionString());
    }

    [Theory]
    [InlineData("seqno:   -1\nsafe_to_bootstrap: 0\n", true)]
    [InlineData("seqno:   17\nsafe_to_bootstrap: 0\n", false)]
    [InlineData("uuid:    00000000-0000-0000-0000-000000000000\n", false)]
    public void A_galera_node_that_was_killed_lacks_its_position(string state, bool lacks) => Assert.Equal(lacks, GaleraRecipe.LacksPosition(state));

    [Theory]
    [InlineData("[Note] WSREP: Recovered position: 6a93e0c3-ebfe-11f1-b3f8-9ec977e53b70:3\n", "6a93e0c3-ebfe-11f1-b3f8-9ec977e53b70:3")]
    [InlineData("x\n[Note] WSREP: Recovered position: 6a93e0c3-ebfe-11f1-b3f8-9ec977e53b70:3,0-1-2\ny", "6a93e0c3-ebfe-11f1-b3f8-9ec977e53b70:3")]
    [InlineData("[Note] WSREP: Recovered position: 00000000-0000-0000-0000-000000000000:-1\n", null)]
    [InlineData("[ERROR] mariadbd got signal 11", null)]
    public void The_recovered_position_is_found_in_the_server_s_output(string output, string? position) =>
        Assert.Equal(position, GaleraRecipe.FindPosition(output));
}
