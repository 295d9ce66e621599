using Slipstream.Core.Pooling;
using Slipstream.Core.Tests.Fakes;

namespace Slipstream.Core.Tests.Pooling;

/// <summary>The decisions of the state machine, event by event. The schedules test the possible orders of events.</summary>
public class PoolStateTests
{
    [Fact]
    public void No_more_sessions_than_allowed_may_be_opened()
    {
        var state = State(new PoolLimits(MaxSize: 2));
        Assert.Equal(PoolStep.Open, state.Request().Step);
        Assert.Equal(PoolStep.Open, state.Request().Step);
        Assert.Equal(PoolStep.Wait, state.Request().Step);
        state.OpenFailed(0);
        Assert.Equal(PoolStep.Open, state.Request().Step);
        Assert.Equal(2, state.Total);
    }

    [Fact]
    public void No_more_sessions_than_allowed_are_opened_at_the_same_time()
    {
        var state = State(new PoolLimits(MaxSize: 100) { MaxOpening = 2 });
        Assert.Equal(PoolStep.Open, state.Request().Step);
        Assert.Equal(PoolStep.Open, state.Request().Step);
        Assert.Equal(PoolStep.Wait, state.Request().Step);
        state.Opened(Session(0, 0));
        Assert.Equal(PoolStep.Open, state.Request().Step);
        Assert.Equal(PoolStep.Wait, state.Request().Step);
        state.OpenFailed(0);
        Assert.Equal(PoolStep.Open, state.Request().Step);
        Assert.Equal((3, 2), (state.Total, state.Opening));
    }

    [Theory]
    [InlineData(1, 4)]
    [InlineData(100, 12)]
    [InlineData(1000, 125)]
    public void A_member_of_a_cluster_gets_an_eighth_of_its_sessions_at_a_time(int maximum, int expected) =>
        Assert.Equal(expected, new PoolLimits(MaxSize: maximum).OfMember().MaxOpening);

    [Fact]
    public void Asking_in_parallel_never_passes_the_limit()
    {
        var state = State(new PoolLimits(MaxSize: 100));
        var got = 0;
        Parallel.For(0, 1000, _ =>
        {
            if (state.Request().Step == PoolStep.Open)
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
        var state = State(new PoolLimits(IdleTimeout: 1000));
        state.Request();
        Assert.Equal(expected, state.FindCloseReason(Session(0, 5000 - idle), 5000));
    }

    [Fact]
    public void The_minimum_stays_however_idle()
    {
        var state = State(new PoolLimits(MinSize: 1, IdleTimeout: 1000));
        state.Request();
        Assert.Null(state.FindCloseReason(Session(0, 0), 1_000_000));
        state.Request();
        Assert.Equal(CloseReason.IdleTooLong, state.FindCloseReason(Session(0, 0), 1_000_000));
    }

    [Theory]
    [InlineData(5000)]
    [InlineData(5001)]
    [InlineData(987_654)]
    public void A_lifetime_ends_within_its_last_tenth_by_jitter(long openedAt)
    {
        var state = State(new PoolLimits(IdleTimeout: 0, Lifetime: 1000));
        var end = openedAt + 1000 - (long)(100 * PoolState.Jitter(openedAt));
        Assert.InRange(end, openedAt + 900, openedAt + 1000);
        Assert.Null(state.FindCloseReason(Session(openedAt, end - 1), end - 1));
        Assert.Equal(CloseReason.TooOld, state.FindCloseReason(Session(openedAt, end), end));
    }

    [Fact]
    public void Without_limits_nothing_goes() =>
        Assert.Null(State(new PoolLimits(IdleTimeout: 0, Lifetime: 0)).FindCloseReason(Session(0, 0), long.MaxValue / 2));

    [Fact]
    public void The_servers_own_limit_is_kept_a_tenth_early_even_below_the_minimum()
    {
        var state = State(new PoolLimits(MinSize: 10, IdleTimeout: 0) { ServerIdleLimit = 1000 });
        Assert.Null(state.FindCloseReason(Session(0, 0), 899));
        Assert.Equal(CloseReason.ServerIdleLimit, state.FindCloseReason(Session(0, 0), 900));
    }

    [Fact]
    public void Clearing_makes_earlier_generations_go()
    {
        var state = State(new PoolLimits());
        var session = Session(0, 0);
        state.Clear();
        Assert.Equal(CloseReason.Cleared, state.FindCloseReason(session, 0));
        session.Generation = state.Generation;
        Assert.Null(state.FindCloseReason(session, 0));
    }

    [Fact]
    public void Reserves_what_is_missing_below_the_minimum_and_no_more()
    {
        var state = State(new PoolLimits(MinSize: 2));
        Assert.True(state.TryReserveMissing());
        Assert.True(state.TryReserveMissing());
        Assert.False(state.TryReserveMissing());
        Assert.False(state.IsBelowMinimum);
    }

    private static FakePooledSession Session(long openedAt, long changedAt) => new(1, asynchronous: false) { OpenedAt = openedAt, ChangedAt = changedAt };

    private static PoolState State(PoolLimits limits) => new(limits, new Nobody());

    private sealed class Nobody : IPoolOwner
    {
        public void Execute(in PoolAction action) => Assert.Fail("Nothing is to be carried out.");
    }
}
