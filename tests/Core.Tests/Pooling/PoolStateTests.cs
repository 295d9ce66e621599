using Slipstream.Core.Pooling;

namespace Slipstream.Core.Tests.Pooling;

public class PoolStateTests
{
    [Fact]
    public void No_more_sessions_than_allowed_may_be_opened()
    {
        var state = new PoolState(new PoolLimits(MaxSize: 2));
        Assert.True(state.TryReserve());
        Assert.True(state.TryReserve());
        Assert.False(state.TryReserve());
        state.Release();
        Assert.True(state.TryReserve());
        Assert.Equal(2, state.Total);
    }

    [Fact]
    public void Reserving_in_parallel_never_passes_the_limit()
    {
        var state = new PoolState(new PoolLimits(MaxSize: 100));
        var got = 0;
        Parallel.For(0, 1000, _ =>
        {
            if (state.TryReserve())
                Interlocked.Increment(ref got);
        });
        Assert.Equal((100, 100), (got, state.Total));
    }

    [Theory]
    [InlineData(0, null)]
    [InlineData(999, null)]
    [InlineData(1000, CloseReason.IdleTooLong)]
    public void A_session_goes_when_it_was_idle_too_long(long idle, CloseReason? expected)
    {
        var state = new PoolState(new PoolLimits(IdleTimeout: 1000));
        state.TryReserve();
        Assert.Equal(expected, state.MustGo(5000, 0, 5000 - idle, 0, 0));
    }

    [Fact]
    public void The_minimum_stays_however_idle()
    {
        var state = new PoolState(new PoolLimits(MinSize: 1, IdleTimeout: 1000));
        state.TryReserve();
        Assert.Null(state.MustGo(1_000_000, 0, 0, 0, 0));
        state.TryReserve();
        Assert.Equal(CloseReason.IdleTooLong, state.MustGo(1_000_000, 0, 0, 0, 0));
    }

    [Theory]
    [InlineData(0.0, 999, null)]
    [InlineData(0.0, 1000, CloseReason.TooOld)]
    [InlineData(1.0, 899, null)]
    [InlineData(1.0, 900, CloseReason.TooOld)]
    [InlineData(0.5, 949, null)]
    [InlineData(0.5, 950, CloseReason.TooOld)]
    public void A_lifetime_ends_within_its_last_tenth_by_jitter(double jitter, long age, CloseReason? expected)
    {
        var state = new PoolState(new PoolLimits(IdleTimeout: 0, Lifetime: 1000));
        Assert.Equal(expected, state.MustGo(5000 + age, 5000, 5000 + age, 0, jitter));
    }

    [Fact]
    public void Without_limits_nothing_goes() =>
        Assert.Null(new PoolState(new PoolLimits(IdleTimeout: 0, Lifetime: 0)).MustGo(long.MaxValue / 2, 0, 0, 0, 1));

    [Fact]
    public void The_servers_own_limit_is_kept_a_tenth_early_even_below_the_minimum()
    {
        var state = new PoolState(new PoolLimits(MinSize: 10, IdleTimeout: 0) { ServerIdleLimit = 1000 });
        Assert.Null(state.MustGo(899, 0, 0, 0, 0));
        Assert.Equal(CloseReason.ServerIdleLimit, state.MustGo(900, 0, 0, 0, 0));
    }

    [Fact]
    public void Clearing_makes_earlier_generations_go()
    {
        var state = new PoolState(new PoolLimits());
        state.Clear();
        Assert.Equal(CloseReason.Cleared, state.MustGo(0, 0, 0, 0, 0));
        Assert.Null(state.MustGo(0, 0, 0, state.Generation, 0));
    }

    [Fact]
    public void Says_how_many_are_missing()
    {
        var state = new PoolState(new PoolLimits(MinSize: 2));
        Assert.Equal(2, state.Missing);
        state.TryReserve();
        state.TryReserve();
        state.TryReserve();
        Assert.Equal(0, state.Missing);
    }
}
