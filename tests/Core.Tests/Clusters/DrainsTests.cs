using Slipstream.Core.Clusters;

namespace Slipstream.Core.Tests.Clusters;

/// <summary>When the sessions of retired servers are ended.</summary>
public class DrainsTests
{
    private readonly Drains _drains = new();

    [Fact]
    public void Without_a_retirement_no_session_is_ended() => Assert.Null(_drains.Take(long.MaxValue));

    [Fact]
    public void Sessions_are_ended_once_when_their_time_is_over()
    {
        _drains.Add(1, 6000);
        Assert.Null(_drains.Take(5999));
        Assert.Equal(1, _drains.Take(6000));
        Assert.Null(_drains.Take(7000));
    }

    [Fact]
    public void Sessions_of_a_later_retirement_have_their_whole_time()
    {
        _drains.Add(1, 6000);
        _drains.Add(2, 10_000);
        Assert.Equal(1, _drains.Take(6500));
        Assert.Null(_drains.Take(9999));
        Assert.Equal(2, _drains.Take(10_000));
    }

    [Fact]
    public void Of_two_times_that_are_over_the_later_retirement_counts()
    {
        _drains.Add(1, 6000);
        _drains.Add(2, 7000);
        Assert.Equal(2, _drains.Take(8000));
    }

    [Fact]
    public void A_server_that_is_retired_again_and_again_ends_all_sessions_in_time()
    {
        for (var i = 1; i <= 1000; i++)
            _drains.Add(i, 6000 + i);
        Assert.Equal(1000, _drains.Take(7000));
        Assert.Null(_drains.Take(long.MaxValue));
    }
}
