using Slipstream.Core.Conversations;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Conversations;

public class ScriptTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(int.MaxValue)]
    public void Reads_top_to_bottom_one_whole_message_per_receive(int readSize)
    {
        var transport = new MemoryTransport { ReadSize = readSize };
        transport.Enqueue(2, 10, 11, 1, 12, 0);
        var script = new ThreeMessages();
        Assert.Equal(Step.Completed, BlockingPump.Run(script, new Wire(transport)));
        Assert.Equal(["0A-0B", "0C", ""], script.Messages);
        Assert.Equal("hi"u8, transport.Sent);
        Assert.Equal(Step.Completed, BlockingPump.Run(script, new Wire(transport)));
    }

    private sealed class ThreeMessages : Script
    {
        public List<string> Messages { get; } = [];

        protected override IEnumerable<Step> Run()
        {
            yield return Step.Receive;
            Messages.Add(BitConverter.ToString(Message));
            Wire.Out.Text("hi");
            yield return Step.Send;
            yield return Step.Receive;
            Messages.Add(BitConverter.ToString(Message));
            yield return Step.Receive;
            Messages.Add(BitConverter.ToString(Message));
        }

        protected override byte[]? TryTake(Wire wire)
        {
            if (wire.Buffered == 0 || wire.Buffered < 1 + wire.In[wire.Start])
                return null;
            var length = wire.In[wire.Start];
            var message = wire.In.AsSpan(wire.Start + 1, length).ToArray();
            wire.Start += 1 + length;
            return message;
        }
    }
}
