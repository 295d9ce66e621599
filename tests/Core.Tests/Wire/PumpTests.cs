using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;
using Slipstream.Testing;

namespace Slipstream.Core.Tests.Wires;

public class PumpTests
{
    public static TheoryData<bool, int, bool> Ways => new()
    {
        { false, 1, false }, { false, 3, false }, { false, int.MaxValue, false },
        { true, 1, false }, { true, 3, true }, { true, int.MaxValue, false }, { true, 1, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Both_pumps_hear_the_same_whatever_the_reads(bool asynchronous, int readSize, bool yields)
    {
        var transport = new MemoryTransport { ReadSize = readSize, Yields = yields };
        transport.Enqueue([5, .. "hello"u8, 0, 3, .. "you"u8]);
        var wire = new Wire(transport);
        var talk = new Talk();

        Assert.Equal(Step.Row, await Run(asynchronous, talk, wire));
        Assert.Equal("hello", talk.Heard);
        Assert.Equal(Step.Row, await Run(asynchronous, talk, wire));
        Assert.Equal("", talk.Heard);
        Assert.Equal(Step.Row, await Run(asynchronous, talk, wire));
        Assert.Equal("you", talk.Heard);
        Assert.Equal(Step.Completed, await Run(asynchronous, talk, wire));
        Assert.Equal("ask"u8, transport.Sent);
        Assert.Equal(asynchronous, transport.HasWaitedAsynchronously);
        Assert.Equal(0, wire.Out.Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_peer_that_closes_is_a_lost_connection(bool asynchronous)
    {
        var transport = new MemoryTransport();
        transport.Enqueue(5, 1);
        transport.CloseByPeer();
        var error = await Assert.ThrowsAsync<WireException>(() => Run(asynchronous, new Talk(), new Wire(transport)));
        Assert.Equal(WireFailure.Lost, error.Failure);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_upgrade_replaces_the_transport(bool asynchronous)
    {
        var wire = new Wire(new MemoryTransport());
        Assert.Equal(Step.Completed, await Run(asynchronous, new Sequence(Step.Upgrade), wire));
        Assert.True(((MemoryTransport)wire.Transport).IsUpgraded);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Bytes_before_the_handshake_are_refused(bool asynchronous)
    {
        var wire = new Wire(new MemoryTransport());
        wire.Advance(2);
        var error = await Assert.ThrowsAsync<ProtocolException>(() => Run(asynchronous, new Sequence(Step.Upgrade), wire));
        Assert.Contains("2 bytes in clear text", error.Message);
        Assert.False(((MemoryTransport)wire.Transport).IsUpgraded);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_producer_is_waited_for(bool asynchronous)
    {
        var signal = new Signal();
        var running = Eventually.OnThread(
            () => Run(asynchronous, new Sequence(Step.WaitExternal) { Awaited = signal }, new Wire(new MemoryTransport())).GetAwaiter().GetResult());
        // A pump that did not wait for the signal would end within this time.
        await Task.Delay(20);
        Assert.False(running.IsCompleted);
        signal.Set();
        Assert.Equal(Step.Completed, await running);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_peer_that_answers_before_it_has_read_all_is_listened_to_meanwhile(bool asynchronous)
    {
        const int Requests = 200_000;
        var transport = new MemoryTransport { Capacity = 50_000, OnSent = (memory, sent) => memory.Enqueue(sent) };
        var wire = new Wire(transport);
        var echo = new Echo(Requests);
        var running = asynchronous ? Run(true, echo, wire) : Eventually.OnThread(() => BlockingPump.Run(echo, wire));
        Assert.Equal(Step.Completed, await running.WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Equal(Requests, transport.Sent.Length);
        Assert.False(wire.IsAnsweredEarly);
    }

    [Fact]
    public void What_is_at_hand_completes_synchronously_and_allocates_nothing()
    {
        var wire = new Wire(new MemoryTransport());
        var over = new Sequence();
        for (var i = 0; i < 100; i++)
            Assert.True(AsyncPump.RunAsync(over, wire).IsCompletedSuccessfully);
        Assert.Equal(0, Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++)
                _ = AsyncPump.RunAsync(over, wire).Result;
        }));
    }

    private static async Task<Step> Run(bool asynchronous, Conversation conversation, Wire wire) =>
        asynchronous ? await AsyncPump.RunAsync(conversation, wire) : BlockingPump.Run(conversation, wire);

    // Sends a request, then receives messages of a length byte and a text; ends after three.
    private sealed class Talk : Conversation
    {
        private int _count = -1;

        public string? Heard { get; private set; }

        public override Step Advance(Wire wire)
        {
            if (_count < 0)
            {
                _count = 0;
                wire.Out.Text("ask");
                return Step.Send;
            }

            if (_count == 3)
                return Step.Completed;
            if (wire.Buffered == 0 || wire.Buffered < 1 + wire.In[wire.Start])
                return Step.Receive;
            Heard = System.Text.Encoding.ASCII.GetString(wire.In, wire.Start + 1, wire.In[wire.Start]);
            wire.Start += 1 + Heard.Length;
            _count++;
            return Step.Row;
        }
    }

    // Sends many bytes at once and expects each of them back.
    private sealed class Echo(int count) : Conversation
    {
        private bool _sent;
        private int _heard;

        public override Step Advance(Wire wire)
        {
            if (!_sent)
            {
                _sent = true;
                wire.Out.Zeros(count);
                wire.IsAnsweredEarly = true;
                return Step.Send;
            }

            _heard += wire.Buffered;
            wire.Start = wire.End;
            return _heard < count ? Step.Receive : Step.Completed;
        }
    }

    private sealed class Sequence(params Step[] steps) : Conversation
    {
        private int _at;

        public ExternalSource? Awaited { get; init; }

        public override ExternalSource ExternalSource => Awaited!;

        public override Step Advance(Wire wire) => _at < steps.Length ? steps[_at++] : Step.Completed;
    }
}
