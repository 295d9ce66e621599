using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Tests;

public class VariantTests
{
    private static readonly Track Track = new(ServerKind.MySql, "9.7", "localhost", 3306, "u", "p", "race", Settings.Seed);
    private static readonly Scenario Scalar = Catalogue.All(1).Single(scenario => scenario.Name == "ExecuteScalar");

    [Fact]
    public void Is_a_name_and_options()
    {
        var variant = Variant.Parse("text=AutoPrepare=Off;ResetMode=Never");

        Assert.Equal("Slipstream text", variant.ContestantName);
        var text = ConnectionStrings.For(variant.ContestantName, Track, Scalar, 0, variant.Options);
        Assert.Contains("autoprepare=Off", text, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("resetmode=Never", text, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Its_options_win_over_the_settings() =>
        Assert.Contains(
            "ConnectionReset=true", ConnectionStrings.For("Slipstream reset", Track, Scalar, 0, "connectionreset=true"), StringComparison.OrdinalIgnoreCase);

    [Fact]
    public void May_differ_in_nothing() => Assert.Equal("", Variant.Parse("same=").Options);

    [Theory]
    [InlineData("AutoPrepare")]
    [InlineData("=AutoPrepare=Off")]
    [InlineData("text=AutoPrepare")]
    public void Another_shape_is_refused(string text) => Assert.Throws<RequestException>(() => Variant.Parse(text));

    [Fact]
    public void Two_of_one_name_are_refused() => Assert.Throws<RequestException>(() => Variant.ParseAll(["a=X=1", "b=X=2", "A=X=3"]));
}
