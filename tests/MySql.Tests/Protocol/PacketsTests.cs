using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Tests.Protocol;

public class PacketsTests
{
    [Theory]
    [InlineData(0, 0, 1)]
    [InlineData(65_536, 3, 1)]
    [InlineData(65_537, 254, 2)]
    [InlineData(2 * 65_536, 0, 2)]
    [InlineData(2 * 65_536 + 1, 0, 3)]
    [InlineData(34_000_000, 9, 519)]
    public void Data_that_may_be_cut_anywhere_travel_in_packets_that_are_neither_large_nor_empty(int length, byte sequence, int expected)
    {
        const int most = 65_536;
        var payload = new byte[length];
        new Random(length).NextBytes(payload);
        var writer = new ByteWriter();
        writer.Bytes("before"u8);

        var at = writer.Begin(sequence);
        writer.Bytes(payload);
        var next = writer.EndPieces(at, most);

        var packets = new ByteReader(writer.Written[6..]);
        var (count, compared) = (0, 0);
        for (; packets.Remaining > 0; count++)
        {
            var size = (int)packets.UInt24();
            Assert.InRange(size, length == 0 ? 0 : 1, most);
            Assert.Equal(sequence++, packets.Byte());
            Assert.True(packets.Bytes(size).SequenceEqual(payload.AsSpan(compared, size)));
            compared += size;
        }

        Assert.False(packets.Failed);
        Assert.Equal((expected, length, sequence), (count, compared, next));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 3)]
    [InlineData(16_777_213, 0)]
    [InlineData(16_777_214, 0)]
    [InlineData(16_777_215, 0)]
    [InlineData(16_777_216, 255)]
    [InlineData(2 * 16_777_215 - 1, 7)]
    [InlineData(2 * 16_777_215, 7)]
    [InlineData(2 * 16_777_215 + 1, 254)]
    [InlineData(3 * 16_777_215, 0)]
    public void A_payload_is_split_where_a_packet_is_full_and_ends_with_one_that_is_not(int length, byte sequence)
    {
        var payload = new byte[length];
        new Random(length).NextBytes(payload);
        var writer = new ByteWriter();
        writer.Bytes("before"u8);

        var at = writer.Begin(sequence);
        writer.Bytes(payload);
        var next = writer.End(at);

        Assert.Equal("before"u8, writer.Written[..6]);
        var packets = new ByteReader(writer.Written[6..]);
        var (count, compared) = (0, 0);
        int size;
        do
        {
            size = (int)packets.UInt24();
            Assert.Equal(sequence++, packets.Byte());
            Assert.True(packets.Bytes(size).SequenceEqual(payload.AsSpan(compared, size)));
            Assert.False(packets.Failed);
            compared += size;
            count++;
        }
        while (size == Packets.MaxPayload);
        Assert.Equal(0, packets.Remaining);
        Assert.Equal(sequence, next);
        Assert.Equal(length / Packets.MaxPayload + 1, count);
        Assert.Equal(length, compared);
    }

    // As above, but the payload is sent from its own buffer, between a few bytes of the writer.
    [Theory]
    [InlineData(70_000, 0)]
    [InlineData(16_777_215 - 3, 0)]
    [InlineData(16_777_215 - 2, 0)]
    [InlineData(16_777_215 - 1, 0)]
    [InlineData(16_777_215, 255)]
    [InlineData(16_777_215 + 1, 0)]
    [InlineData(2 * 16_777_215 - 3, 7)]
    [InlineData(2 * 16_777_215 - 2, 7)]
    [InlineData(2 * 16_777_215 + 9, 7)]
    [InlineData(3 * 16_777_215 - 3, 254)]
    public void Gathered_values_are_split_in_the_same_way(int length, byte sequence)
    {
        byte[] value = new byte[length], payload = [1, .. value, 2, 3];
        new Random(length).NextBytes(value);
        value.CopyTo(payload, 1);
        var writer = new ByteWriter();
        var before = writer.Begin();
        writer.Gather(new byte[] { 42 });
        writer.End(before);
        var at = writer.Begin(sequence);
        writer.Byte(1);
        writer.Gather(value.AsMemory(0, length / 3));
        writer.Gather(value.AsMemory(length / 3));
        writer.Bytes([2, 3]);
        var next = writer.End(at);

        var copied = new ByteWriter();
        copied.Bytes([1, 0, 0, 0, 42]);
        at = copied.Begin(sequence);
        copied.Bytes(payload);
        Assert.Equal(copied.End(at), next);
        Assert.Equal(copied.Length, writer.TotalLength);
        var compared = 0;
        for (var i = 0; i < writer.Segments; i++)
        {
            var segment = writer.Segment(i).Span;
            Assert.True(segment.SequenceEqual(copied.Written.Slice(compared, segment.Length)));
            compared += segment.Length;
        }

        Assert.Equal(copied.Length, compared);
    }

    [Fact]
    public void Packets_follow_one_another()
    {
        var writer = new ByteWriter();
        var first = writer.Begin();
        writer.Byte(1);
        Assert.Equal(1, writer.End(first));
        var second = writer.Begin(9);
        writer.UInt16(0x0302);
        Assert.Equal(10, writer.End(second));
        Assert.Equal("010000000102000009" + "0203", Convert.ToHexString(writer.Written));
    }
}
