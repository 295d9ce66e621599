using Slipstream.Core.Pooling;

namespace Slipstream.Core.Tests.Pooling;

public class WaiterTests
{
    [Fact]
    public void Whoever_comes_too_late_to_give_up_finds_what_was_given()
    {
        const int Rounds = 50_000;
        var session = new object();
        BlockingWaiter<object>? current = null;
        var given = 0;
        var turn = 0;
        var giver = new Thread(() =>
        {
            for (var i = 1; i <= Rounds; i++)
            {
                while (Volatile.Read(ref turn) != i)
                    Thread.SpinWait(1);
                if (current!.TryGive(session))
                    given++;
                Volatile.Write(ref turn, -i);
            }
        });
        giver.Start();
        var taken = 0;
        for (var i = 1; i <= Rounds; i++)
        {
            using var waiter = new BlockingWaiter<object>(this);
            current = waiter;
            Volatile.Write(ref turn, i);
            Thread.SpinWait(i % 30);
            if (!waiter.TryGiveUp() && waiter.Session is not null)
                taken++;
            while (Volatile.Read(ref turn) != -i)
                Thread.SpinWait(1);
        }

        giver.Join();
        Assert.Equal(given, taken);
    }

    [Fact]
    public void Exactly_one_of_giving_failing_and_giving_up_wins()
    {
        using var given = new BlockingWaiter<object>(this);
        Assert.True(given.TryGive(null));
        Assert.False(given.TryFail(new InvalidOperationException()));
        Assert.False(given.TryGiveUp());
        Assert.Null(given.Failure);
        Assert.True(given.Wait(0));

        using var gone = new BlockingWaiter<object>(this);
        Assert.True(gone.TryGiveUp());
        Assert.False(gone.TryGive(this));
        Assert.Null(gone.Session);
        Assert.False(gone.Wait(0));
    }
}
