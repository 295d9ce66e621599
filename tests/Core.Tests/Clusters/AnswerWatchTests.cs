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
        Assert.False(_watch.IsQuiet(0, isWaiting: false, 1000));
        Assert.Equal(Clock.Never, _watch.NextLookAt);
    }

    [Fact]
    public void A_server_that_answers_is_looked_at_again_and_is_not_quiet()
    {
        for (var i = 1; i < 100; i++)
        {
            Assert.False(_watch.IsQuiet(i, isWaiting: i % 2 == 0, i * AnswerWatch.Patience));
            Assert.Equal(i * AnswerWatch.Patience + 50, _watch.NextLookAt);
        }
    }

    [Fact]
    public void A_server_that_answers_nothing_is_quiet_at_the_second_look()
    {
        Assert.False(_watch.IsQuiet(50, isWaiting: true, 1000));
        Assert.False(_watch.IsQuiet(50, isWaiting: true, 1099));
        Assert.True(_watch.IsQuiet(50, isWaiting: true, 1100));
        Assert.Equal(1150, _watch.NextLookAt);
    }

    [Fact]
    public void A_command_that_has_just_begun_is_no_reason()
    {
        Assert.False(_watch.IsQuiet(50, isWaiting: false, 1000));
        Assert.False(_watch.IsQuiet(50, isWaiting: true, 2000));
        Assert.True(_watch.IsQuiet(50, isWaiting: true, 2100));
    }

    [Fact]
    public void Long_commands_make_it_quiet_more_and_more_rarely()
    {
        List<int> quiet = [];
        for (var now = 0; now <= 5000; now += 100)
            if (_watch.IsQuiet(0, isWaiting: true, now))
                quiet.Add(now);
        Assert.Equal([100, 300, 700, 1500, 2500, 3500, 4500], quiet);
    }

    [Fact]
    public void An_answer_starts_again()
    {
        Assert.False(_watch.IsQuiet(0, isWaiting: true, 0));
        Assert.True(_watch.IsQuiet(0, isWaiting: true, 100));
        Assert.False(_watch.IsQuiet(10, isWaiting: true, 200));
        Assert.True(_watch.IsQuiet(10, isWaiting: true, 300));
    }
}
