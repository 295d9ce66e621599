using Slipstream.ScaleModel.Measuring;

namespace Slipstream.ScaleModel.Tests;

public class HistogramTests
{
    [Fact]
    public void A_share_of_the_times_is_found_within_four_per_cent()
    {
        var histogram = new Histogram();
        for (var microseconds = 1; microseconds <= 10_000; microseconds++)
            histogram.Add(microseconds * 10);

        Assert.InRange(histogram.At(0.5), 5000, 5200);
        Assert.InRange(histogram.At(0.99), 9900, 10_300);
        Assert.Equal(10_000, histogram.Count);
    }

    [Fact]
    public void Sums_contain_all_times()
    {
        Histogram one = new(), other = new();
        one.Add(10);
        other.Add(1000);
        one.Add(other);

        Assert.Equal(2, one.Count);
        Assert.InRange(one.At(0.99), 100, 104);
        one.Clear();
        Assert.Equal(0, one.Count);
    }
}
