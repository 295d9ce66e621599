using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Measuring;
using Slipstream.Race.Report;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Tests;

public class CellTests
{
    private static readonly Scenario ManyRows = Catalogue.All(1).Single(scenario => scenario.Name == "ManyRows");
    private static readonly Track Track = new(ServerKind.MySql, "9.7", "localhost", 3306, "u", "p", "race", Settings.Seed);

    [Fact]
    public void Figures_are_medians_and_quartiles_over_the_rounds()
    {
        var cell = Raced("Peer", 50, 10, 40, 20, 30);

        Assert.Equal(30, cell.Median(sample => sample.Wall));
        Assert.Equal(20, cell.Quantile(sample => sample.Wall, 0.25));
        Assert.Equal(40, cell.Quantile(sample => sample.Wall, 0.75));
    }

    [Fact]
    public void A_ratio_is_the_median_of_the_ratios_within_a_round()
    {
        var slipstream = Raced(Contestant.SlipstreamName, 10, 100, 20);
        var peer = Raced("Peer", 20, 100, 60);

        var rows = ReportRow.From([slipstream, peer], TimeSpan.Zero);

        Assert.Null(rows[0].WallRatio);
        Assert.Equal(2, rows[1].WallRatio);
        // The medians themselves are 20 and 60: their quotient is a different number, which must not appear anywhere.
        Assert.Equal(3, rows[1].WallMicroseconds / rows[0].WallMicroseconds);
    }

    [Fact]
    public void Without_a_sample_there_is_no_figure()
    {
        var cell = Raced("Peer");
        cell.Error = "refused";

        var row = Assert.Single(ReportRow.From([cell], TimeSpan.Zero));

        Assert.Null(row.WallMicroseconds);
        Assert.Null(row.WallQuartiles);
        Assert.Null(row.Gen0Per1000);
        Assert.Equal("refused", row.Error);
    }

    [Fact]
    public void A_lonely_synchronous_caller_is_compared_with_one_that_is_pinned_as_it_is()
    {
        var rows = ReportRow.From(
            [Raced("Slipstream", 1), Raced("Peer", 2), Raced("Slipstream", isPinned: true, 10), Raced("Peer", isPinned: true, 40)], TimeSpan.Zero);

        Assert.Equal(["sync unpinned", "sync unpinned", "sync", "sync"], rows.Select(row => row.Mode));
        Assert.Equal([null, 2, null, 4], rows.Select(row => row.WallRatio));
    }

    private static Cell Raced(string name, params double[] walls) => Raced(name, isPinned: false, walls);

    private static Cell Raced(string name, bool isPinned, params double[] walls)
    {
        var cell = new Cell(ManyRows, Track, Mode.Sync, new Nobody(name)) { IsPinned = isPinned };
        for (var round = 0; round < walls.Length; round++)
            cell.Samples.Add(new Sample(round, 1, walls[round], walls[round], 0, 0, null, null));
        return cell;
    }

    private sealed class Nobody(string name) : Contestant(name, "1", Dialect.MySql)
    {
        public override Operation Create(Scenario scenario, Track track, Mode mode) => throw new NotSupportedException();
    }
}
