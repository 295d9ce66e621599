using Slipstream.Core.Conversations;
using Slipstream.Core.Tests.Fakes;

namespace Slipstream.Core.Tests.Wires;

public class SignalTests
{
    [Fact]
    public async Task Wakes_blocking_and_asynchronous_waiters_alike()
    {
        var signal = new Signal();
        var blocking = Eventually.OnThread(signal.Wait);
        var bounded = Eventually.OnThread(() => signal.Wait(30_000));
        var asynchronous = signal.WaitAsync().AsTask();
        // Waits that ignored the signal would end within this time.
        await Task.Delay(10);
        Assert.False(blocking.IsCompleted || bounded.IsCompleted || asynchronous.IsCompleted);

        signal.Set();

        await blocking;
        Assert.True(await bounded);
        await asynchronous;
    }

    [Fact]
    public void Stays_set()
    {
        var signal = new Signal();
        signal.Set();
        signal.Set();
        signal.Wait();
        Assert.True(signal.Wait(0));
        Assert.True(signal.WaitAsync().IsCompletedSuccessfully);
        Assert.True(signal.IsSet);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(30)]
    public void Says_that_the_time_ran_out(int milliseconds) => Assert.False(new Signal().Wait(milliseconds));
}
