using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Tests.Protocol;

public class PacketsTests
{
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
