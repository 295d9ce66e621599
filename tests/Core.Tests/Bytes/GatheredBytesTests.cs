using Slipstream.Core.Bytes;

namespace Slipstream.Core.Tests.Bytes;

public class GatheredBytesTests
{
    [Fact]
    public void Gathered_bytes_leave_in_their_place_and_are_not_copied()
    {
        var writer = new ByteWriter();
        byte[] large = [3, 4, 5], more = [7];
        writer.Bytes([1, 2]);
        writer.Gather(large);
        writer.Byte(6);
        writer.Gather(more);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7], All(writer));
        Assert.Equal((3, 7, true), (writer.Length, writer.TotalLength, writer.HasGathered));
        large[0] = 9;
        Assert.Equal([1, 2, 9, 4, 5, 6, 7], All(writer));
    }

    [Fact]
    public void A_message_counts_what_was_gathered_since_it_began()
    {
        var writer = new ByteWriter();
        writer.Byte(1);
        writer.Gather(new byte[10]);
        var at = writer.Length;
        writer.Byte(2);
        Assert.Equal(1, writer.LengthSince(at));
        writer.Gather(new byte[20]);
        writer.Byte(3);
        Assert.Equal(22, writer.LengthSince(at));
    }

    [Fact]
    public void A_message_that_is_taken_back_takes_its_gathered_bytes_along_and_no_others()
    {
        var writer = new ByteWriter();
        writer.Byte(1);
        writer.Gather(new byte[] { 2, 3 });
        var mark = writer.Length;
        writer.Byte(4);
        writer.Gather(new byte[] { 5 });
        writer.Truncate(mark);
        Assert.Equal([1, 2, 3], All(writer));
        Assert.Equal(3, writer.TotalLength);
        writer.Clear();
        Assert.Equal((0, 0, false), (writer.Length, writer.TotalLength, writer.HasGathered));
        Assert.Empty(All(writer));
    }

    [Fact]
    public void Bytes_are_inserted_at_any_offset()
    {
        byte[] whole = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        for (var offset = 1; offset <= 10; offset++)
        {
            var writer = new ByteWriter();
            writer.Byte(100);
            writer.Gather(new byte[] { 101 });
            var at = writer.Length;
            writer.Bytes(whole.AsSpan(0, 2));
            writer.Gather(whole.AsMemory(2, 3));
            writer.Gather(whole.AsMemory(5, 1));
            writer.Bytes(whole.AsSpan(6, 2));
            writer.Gather(whole.AsMemory(8, 1));
            writer.Bytes(whole.AsSpan(9, 1));
            writer.Insert(at, offset, new byte[] { 200, 201 });
            Assert.Equal([100, 101, .. whole[..offset], 200, 201, .. whole[offset..]], All(writer));
            Assert.Equal(14, writer.TotalLength);
            Assert.Equal(12, writer.LengthSince(at));
        }
    }

    private static byte[] All(ByteWriter writer)
    {
        var all = new List<byte>();
        for (var i = 0; i < writer.Segments; i++)
            all.AddRange(writer.Segment(i).Span);
        return [.. all];
    }

    [Fact]
    public void A_writer_that_may_not_gather_copies()
    {
        var writer = new ByteWriter { MayGather = false };
        var value = new byte[100_000];
        writer.Gather(value);
        value[0] = 1;
        Assert.False(writer.HasGathered);
        Assert.Equal(100_000, writer.Length);
        Assert.Equal(0, writer.Written[0]);
    }
}
