using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class AdaptiveSpinTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromMicroseconds(60);

    [Fact]
    public void One_peer_that_answers_soon_is_looked_for()
    {
        var spin = new AdaptiveSpin(2);
        Assert.Equal(TimeSpan.Zero, spin.SpinTime);
        Hear(spin, 100, Soon);
        Assert.InRange(spin.SpinTime, Soon, AdaptiveSpin.Longest);
    }

    [Fact]
    public void With_one_processor_never()
    {
        var spin = new AdaptiveSpin(1);
        Hear(spin, 100, Soon);
        Assert.Equal(TimeSpan.Zero, spin.SpinTime);
    }

    [Fact]
    public void A_second_peer_ends_it_until_one_is_alone_again()
    {
        var spin = new AdaptiveSpin(2);
        Hear(spin, 100, Soon);
        spin.RecordAnswer(2, Soon);
        Assert.Equal(TimeSpan.Zero, spin.SpinTime);
        Hear(spin, AdaptiveSpin.MinConsecutive + 1, Soon);
        Assert.NotEqual(TimeSpan.Zero, spin.SpinTime);
    }

    [Fact]
    public void Slow_answers_are_slept_for()
    {
        var spin = new AdaptiveSpin(2);
        Hear(spin, 100, AdaptiveSpin.Longest * 2);
        Assert.Equal(TimeSpan.Zero, spin.SpinTime);
        Hear(spin, 100, Soon);
        Assert.NotEqual(TimeSpan.Zero, spin.SpinTime);
    }

    [Fact]
    public void Who_lost_the_processor_is_modest_for_a_while()
    {
        var spin = new AdaptiveSpin(2);
        Hear(spin, 100, Soon);
        Assert.False(spin.WasPreempted(AdaptiveSpin.Preempted / 2));
        Assert.NotEqual(TimeSpan.Zero, spin.SpinTime);
        Assert.True(spin.WasPreempted(AdaptiveSpin.Preempted * 2));
        Assert.Equal(TimeSpan.Zero, spin.SpinTime);
        Hear(spin, 10_000, Soon);
        Assert.NotEqual(TimeSpan.Zero, spin.SpinTime);
    }

    private static void Hear(AdaptiveSpin spin, int times, TimeSpan after)
    {
        for (var i = 0; i < times; i++)
            spin.RecordAnswer(1, after);
    }
}
