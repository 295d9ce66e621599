using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

/// <summary>Each optimisation of the wire has no effect when it is turned off.</summary>
public class WireOptimizationsTests
{
    [Fact]
    public void Without_adaptive_receives_the_buffer_stays_as_it_is()
    {
        var wire = new Wire(new MemoryTransport()) { Optimizations = new() { AdaptsReceives = false } };
        for (var i = 0; i < 20; i++)
        {
            var room = wire.FreeSpan().Length;
            Assert.Equal(i == 0 ? Wire.InitialCapacity : Wire.NormalCapacity, room);
            wire.Advance(room);
            wire.Start = wire.End;
        }
    }

    [Fact]
    public void Without_adaptive_receives_TLS_receives_what_it_asks_for()
    {
        const int Record = 16 * 1024;
        using var transport = new MemoryTransport();
        transport.Enqueue(new byte[40 * Record]);
        using var stream = new TransportStream(transport, receivesAhead: false);
        var room = new byte[Record];
        for (var i = 0; i < 40; i++)
        {
            Assert.Equal(Record, stream.Read(room));
            stream.HasRead(Record);
            Assert.False(stream.IsHoldingReceived);
        }

        Assert.Equal(40, transport.Receives);
    }

    [Fact]
    public void Without_direct_large_values_a_large_value_is_copied_into_what_leaves()
    {
        var wire = new Wire(new MemoryTransport()) { Optimizations = new() { PassesLargeValues = false } };
        wire.Out.Gather(new byte[100_000]);
        Assert.False(wire.Out.HasGathered);
        Assert.Equal(100_000, wire.Out.Length);
        wire.SwapOut();
        wire.Out.Gather(new byte[100_000]);
        Assert.False(wire.Out.HasGathered);
    }

    [Fact]
    public void A_connection_that_wants_no_spinning_is_not_looked_for()
    {
        var spin = new AdaptiveSpin(2);
        for (var i = 0; i < 100; i++)
            spin.RecordAnswer(1, TimeSpan.FromMicroseconds(60), isPolled: false);
        Assert.Equal(TimeSpan.Zero, spin.SpinTime);
    }
}
