using Slipstream.Core.Data;

namespace Slipstream.Core.Tests.Data;

public sealed class TransactionRetryPolicyTests
{
    [Theory]
    [InlineData(1, 0, 25), InlineData(1, 0.999, 50), InlineData(2, 0, 50), InlineData(3, 0.999, 200), InlineData(7, 0, 1000), InlineData(1000, 0.999, 2000)]
    public void Pauses_grow_to_a_limit_and_vary_by_half(int attempt, double random, int milliseconds) =>
        Assert.Equal(milliseconds, new TransactionRetryPolicy().DelayAfter(attempt, random).TotalMilliseconds, tolerance: 2);

    [Fact]
    public async Task Pauses_follow_the_clock_of_the_policy()
    {
        var clock = new HandClock();
        var policy = new TransactionRetryPolicy { TimeProvider = clock };
        var pause = policy.PauseAsync(TimeSpan.FromDays(1), TestContext.Current.CancellationToken);
        Assert.False(pause.IsCompleted);
        clock.Fire();
        await pause;
        policy.Pause(TimeSpan.Zero);
        await policy.PauseAsync(TimeSpan.Zero, TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Values_that_make_no_sense_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(static () => new TransactionRetryPolicy { MaxAttempts = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(static () => new TransactionRetryPolicy { FirstDelay = TimeSpan.FromTicks(-1) });
        Assert.Throws<ArgumentOutOfRangeException>(static () => new TransactionRetryPolicy { MaxDelay = TimeSpan.FromDays(2) });
        Assert.Throws<ArgumentNullException>(static () => new TransactionRetryPolicy { TimeProvider = null! });
    }

    private sealed class HandClock : TimeProvider
    {
        private Action? _fire;

        public void Fire() => _fire!();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            _fire = () => callback(state);
            return new NoTimer();
        }

        private sealed class NoTimer : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period) => true;

            public void Dispose()
            {
                // Nothing runs.
            }

            public ValueTask DisposeAsync() => default;
        }
    }
}
