using Slipstream.Race.Measuring;

namespace Slipstream.Race.Tests;

public class SlicesTests
{
    [Theory]
    [InlineData(1_000, 8, 1, 8)]
    [InlineData(1_003, 8, 1, 8)]
    [InlineData(3, 8, 1, 3)]
    [InlineData(1, 8, 1, 1)]
    [InlineData(1_000, 4, 64, 4)]
    [InlineData(200, 4, 64, 3)]
    [InlineData(64, 4, 64, 1)]
    [InlineData(2_000_000, 8, 1, 8)]
    public void The_slices_of_a_round_have_all_its_operations(int count, int most, int least, int slices)
    {
        var sizes = Slices.Of(count, most, least);

        Assert.Equal(slices, sizes.Length);
        Assert.Equal(count, sizes.Sum());
        Assert.True(sizes.Max() - sizes.Min() <= 1);
        Assert.True(sizes.Min() >= least);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    public void Every_contestant_runs_once_in_each_slice(int contestants)
    {
        for (var round = 0; round < 3; round++)
        {
            for (var slice = 0; slice < 8; slice++)
                Assert.Equal(Enumerable.Range(0, contestants), Order(round, slice, contestants).Order());
        }
    }

    [Fact]
    public void Slices_go_forwards_and_backwards_in_turn()
    {
        Assert.Equal([0, 1, 2], Order(0, 0, 3));
        Assert.Equal([2, 1, 0], Order(0, 1, 3));
        Assert.Equal([1, 2, 0], Order(0, 2, 3));
        Assert.Equal([0, 2, 1], Order(0, 3, 3));
        Assert.Equal([1, 2, 0], Order(1, 0, 3));
    }

    [Fact]
    public void Nobody_always_follows_the_same_contestant()
    {
        var before = Enumerable.Range(0, 8).Select(slice => Order(0, slice, 4)).Select(order => order.IndexOf(2) is > 0 and var place ? order[place - 1] : -1);

        Assert.True(before.Distinct().Count() > 2);
    }

    [Fact]
    public void A_round_is_the_sum_of_its_slices()
    {
        var sample = Sample.Of(4, [new Lap(10, 1_000, 400, 800, 1, [1, 9, 3]), new Lap(30, 5_000, 600, 0, 0, [5, 7])]);

        Assert.Equal((4, 40), (sample.Round, sample.Count));
        Assert.Equal((150, 25, 20), (sample.Wall, sample.Cpu, sample.Allocated));
        Assert.Equal(1, sample.Gen0);
        Assert.Equal((5, 7), (sample.P50, sample.P99));
    }

    [Fact]
    public void Figures_of_another_process_have_no_collections_and_no_latencies()
    {
        var sample = Sample.Of(0, [new Lap(1, 10, 10, 10, null, []), new Lap(1, 10, 10, 10, 1, [])]);

        Assert.Null(sample.Gen0);
        Assert.Null(sample.P50);
    }

    private static List<int> Order(int round, int slice, int contestants) =>
        [.. Enumerable.Range(0, contestants).Select(turn => Slices.Contestant(round, slice, turn, contestants))];
}
