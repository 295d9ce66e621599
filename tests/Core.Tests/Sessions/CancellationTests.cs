using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Sessions;

public sealed class CancellationTests : IDisposable
{
    private readonly MemoryTransport _memory = new();
    private FakeSession _session = null!;

    public void Dispose() => _session.Close();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_time_out_asks_the_server_and_leaves_the_session_in_sync(bool asynchronous)
    {
        Watch(new FakeSession(_memory) { OnCancel = () => _memory.Enqueue((byte)'!') });
        AnswerSwallow();
        _session.BeginQuery(100);
        Assert.Equal(Step.Completed, await Run(asynchronous));

        Assert.Equal(Interruption.TimedOut, _session.Operation.Interruption);
        Assert.Equal(1, _session.CancelsAsked);
        Assert.NotNull(_session.Exchange.Error);
        Assert.Equal("QS"u8, _memory.Sent);
        Assert.False(_session.IsBroken);
        Assert.False(_session.Operation.IsRunning);
        Assert.False(_session.IsBeingCancelled);
        await StillUsable(asynchronous);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_token_takes_the_same_steps(bool asynchronous)
    {
        Watch(new FakeSession(_memory) { OnCancel = () => _memory.Enqueue((byte)'!') });
        AnswerSwallow();
        using var source = new CancellationTokenSource();
        _session.BeginQuery();
        _session.RegisterToken(source.Token);
        var running = Run(asynchronous);
        Eventually.True(() => _memory.Receives > 0);
        Assert.False(running.IsCompleted);
        source.Cancel();
        Assert.Equal(Step.Completed, await running);
        _session.UnregisterToken();
        Assert.Equal(Interruption.Canceled, _session.Operation.Interruption);
        Assert.False(_session.IsBroken);
        await StillUsable(asynchronous);
    }

    [Fact]
    public async Task An_answer_that_beats_the_cancellation_is_an_answer_and_the_late_kill_is_swallowed()
    {
        Watch(new FakeSession(_memory));
        _memory.OnSent = (memory, sent) =>
        {
            // The kill hits the swallow command: its answer is an error, which no caller sees.
            if (sent is [(byte)'S'])
                memory.Enqueue((byte)'!');
        };
        _session.BeginQuery();
        var running = Run(false);
        _session.OnCancel = () => _memory.Enqueue((byte)'q');
        _session.Interrupt(_session.Operation.Number, Interruption.Asked);
        Assert.Equal(Step.Completed, await running);
        Assert.Null(_session.Exchange.Error);
        Assert.False(_session.IsBroken);
        await StillUsable(false);
    }

    [Fact]
    public async Task A_server_that_does_not_stop_loses_the_session_after_the_cancellation_time_out()
    {
        Watch(new FakeSession(_memory) { CancellationTimeout = 1000 });
        var began = Clock.Now;
        _session.BeginQuery(50);
        await Assert.ThrowsAsync<WireException>(() => Run(false));
        Assert.InRange(Clock.Now - began, 1040, 30_000);
        Assert.True(_session.IsBroken);
        Assert.True(_memory.IsShutDown);
        // The session asks again while the server does not stop.
        Assert.InRange(_session.CancelsAsked, 1, 8);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_that_falls_silent_behind_the_answer_loses_the_session_after_the_cancellation_time_out(bool asynchronous)
    {
        // The command is answered, but the command that absorbs a late cancellation is not.
        Watch(new FakeSession(_memory) { CancellationTimeout = 1200, OnCancel = () => _memory.Enqueue((byte)'!') });
        _session.BeginQuery(50);
        await Assert.ThrowsAsync<WireException>(() => Run(asynchronous));
        Assert.Equal("QS"u8, _memory.Sent);
        Assert.True(_session.IsBroken);
        Assert.Contains("after an interrupted operation", _session.BrokenBecause, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_server_is_not_asked_on_for_a_session_that_was_closed_under_its_command(bool hasPrefix)
    {
        Watch(new FakeSession(_memory) { CancellationTimeout = -1, NeedsReset = hasPrefix });
        _session.OnCancel = () => _session.Break("closed");
        _session.BeginQuery();
        if (hasPrefix)
            _session.Break("closed");
        _session.Interrupt(_session.Operation.Number, Interruption.Canceled);
        Assert.True(_session.Cancellation.RequestEnded.Wait(10_000), "It is still asked.");
        Assert.Equal(hasPrefix ? 0 : 1, _session.CancelsAsked);
    }

    // The interrupting thread has claimed the operation but not continued yet, when the user's thread finds it interrupted.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_settles_before_the_cancellation_has_begun_waits_for_it(bool isClosed)
    {
        Watch(new FakeSession(_memory));
        AnswerSwallow();
        _session.BeginQuery();
        Assert.True(_session.Operation.TryInterrupt(_session.Operation.Number, Interruption.Canceled));
        _memory.Enqueue((byte)'q');
        var running = Run(true);
        Eventually.True(() => _session.IsBeingCancelled);
        Assert.False(running.IsCompleted);
        if (isClosed)
            _session.Break("closed");
        _session.Cancellation.Begin();
        Assert.Equal(Step.Completed, await running);
        Assert.Equal(isClosed ? 0 : 1, _session.CancelsAsked);
        Assert.Equal(isClosed, _session.IsBroken);
        Assert.False(_session.Operation.IsRunning);
    }

    [Fact]
    public async Task Without_a_cancellation_time_out_nobody_is_asked()
    {
        Watch(new FakeSession(_memory) { CancellationTimeout = 0 });
        _session.BeginQuery(50);
        await Assert.ThrowsAsync<WireException>(() => Run(false));
        Assert.Equal(0, _session.CancelsAsked);
        Assert.True(_session.IsBroken);
    }

    [Fact]
    public async Task A_cancellation_that_cannot_be_delivered_closes_the_connection()
    {
        Watch(new FakeSession(_memory) { OnCancel = () => throw FakeFactory.Refused });
        _session.BeginQuery(50);
        await Assert.ThrowsAsync<WireException>(() => Run(false));
        Assert.True(_session.IsBroken);
        Assert.Contains("could not be asked", _session.BrokenBecause);
    }

    // The request was sent, its answer did not arrive, and the command has ended in the meantime. Whenever the request arrives, it hits the session's current
    // command.
    [Fact]
    public async Task A_cancellation_that_may_still_arrive_ends_the_session_although_its_command_has_ended()
    {
        Watch(new FakeSession(_memory));
        AnswerSwallow();
        _session.OnCancel = () =>
        {
            _memory.Enqueue((byte)'q');
            Assert.True(_session.Cancellation.OperationEnded.Wait(30_000));
            throw new WireException(WireFailure.Lost, "The answer to the cancellation did not come.");
        };
        _session.BeginQuery();
        var running = Run(false);
        _session.Interrupt(_session.Operation.Number, Interruption.Asked);
        Assert.Equal(Step.Completed, await running);
        Assert.True(_session.IsBroken);
        Assert.Contains("may still be on its way", _session.BrokenBecause);
        Assert.DoesNotContain((byte)'S', _memory.Sent);
    }

    [Fact]
    public async Task A_cancellation_that_was_never_sent_does_no_harm_when_its_command_has_ended()
    {
        Watch(new FakeSession(_memory));
        AnswerSwallow();
        _session.OnCancel = () =>
        {
            _memory.Enqueue((byte)'q');
            Assert.True(_session.Cancellation.OperationEnded.Wait(30_000));
            throw FakeFactory.Refused;
        };
        _session.BeginQuery();
        var running = Run(false);
        _session.Interrupt(_session.Operation.Number, Interruption.Asked);
        Assert.Equal(Step.Completed, await running);
        Assert.False(_session.IsBroken);
        await StillUsable(false);
    }

    [Fact]
    public async Task No_kill_is_sent_while_a_prefix_is_unanswered()
    {
        Watch(new FakeSession(_memory) { CancellationTimeout = 200, NeedsReset = true });
        _session.BeginQuery(50);
        await Assert.ThrowsAsync<WireException>(() => Run(false));
        Assert.Equal(0, _session.CancelsAsked);
        Assert.True(_session.IsBroken);
    }

    [Fact]
    public async Task Once_the_prefixes_are_answered_the_command_is_cancelled()
    {
        Watch(new FakeSession(_memory) { CancellationTimeout = 20_000, NeedsReset = true, OnCancel = () => _memory.Enqueue((byte)'!') });
        AnswerSwallow();
        _session.BeginQuery(50);
        var running = Run(false);
        Eventually.True(() => _session.Operation.Interruption == Interruption.TimedOut);
        // Some ticks of the sweeper: a cancellation would be sent at one of them.
        await Task.Delay(3 * Deadlines.TickMilliseconds);
        Assert.Equal(0, _session.CancelsAsked);
        _memory.Enqueue((byte)'r');
        Assert.Equal(Step.Completed, await running);
        Assert.Equal(1, _session.CancelsAsked);
        Assert.False(_session.IsBroken);
        await StillUsable(false);
    }

    [Fact]
    public async Task A_cancellation_that_overtook_its_command_is_repeated()
    {
        var asked = 0;
        Watch(new FakeSession(_memory) { CancellationTimeout = 20_000, OnCancel = () => { if (++asked == 2) _memory.Enqueue((byte)'!'); } });
        AnswerSwallow();
        _session.BeginQuery(50);
        Assert.Equal(Step.Completed, await Run(false));
        Assert.Equal(2, _session.CancelsAsked);
        // With the rest of its time: a full time limit for each attempt would exceed the documented limit.
        Assert.InRange(_session.Patience[0], 1, 20_000);
        Assert.InRange(_session.Patience[1], 1, _session.Patience[0] - 1);
        Assert.False(_session.IsBroken);
        await StillUsable(false);
    }

    [Fact]
    public async Task Interruptions_at_any_moment_leave_the_session_in_sync()
    {
        Watch(new FakeSession(_memory));
        _session.OnCancel = () => { };
        _memory.OnSent = (memory, sent) => memory.Enqueue([.. sent.Select(letter => (byte)char.ToLowerInvariant((char)letter))]);
        var stop = false;
        var interrupter = Eventually.OnThread(() =>
        {
            var random = new Random(3);
            while (!Volatile.Read(ref stop))
            {
                _session.Interrupt(_session.Operation.Number, Interruption.Asked);
                Thread.SpinWait(random.Next(2000));
            }
        });
        var interrupted = 0;
        var operations = Eventually.OnThread(() =>
        {
            for (var until = Clock.In(20_000); interrupted < 200 && Clock.Now < until;)
            {
                _session.BeginQuery();
                Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
                Assert.False(_session.Operation.IsRunning);
                if (_session.Operation.Interruption != Interruption.None)
                    interrupted++;
            }
        });
        await operations.WaitAsync(TimeSpan.FromSeconds(60));

        Volatile.Write(ref stop, true);
        await interrupter;
        Assert.True(interrupted > 10, $"only {interrupted} operations were interrupted");
        Assert.False(_session.IsBroken);
        Assert.Equal(0, _session.Wire.Buffered);
    }

    private void Watch(FakeSession session)
    {
        _session = session;
        Deadlines.Watch(session);
    }

    private void AnswerSwallow() => _memory.OnSent = (memory, sent) =>
    {
        if (sent is [(byte)'S'])
            memory.Enqueue((byte)'s');
    };

    private async Task StillUsable(bool asynchronous)
    {
        _memory.OnSent = null;
        _memory.Enqueue((byte)'q');
        _session.BeginQuery(60_000);
        Assert.Equal(Step.Completed, await Run(asynchronous));
        Assert.Null(_session.Exchange.Error);
        Assert.Equal(Interruption.None, _session.Operation.Interruption);
        Assert.True(_session.IsAlive);
    }

    private Task<Step> Run(bool asynchronous) => (asynchronous
        ? AsyncPump.RunAsync(_session.Queue, _session.Wire).AsTask()
        : Eventually.OnThread(() => BlockingPump.Run(_session.Queue, _session.Wire))).WaitAsync(TimeSpan.FromSeconds(60));
}
