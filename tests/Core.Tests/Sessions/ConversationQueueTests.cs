using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Sessions;

public class ConversationQueueTests
{
    private readonly MemoryTransport _memory = new();
    private readonly FakeSession _session;

    public ConversationQueueTests() => _session = new FakeSession(_memory);

    [Fact]
    public void Prefixes_travel_in_the_commands_send_and_are_answered_in_order()
    {
        _memory.Enqueue("rbq"u8.ToArray());
        _session.NeedsReset = true;
        _session.PendingBegin = _session.CreateSimple("B");
        _session.BeginQuery();
        Assert.True(_session.Queue.HasPrefixes);

        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));

        Assert.Equal("RBQ"u8, Assert.Single(_memory.Sends));
        Assert.Equal(1, _memory.Receives);
        Assert.False(_session.Queue.HasPrefixes);
        Assert.False(_session.NeedsReset);
        Assert.Null(_session.PendingBegin);
        Assert.False(_session.Operation.IsRunning);
    }

    [Fact]
    public void Prefixes_of_one_command_can_be_sent_before_it()
    {
        _memory.OnSent = static (memory, sent) => memory.Enqueue([.. sent.Select(static letter => (byte)char.ToLowerInvariant((char)letter))]);
        _session.NeedsReset = true;
        _session.Queue.SeparatePrefixes();
        _session.BeginQuery();
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        _session.NeedsReset = true;
        _session.BeginQuery();
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.Equal(["R", "Q", "RQ"], _memory.Sends.Select(static send => System.Text.Encoding.ASCII.GetString(send)));
    }

    // The bytes of the reset stay in the writer, because its command could not be encoded.
    [Fact]
    public void A_prefix_that_waits_in_the_writer_is_not_sent_twice()
    {
        _memory.Enqueue("rq"u8.ToArray());
        _session.NeedsReset = true;
        _session.PrependPending();
        _session.Queue.SeparatePrefixes();
        _session.BeginQuery();
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.Equal("RQ"u8, Assert.Single(_memory.Sends));
    }

    [Fact]
    public void A_refused_prefix_says_that_the_command_may_have_run()
    {
        _memory.Enqueue("!q"u8.ToArray());
        _session.NeedsReset = true;
        _session.BeginQuery();
        var refused = Assert.Throws<ServerRefusedException>(() => BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.Equal(("R", "no"), (refused.Error.FailedPrefix, refused.Error.Message));
    }

    [Fact]
    public void A_refused_command_ends_the_operation_and_the_next_one_runs()
    {
        _memory.Enqueue("!"u8.ToArray());
        _session.BeginQuery();
        var number = _session.Operation.Number;
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.NotNull(_session.Exchange.Error);

        _memory.Enqueue("q"u8.ToArray());
        _session.BeginQuery();
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.Null(_session.Exchange.Error);
        Assert.Equal(number + 1, _session.Operation.Number);
    }

    [Fact]
    public void A_simple_exchange_is_run_the_same_way()
    {
        _memory.Enqueue("rp"u8.ToArray());
        _session.NeedsReset = true;
        var ping = _session.CreatePing();
        _session.Operation.Begin(0);
        _session.PrependPending();
        ping.Encode(_session.Wire);
        _session.Queue.Begin(ping);
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.Null(ping.Error);
        Assert.Equal("RP"u8, Assert.Single(_memory.Sends));
        Assert.False(_session.Operation.IsRunning);
    }

    [Theory, InlineData("qp"), InlineData("q!"), InlineData("!p")]
    public void A_suffix_travels_in_the_commands_send_and_its_error_is_ignored(string answers)
    {
        _memory.Enqueue(System.Text.Encoding.ASCII.GetBytes(answers));
        _session.BeginQuery();
        Assert.True(_session.Queue.TryAppend(_session.CreateSimple("P"), _session.Wire));
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.Equal("QP"u8, Assert.Single(_memory.Sends));
        Assert.Equal(answers[0] == '!', _session.Exchange.Error is not null);
        Assert.False(_session.Operation.IsRunning);
    }

    // A command that the server must execute in another form sends more after its first answer.
    [Fact]
    public void A_suffix_is_read_before_the_answer_to_what_the_command_sends_later()
    {
        _memory.OnSent = static (memory, sent) => memory.Enqueue([.. sent.Select(static letter => (byte)char.ToLowerInvariant((char)letter))]);
        _session.Operation.Begin(0);
        _session.Wire.Out.Byte((byte)'A');
        _session.Queue.Begin(new Repeating(_session.Wire));
        var suffix = new Letter('P');
        Assert.True(_session.Queue.TryAppend(suffix, _session.Wire));
        Assert.Equal(Step.Completed, BlockingPump.Run(_session.Queue, _session.Wire));
        Assert.Equal(["AP", "B"], _memory.Sends.Select(static send => System.Text.Encoding.ASCII.GetString(send)));
        Assert.Null(suffix.Error);
    }

    [Fact]
    public void Nothing_is_appended_if_commands_are_sent_one_by_one()
    {
        _session.MayPipeline = false;
        _session.BeginQuery();
        Assert.False(_session.Queue.TryAppend(_session.CreateSimple("P"), _session.Wire));
    }

    // Its answer is 'a', then it sends 'B', whose answer is 'b'.
    private sealed class Repeating(Wire wire) : Conversation
    {
        private char _awaited = 'a';

        public override Step Advance(Wire _)
        {
            if (wire.Out.Length > 0)
                return Step.Send;
            if (wire.Buffered == 0)
                return Step.Receive;
            Assert.Equal(_awaited, (char)wire.In[wire.Start++]);
            if (_awaited == 'b')
                return Step.Completed;
            _awaited = 'b';
            wire.Out.Byte((byte)'B');
            return Step.Send;
        }
    }
}
