using Slipstream.Lab;
using Slipstream.Race.Contestants;
using Slipstream.Race.Measuring;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Tests;

public class SeatingsTests
{
    private static readonly Track Track = new(ServerKind.MySql, "9.7", "localhost", 3306, "u", "p", "race", Settings.Seed);

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(5)]
    public void Every_contestant_sits_in_every_seat_equally_often(int contestants)
    {
        var seatings = Seatings.Of(Named("Fortunes"), contestants);

        for (var seat = 0; seat < contestants; seat++)
        {
            var times = Enumerable.Range(0, seatings).Select(seating => Seatings.Contestant(seating, seat, contestants)).CountBy(who => who).ToArray();
            Assert.Equal(contestants, times.Length);
            Assert.All(times, time => Assert.Equal(seatings / contestants, time.Value));
        }
    }

    [Theory]
    [InlineData("Fortunes", 2, 4)]
    [InlineData("Fortunes", 3, 6)]
    [InlineData("Fortunes", 5, 5)]
    [InlineData("FortunesLoad64", 3, 3)]
    [InlineData("Fortunes", 1, 1)]
    [InlineData("Insert600k", 3, 1)]
    [InlineData("ColdConnect", 3, 1)]
    [InlineData("FirstRow", 3, 1)]
    public void Sessions_are_opened_anew_where_they_are_kept_and_cheap(string scenario, int contestants, int seatings) =>
        Assert.Equal(seatings, Seatings.Of(Named(scenario), contestants));

    [Theory]
    [InlineData(9, 4, 1, 3)]
    [InlineData(8, 4, 1, 2)]
    [InlineData(1, 4, 1, 1)]
    [InlineData(100, 4, 64, 64)]
    public void Each_seating_has_as_many_operations_as_the_others(int count, int seatings, int workers, int each) =>
        Assert.Equal(each, Seatings.CountOf(count, seatings, workers));

    [Fact]
    public void A_heat_opens_all_sessions_anew_in_another_order_and_counts_no_operation_that_settles_them()
    {
        const int Rounds = 2;
        var diary = new List<string>();
        var scenario = new Scenario("Nothing", "", _ => throw new NotSupportedException()) { Block = TimeSpan.FromMilliseconds(1), Counted = 0 };
        var cells = new[] { "A", "B" }.Select(name => new Cell(scenario, Track, Mode.Sync, new Fake(name, diary))).ToArray();

        new ScenarioRun(cells, Rounds, CancellationToken.None).Run();

        Assert.Equal([null, null], cells.Select(cell => cell.Error));
        Assert.Equal(["A", "B", "B", "A", "A", "B", "B", "A"], Entries("open "));
        Assert.Equal(["A", "B", "B", "A", "A", "B"], Entries("close ")[..6]);
        Assert.All(cells, cell => Assert.Equal(Rounds, cell.Samples.Count));
        foreach (var cell in cells)
        {
            var each = Seatings.CountOf(cell.Count, 4, 1);
            Assert.All(cell.Samples, sample => Assert.Equal(4 * each, sample.Count));
        }

        string[] Entries(string what) => [.. diary.Where(line => line.StartsWith(what, StringComparison.Ordinal)).Select(line => line[what.Length..])];
    }

    private static Scenario Named(string name) => Catalogue.All(1).Single(scenario => scenario.Name == name);

    private sealed class Fake(string name, List<string> diary) : Contestant(name, "1", Dialect.MySql)
    {
        public override Operation Create(Scenario scenario, Track track, Mode mode) => new FakeOperation(Name, diary);
    }

    private sealed class FakeOperation(string name, List<string> diary) : Operation
    {
        public override void Open() => diary.Add("open " + name);

        public override void Run(int count) => Thread.SpinWait(count);

        public override Task RunAsync(int count) => throw new NotSupportedException();

        protected override void Close() => diary.Add("close " + name);
    }
}
