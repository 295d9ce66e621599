using Slipstream.Core.Clusters;
using Slipstream.Core.Time;

namespace Slipstream.Core.Tests.Clusters;

/// <summary>How a server is noticed that answers no command.</summary>
public class AnswerWatchTests
{
    private readonly AnswerWatch _watch = new();

    [Fact]
    public void A_server_without_commands_is_not_looked_at_again()
    {
        Assert.False(IsQuiet(0, isWaiting: false, 1000));
        Assert.Equal(Clock.Never, _watch.NextLookAt);
    }

    [Fact]
    public void A_server_that_answers_is_looked_at_again_and_is_not_quiet()
    {
        for (var i = 1; i < 100; i++)
        {
            Assert.False(IsQuiet(i, isWaiting: i % 2 == 0, i * 100));
            Assert.Equal(i * 100 + 20, _watch.NextLookAt);
        }
    }

    [Fact]
    public void A_server_that_answers_nothing_is_quiet()
    {
        Assert.False(IsQuiet(50, isWaiting: true, 1000));
        Assert.False(IsQuiet(50, isWaiting: true, 1059));
        Assert.True(IsQuiet(50, isWaiting: true, 1060));
        Assert.Equal(1080, _watch.NextLookAt);
    }

    [Fact]
    public void A_command_that_has_just_begun_is_no_reason()
    {
        Assert.False(IsQuiet(50, isWaiting: false, 1000));
        Assert.False(IsQuiet(50, isWaiting: true, 2000));
        Assert.True(IsQuiet(50, isWaiting: true, 2060));
    }

    [Fact]
    public void Long_commands_make_it_quiet_more_and_more_rarely()
    {
        List<int> quiet = [];
        for (var now = 0; now <= 5000; now += 20)
            if (IsQuiet(0, isWaiting: true, now))
                quiet.Add(now);
        Assert.Equal([60, 180, 420, 900, 1860, 2860, 3860, 4860], quiet);
    }

    [Fact]
    public void An_answer_starts_again()
    {
        Assert.False(IsQuiet(0, isWaiting: true, 0));
        Assert.True(IsQuiet(0, isWaiting: true, 60));
        Assert.False(IsQuiet(10, isWaiting: true, 60));
        Assert.True(IsQuiet(10, isWaiting: true, 180));
    }

    [Fact]
    public void Where_commands_usually_take_long_it_takes_longer()
    {
        var (now, received) = (0, 0);
        for (var command = 0; command < 10; command++)
        {
            for (var waited = 0; waited < 200; waited += 20)
                Assert.Equal(command == 0 && waited is 60 or 180, IsQuiet(received, isWaiting: true, now + waited));
            now += 200;
            received++;
        }

        Assert.False(IsQuiet(received, isWaiting: true, now));
        Assert.False(IsQuiet(received, isWaiting: true, now + 399));
        Assert.True(IsQuiet(received, isWaiting: true, now + 400));
    }

    [Fact]
    public void One_long_command_is_forgotten_after_many_short_ones()
    {
        Assert.False(IsQuiet(0, isWaiting: true, 0));
        Assert.False(IsQuiet(1, isWaiting: true, 400));
        var now = 400;
        for (var i = 2; i < 500; i++)
            Assert.False(IsQuiet(i, isWaiting: true, now += 20));
        Assert.True(IsQuiet(499, isWaiting: true, now + 60));
    }

    [Fact]
    public void A_distant_server_has_the_time_of_two_round_trips()
    {
        Assert.False(_watch.IsQuiet(50, isWaiting: true, 150, 1000));
        Assert.False(_watch.IsQuiet(50, isWaiting: true, 150, 1299));
        Assert.True(_watch.IsQuiet(50, isWaiting: true, 150, 1300));
    }

    private bool IsQuiet(long received, bool isWaiting, long now) => _watch.IsQuiet(received, isWaiting, 1, now);
}
