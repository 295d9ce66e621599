using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class SurplusPatienceTests
{
    private readonly SurplusPatience _patience = new();

    [Fact]
    public void A_thread_leaves_early_if_none_was_needed_again()
    {
        _patience.Needed(now: 0);
        Assert.Equal(SurplusPatience.Shortest, _patience.Milliseconds);
        _patience.Left(now: 200);
        _patience.Needed(now: 200 + SurplusPatience.Soon);
        Assert.Equal(SurplusPatience.Shortest, _patience.Milliseconds);
    }

    [Fact]
    public void Threads_that_are_needed_again_soon_stay_longer_each_time_up_to_a_limit()
    {
        var now = 0L;
        List<long> times = [];
        for (var i = 0; i < 8; i++)
        {
            _patience.Left(now += 10);
            _patience.Needed(now += 20);
            times.Add(_patience.Milliseconds);
        }

        Assert.Equal([40, 80, 160, 320, 640, 1280, SurplusPatience.Longest, SurplusPatience.Longest], times);
        _patience.Left(now);
        _patience.Needed(now + SurplusPatience.Soon);
        Assert.Equal(SurplusPatience.Shortest, _patience.Milliseconds);
    }
}
