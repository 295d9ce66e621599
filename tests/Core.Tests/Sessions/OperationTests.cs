using Slipstream.Core.Conversations;
using Slipstream.Core.Time;

namespace Slipstream.Core.Tests.Sessions;

public class OperationTests
{
    private readonly Operation _operation = new();

    [Fact]
    public void Begins_and_ends()
    {
        Assert.False(_operation.IsRunning);
        _operation.Begin(1000);
        Assert.True(_operation.IsRunning);
        Assert.Equal(1, _operation.Number);
        Assert.InRange(_operation.Due, Clock.Now, Clock.Now + 1000);
        Assert.True(_operation.End());
        Assert.False(_operation.IsRunning);
        Assert.Equal(Clock.Never, _operation.Due);
        Assert.True(_operation.End());
    }

    [Fact]
    public void Without_a_limit_there_is_no_deadline()
    {
        _operation.Begin(0);
        Assert.Equal(Clock.Never, _operation.Due);
    }

    [Fact]
    public void An_interruption_that_comes_after_the_end_does_nothing()
    {
        _operation.Begin(0);
        var number = _operation.Number;
        _operation.End();
        Assert.False(_operation.TryInterrupt(number, Interruption.Asked));
        _operation.Begin(0);
        Assert.False(_operation.TryInterrupt(number, Interruption.Asked));
        Assert.Equal(Interruption.None, _operation.Interruption);
        Assert.True(_operation.End());
    }

    [Fact]
    public void Only_the_first_interruption_counts_and_must_be_settled()
    {
        _operation.Begin(0);
        Assert.True(_operation.TryInterrupt(1, Interruption.Canceled));
        Assert.False(_operation.TryInterrupt(1, Interruption.TimedOut));
        Assert.Equal(Interruption.Canceled, _operation.Interruption);
        Assert.False(_operation.End());
        Assert.True(_operation.IsRunning);
        _operation.Drained();
        Assert.False(_operation.IsRunning);
        Assert.Equal(Interruption.Canceled, _operation.Interruption);
        _operation.Begin(0);
        Assert.Equal((2, Interruption.None), (_operation.Number, _operation.Interruption));
    }

    [Theory]
    [InlineData(nameof(Interruption.TimedOut))]
    [InlineData(nameof(Interruption.Canceled))]
    [InlineData(nameof(Interruption.Asked))]
    [InlineData(nameof(Interruption.Abandoned))]
    public void The_reason_comes_with_the_interruption_and_stays_until_the_next_operation(string name)
    {
        var reason = Enum.Parse<Interruption>(name);
        for (var number = 1; number < 10; number++)
        {
            _operation.Begin(1000);
            Assert.Equal((number, Interruption.None, true), (_operation.Number, _operation.Interruption, _operation.IsRunning));
            Assert.True(_operation.TryInterrupt(number, reason));
            Assert.Equal((number, reason, true), (_operation.Number, _operation.Interruption, _operation.IsRunning));
            Assert.Equal(Clock.Never, _operation.Due);
            _operation.Drained();
            Assert.Equal((number, reason, false), (_operation.Number, _operation.Interruption, _operation.IsRunning));
        }
    }

    [Fact]
    public void Whoever_ends_and_whoever_interrupts_always_agree()
    {
        const int Rounds = 50_000;
        var interrupted = new bool[Rounds + 1];
        var ended = new bool[Rounds + 1];
        var current = 0L;
        var done = false;
        var interrupter = new Thread(() =>
        {
            while (!Volatile.Read(ref done))
            {
                var number = Volatile.Read(ref current);
                if (number > 0 && _operation.TryInterrupt(number, Interruption.Asked))
                {
                    if (interrupted[number])
                        throw new InvalidOperationException("interrupted twice");
                    interrupted[number] = true;
                }
            }
        });
        interrupter.Start();
        for (var i = 1; i <= Rounds; i++)
        {
            _operation.Begin(0);
            Volatile.Write(ref current, i);
            for (var spin = i % 40; spin > 0; spin--)
                Thread.SpinWait(1);
            ended[i] = _operation.End();
            if (!ended[i])
                _operation.Drained();
        }

        Volatile.Write(ref done, true);
        interrupter.Join();
        for (var i = 1; i <= Rounds; i++)
            Assert.True(interrupted[i] != ended[i], $"operation {i}: interrupted {interrupted[i]}, ended {ended[i]}");
    }
}
