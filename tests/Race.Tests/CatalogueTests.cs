using Slipstream.Race.Contestants;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Tests;

public class CatalogueTests
{
    private static readonly string[] Published =
    [
        "OpenFromPool", "OpenFromPoolNew", "OpenQueryClose", "ExecuteScalar", "ExecuteScalarKept", "ExecuteScalarTyped", "ExecuteScalarPrepared", "ReadBlobs",
        "ReadBlobsFetched", "ManyRows", "ReadBlobs20M", "Insert600k", "Parameters30000", "Fortunes", "FortunesLoad16", "FortunesLoad64",
        "FortunesLoad32Threads",
        "Typed100k", "Typed100kPrepared", "FirstRow", "ColdConnect", "PrepareOnce", "BeginSelectCommit", "Batch100", "Batch100Reads", "InsertPipelined",
        "InsertBatch",
        "Bulk600k", "Stream1GiB", "ColdConnectTls", "ColdConnectTlsResumed", "FortunesLoad256", "OpenQueryCloseLoad16", "OpenQueryCloseLoad64",
        "OpenQueryCloseLoad256", "OpenQueryCloseLoad32Threads", "InsertBarriers", "CopyImport1M", "CopyExport1M", "ReadArray1000", "WriteArray1000", "ReadJson",
        "ReadJsonDocument", "ReadJsonObject", "WriteJson", "WriteJsonDocument", "WriteJsonObject", "FortunesLoad64Prepared", "OpenQueryCloseLoad64Prepared",
    ];

    private static readonly string[] Names = [.. Catalogue.All(1).Select(scenario => scenario.Name)];

    [Fact]
    public void Has_every_published_scenario_under_its_name() => Assert.Empty(Published.Except(Names));

    [Fact]
    public void Has_each_name_once() => Assert.Equal(Names.Length, Names.Distinct().Count());

    [Fact]
    public void The_standard_and_the_quick_set_are_scenarios()
    {
        Assert.Equal(8, Catalogue.Standard.Length);
        Assert.Empty(Catalogue.Standard.Concat(Catalogue.Quick).Except(Names));
    }

    [Fact]
    public void Scale_shortens_the_insert_race() =>
        Assert.Equal(20_000, Catalogue.All(0.1).Single(scenario => scenario.Name == "Insert600k").Count);

    [Theory]
    [InlineData("Mine=/path/Mine.dll", null, nameof(Dialect.MySql))]
    [InlineData("Mine=/path/Mine.dll,Mine.Factory", "Mine.Factory", nameof(Dialect.MySql))]
    [InlineData("Mine=/path/Mine.dll,,postgresql", null, nameof(Dialect.PostgreSql))]
    public void A_peer_is_given_by_name_assembly_factory_and_dialect(string text, string? factory, string dialect)
    {
        var peer = PeerOption.Parse(text);

        Assert.Equal(("Mine", "/path/Mine.dll", factory, dialect), (peer.Name, peer.Path, peer.FactoryType, peer.Dialect.ToString()));
    }

    [Theory]
    [InlineData("Mine")]
    [InlineData("=/path/Mine.dll")]
    [InlineData("Mine=/path/Mine.dll,F,oracle")]
    public void A_peer_of_another_shape_is_refused(string text) => Assert.Throws<PeerException>(() => PeerOption.Parse(text));
}
