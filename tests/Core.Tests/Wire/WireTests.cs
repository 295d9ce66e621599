using Slipstream.Core.Errors;
using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class WireTests
{
    private readonly Wire _wire = new(new MemoryTransport());

    [Fact]
    public void A_lying_length_costs_no_memory_until_bytes_arrive()
    {
        _wire.Want = int.MaxValue;
        Assert.Equal(Wire.InitialCapacity, _wire.FreeSpan().Length);
        Assert.Equal(Wire.InitialCapacity, _wire.In.Length);
    }

    [Fact]
    public void The_first_buffer_is_small_until_a_receive_fills_it()
    {
        var next = (byte)0;
        for (var receive = 0; receive < 100; receive++)
        {
            Receive(Wire.InitialCapacity - 1);
            Assert.Equal(Wire.InitialCapacity, _wire.In.Length);
            _wire.Start = _wire.End;
        }

        Receive(Wire.InitialCapacity);
        Receive(1);
        Assert.Equal(Wire.NormalCapacity, _wire.In.Length);
        Assert.Equal(Wire.InitialCapacity + 1, _wire.Buffered);
        for (var i = 0; i < _wire.Buffered; i++)
            Assert.Equal((byte)(next - _wire.Buffered + i), _wire.In[_wire.Start + i]);

        void Receive(int count)
        {
            var room = _wire.FreeSpan()[..count];
            foreach (ref var value in room)
                value = next++;
            _wire.Advance(count);
        }
    }

    [Theory]
    [InlineData(100, Wire.InitialCapacity)]
    [InlineData(5000, Wire.NormalCapacity)]
    public void Half_of_a_longer_message_takes_the_normal_buffer(int arrived, int capacity)
    {
        _wire.Advance(Wire.InitialCapacity - 1);
        _wire.Start = _wire.End - arrived;
        _wire.Want = Wire.InitialCapacity + 1;
        Assert.False(_wire.FreeSpan().IsEmpty);
        Assert.Equal(capacity, _wire.In.Length);
        Assert.Equal(arrived, _wire.Buffered);
    }

    [Fact]
    public void The_buffer_at_most_doubles_what_has_arrived()
    {
        var arrived = 0;
        while (arrived < 10_000_000)
        {
            _wire.Want = int.MaxValue;
            var room = _wire.FreeSpan();
            Assert.False(room.IsEmpty);
            Assert.True(_wire.In.Length <= Math.Max(Wire.NormalCapacity, 2 * arrived), $"{_wire.In.Length} for {arrived}");
            var count = Math.Min(room.Length, 1460);
            room[..count].Fill((byte)arrived);
            _wire.Advance(count);
            arrived += count;
        }

        Assert.Equal(arrived, _wire.Buffered);
    }

    [Fact]
    public void Bytes_that_nobody_takes_yet_are_not_moved_again_and_again()
    {
        var buffers = new HashSet<byte[]>(ReferenceEqualityComparer.Instance);
        for (var arrived = 0; arrived < 20_000_000; arrived += 1000)
        {
            Assert.False(_wire.FreeSpan().IsEmpty);
            _wire.Advance(Math.Min(1000, _wire.FreeSpan().Length));
            buffers.Add(_wire.In);
        }

        Assert.InRange(buffers.Count, 5, 12);
    }

    [Fact]
    public void What_has_arrived_survives_growing_and_moving()
    {
        var random = new Random(1);
        var expected = new Queue<byte>();
        for (var round = 0; round < 20_000; round++)
        {
            _wire.Want = random.Next(0, 3) == 0 ? random.Next(0, 300_000) : 0;
            var room = _wire.FreeSpan();
            Assert.False(room.IsEmpty);
            var count = random.Next(1, Math.Min(room.Length, 5000) + 1);
            for (var i = 0; i < count; i++)
            {
                room[i] = (byte)random.Next();
                expected.Enqueue(room[i]);
            }

            _wire.Advance(count);
            var take = random.Next(0, 4) == 0 ? _wire.Buffered : random.Next(0, Math.Min(_wire.Buffered, 5000));
            for (var i = 0; i < take; i++)
            {
                if (expected.Dequeue() != _wire.In[_wire.Start++])
                    Assert.Fail($"a byte was lost in round {round}");
            }
        }
    }

    [Fact]
    public void A_large_buffer_shrinks_once_it_is_empty()
    {
        while (_wire.In.Length <= Wire.KeptCapacity)
        {
            _wire.Want = 4 * Wire.KeptCapacity;
            _wire.Advance(_wire.FreeSpan().Length);
        }

        _wire.Start = _wire.End;
        _wire.FreeSpan();
        Assert.Equal(Wire.NormalCapacity, _wire.In.Length);
    }

    [Fact]
    public void The_buffer_grows_while_receives_fill_it_and_shrinks_when_they_do_not()
    {
        var (capacities, next) = (new List<int>(), (byte)0);
        for (var receive = 0; receive < 40; receive++)
        {
            // The last row is always incomplete.
            var room = _wire.FreeSpan();
            foreach (ref var value in room)
                value = next++;
            _wire.Advance(room.Length);
            if (capacities.Count == 0 || capacities[^1] != _wire.In.Length)
                capacities.Add(_wire.In.Length);
            Assert.Equal((byte)(next - _wire.Buffered), _wire.In[_wire.Start]);
            _wire.Start = _wire.End - 100;
        }

        Assert.Equal([Wire.InitialCapacity, Wire.NormalCapacity, Wire.StreamingCapacity], capacities);
        for (var receive = 0; receive < 30; receive++)
        {
            _wire.Start = _wire.End;
            _wire.FreeSpan()[..1000].Clear();
            _wire.Advance(1000);
        }

        Assert.Equal(Wire.NormalCapacity, _wire.In.Length);
    }

    [Fact]
    public void Growing_and_shrinking_costs_no_memory_in_the_long_run()
    {
        long allocated = 0;
        for (var round = 0; round < 20; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var receive = 0; receive < 8; receive++)
            {
                _wire.Advance(_wire.FreeSpan().Length);
                _wire.Start = _wire.End;
            }

            var grew = _wire.In.Length == Wire.StreamingCapacity;
            _wire.Shrink();
            if (!grew || _wire.In.Length != Wire.NormalCapacity)
                Assert.Fail("The buffer did not grow and shrink.");
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.Equal(0, allocated);
    }

    [Fact]
    public void What_has_not_been_taken_keeps_the_buffer_from_shrinking()
    {
        for (var receive = 0; receive < 8; receive++)
        {
            _wire.Start = _wire.End;
            _wire.Advance(_wire.FreeSpan().Length);
        }

        _wire.Shrink();
        Assert.Equal(Wire.StreamingCapacity, _wire.In.Length);
        Assert.Equal(Wire.StreamingCapacity, _wire.Buffered);
    }

    [Fact]
    public void A_buffer_that_grew_for_a_large_message_does_not_outlast_the_lease()
    {
        _wire.Advance(_wire.FreeSpan().Length);
        while (_wire.In.Length <= Wire.KeptCapacity)
        {
            // Not one byte more each time: the buffer would be copied a million times.
            _wire.Want = 2 * _wire.Buffered;
            _wire.Advance(_wire.FreeSpan().Length);
        }

        var received = _wire.Buffered;
        _wire.ReturnBuffers();
        Assert.Equal(received, _wire.Buffered);
        _wire.Start = _wire.End;
        _wire.ReturnBuffers();
        Assert.Equal(Wire.NormalCapacity, _wire.In.Length);
        Assert.Equal(0, _wire.Buffered);
    }

    [Fact]
    public void A_direct_receive_goes_straight_into_the_target_and_then_back_to_the_buffer()
    {
        var target = new byte[10];
        _wire.ReceiveInto(target, 2, 6);
        Assert.Equal(6, _wire.FreeSpan().Length);
        _wire.FreeSpan().Fill(5);
        _wire.Advance(4);
        Assert.Equal(2, _wire.DirectMissing);
        Assert.Equal(2, _wire.FreeMemory().Length);
        _wire.Advance(2);
        Assert.Equal(0, _wire.DirectMissing);
        Assert.Equal([0, 0, 5, 5, 5, 5, 5, 5, 0, 0], target);
        Assert.Equal(0, _wire.Buffered);
        Assert.Equal(6, _wire.Received);

        _wire.FreeSpan()[0] = 9;
        _wire.Advance(1);
        Assert.Equal(9, _wire.In[_wire.Start]);
    }

    [Fact]
    public void A_direct_receive_of_nothing_changes_nothing()
    {
        _wire.ReceiveInto([], 0, 0);
        Assert.Equal(0, _wire.DirectMissing);
        Assert.False(_wire.FreeSpan().IsEmpty);
    }

    [Fact]
    public void A_direct_receive_refuses_to_overtake_what_has_arrived()
    {
        _wire.Advance(1);
        Assert.Throws<InvalidOperationException>(() => _wire.ReceiveInto(new byte[1], 0, 1));
    }

    [Fact]
    public void The_end_of_the_stream_is_a_lost_connection()
    {
        var error = Assert.Throws<WireException>(() => _wire.Advance(0));
        Assert.Equal(WireFailure.Lost, error.Failure);
    }

    [Fact]
    public void Counts_what_came_and_went()
    {
        _wire.Advance(3);
        _wire.Out.Zeros(5);
        _wire.Left();
        Assert.Equal((3, 5, 0), (_wire.Received, _wire.Sent, _wire.Out.Length));
    }
}
