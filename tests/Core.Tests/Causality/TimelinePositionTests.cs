using Slipstream.Core.Causality;

namespace Slipstream.Core.Tests.Causality;

public class TimelinePositionTests
{
    [Fact]
    public void A_position_is_written_and_read()
    {
        var position = Position("7312345678901234567.3.16-B374D848");
        Assert.Equal("16/B374D848", position.Place);
        Assert.Equal("t.7312345678901234567.3.16-B374D848", position.ToString());
        Assert.Equal("FFFFFFFF/FFFFFFFF", Position("1.4294967295.ffffffff-ffffffff").Place);
    }

    [Theory]
    [InlineData("")]
    [InlineData("1.2")]
    [InlineData("1.2.3")]
    [InlineData("1.2.3-4.5")]
    [InlineData("1.2.3-4-5")]
    [InlineData("1.2.-4")]
    [InlineData("1.2.100000000-0")]
    [InlineData("1.4294967296.0-0")]
    [InlineData("18446744073709551616.1.0-0")]
    [InlineData("-1.1.0-0")]
    [InlineData("1.1.0/0")]
    public void Malformed_positions_are_refused(string text) => Assert.Null(TimelinePosition.Parse(text));

    [Theory]
    [InlineData("1.1.0-100", "1.1.0-100", true)]
    [InlineData("1.1.0-100", "1.1.0-101", false)]
    [InlineData("1.1.1-0", "1.1.0-FFFFFFFF", true)]
    [InlineData("1.2.0-100", "1.1.0-1", false)]
    [InlineData("1.1.0-100", "1.2.0-1", false)]
    [InlineData("2.1.0-100", "1.1.0-1", false)]
    public void A_position_covers_earlier_places_of_the_same_timeline(string server, string need, bool covers) =>
        Assert.Equal(covers, Position(server).Covers(Position(need)));

    [Theory]
    [InlineData("1.1.0-100", "1.1.0-50", "1.1.0-100")]
    [InlineData("1.1.0-100", "1.2.0-50", "1.2.0-50")]
    [InlineData("1.2.0-50", "1.1.0-100", "1.2.0-50")]
    [InlineData("1.1.0-100", "2.1.0-50", null)]
    public void The_later_timeline_wins(string one, string other, string? joined) =>
        Assert.Equal(joined is null ? "u" : "t." + joined, Position(one).Join(Position(other)).ToString());

    [Theory]
    [InlineData("1.1.0-1", "1.2.0-1", true)]
    [InlineData("1.2.0-1", "1.1.0-9", false)]
    [InlineData("1.1.0-1", "2.1.0-1", false)]
    public void A_server_may_reach_the_same_or_a_later_timeline_of_its_cluster(string server, string need, bool mayReach) =>
        Assert.Equal(mayReach, Position(server).MayReach(Position(need)));

    private static TimelinePosition Position(string text) => TimelinePosition.Parse(text) ?? throw new FormatException(text);
}
