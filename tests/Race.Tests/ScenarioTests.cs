using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Tests;

public class ScenarioTests
{
    private static readonly Track Track = new(ServerKind.MySql, "9.7", "127.0.0.1", 3306, "u", "p", "race", Settings.Seed);

    [Fact]
    public void A_slow_scenario_has_fewer_rounds_unless_a_number_was_asked_for()
    {
        var insert = Named("Insert600k");

        Assert.Equal(1, insert.RoundsOf(asked: null, usual: 9));
        Assert.Equal(7, insert.RoundsOf(asked: 7, usual: 9));
        Assert.Equal(9, Named("ManyRows").RoundsOf(asked: null, usual: 9));
        Assert.Equal(3, Named("Typed100k").RoundsOf(asked: null, usual: 3));
    }

    [Theory]
    [InlineData("FortunesLoad64", 9)]
    [InlineData("OpenQueryCloseLoad32Threads", 9)]
    [InlineData("FortunesLoad256", 5)]
    public void The_load_that_is_quoted_has_the_usual_rounds(string scenario, int rounds) =>
        Assert.Equal(rounds, Named(scenario).RoundsOf(asked: null, usual: 9));

    [Fact]
    public void Each_server_has_a_name_of_its_own() => Assert.Distinct(Enum.GetValues<ServerKind>().Select(Track.NameOf));

    [Fact]
    public void Latency_shortens_long_loops_and_lengthens_short_blocks()
    {
        var latency = TimeSpan.FromMilliseconds(20);

        Assert.Equal(100, Named("Insert600k").At(latency).Count);
        Assert.Equal(1, Named("Bulk600k").At(latency).Count);
        Assert.Equal(TimeSpan.FromMilliseconds(320), Named("ExecuteScalar").At(latency).Block);
        Assert.Equal(10, Named("ExecuteScalar").At(latency).Counted);
        Assert.Equal(Named("ExecuteScalar").Block, Named("ExecuteScalar").At(TimeSpan.Zero).Block);
    }

    [Fact]
    public void A_full_handshake_needs_an_address_and_a_resumed_one_a_name()
    {
        var full = ConnectionStrings.For("MySqlConnector", Track, Named("ColdConnectTls"), 0, "");
        var resumed = ConnectionStrings.For("MySqlConnector", Track, Named("ColdConnectTlsResumed"), 0, "");

        Assert.Contains("127.0.0.1", full, StringComparison.Ordinal);
        Assert.Contains("localhost", resumed, StringComparison.Ordinal);
        Assert.All([full, resumed], text => Assert.Contains("SslMode=Required", text, StringComparison.OrdinalIgnoreCase));
        Assert.All([full, resumed], text => Assert.Contains("Pooling=false", text, StringComparison.OrdinalIgnoreCase));
    }

    [Fact]
    public void Only_slipstream_is_told_its_own_options()
    {
        var scenario = Named("InsertPipelined");

        Assert.Contains("BatchErrors", ConnectionStrings.For("Slipstream x", Track, scenario, 0, ""), StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("BatchErrors", ConnectionStrings.For("MySqlConnector", Track, scenario, 0, ""), StringComparison.OrdinalIgnoreCase);
        // On PostgreSQL, the option would add a Sync after each statement, which Npgsql does not send.
        var postgreSql = Track with { Server = ServerKind.PostgreSql };
        Assert.DoesNotContain("BatchErrors", ConnectionStrings.For("Slipstream x", postgreSql, scenario, 0, ""), StringComparison.OrdinalIgnoreCase);
    }

    private static Scenario Named(string name) => Catalogue.All(1).Single(scenario => scenario.Name == name);
}
