using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.Core.Tests.Bytes;

public class ByteWriterTests
{
    [Fact]
    public void What_is_written_is_read_back()
    {
        var writer = new ByteWriter(1);
        writer.Byte(1);
        writer.UInt16(2);
        writer.UInt32(3);
        writer.UInt64(4);
        writer.Int16BigEndian(-5);
        writer.Int32BigEndian(-6);
        writer.Int64BigEndian(-7);
        writer.Zeros(3);
        writer.Bytes([8, 9]);
        writer.TextAndZero("zehn ✓");

        var reader = new ByteReader(writer.Written);
        Assert.Equal(1, reader.Byte());
        Assert.Equal(2, reader.UInt16());
        Assert.Equal(3u, reader.UInt32());
        Assert.Equal(4u, reader.UInt64());
        Assert.Equal(-5, reader.Int16BigEndian());
        Assert.Equal(-6, reader.Int32BigEndian());
        Assert.Equal(-7, reader.Int64BigEndian());
        Assert.Equal(new byte[3], reader.Bytes(3).ToArray());
        Assert.Equal([8, 9], reader.Bytes(2).ToArray());
        Assert.Equal("zehn ✓", reader.TextToZero());
        Assert.Equal(0, reader.Remaining);
        Assert.False(reader.Failed);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1024)]
    [InlineData(1025)]
    [InlineData(100_000)]
    public void Text_of_any_length_is_utf8(int length)
    {
        var text = string.Concat(Enumerable.Range(0, length).Select(i => "aä€"[i % 3]));
        var writer = new ByteWriter();
        writer.Byte(7);
        writer.Text(text);
        Assert.Equal(Encoding.UTF8.GetBytes(text), writer.Written[1..].ToArray());
    }

    [Fact]
    public void A_lone_surrogate_becomes_the_replacement_character()
    {
        var writer = new ByteWriter();
        writer.Text("\uD800");
        Assert.Equal("\uFFFD", Encoding.UTF8.GetString(writer.Written));
    }

    [Fact]
    public void A_hole_can_be_patched_and_room_taken_back()
    {
        var writer = new ByteWriter();
        writer.Grow(10).Fill(9);
        writer.Shrink(6);
        writer.Written[0] = 1;
        Assert.Equal([1, 9, 9, 9], writer.Written.ToArray());
        writer.Truncate(2);
        Assert.Equal(2, writer.Length);
        writer.Truncate(5);
        Assert.Equal(2, writer.Length);
    }

    [Fact]
    public void Erase_leaves_no_byte_of_a_secret_behind()
    {
        var writer = new ByteWriter(16);
        writer.Text("secret");
        var memory = writer.WrittenMemory;
        writer.Erase();
        Assert.Equal(0, writer.Length);
        Assert.All(memory.ToArray(), value => Assert.Equal(0, value));
    }

    [Fact]
    public void A_very_large_buffer_is_given_back_and_an_ordinary_one_kept()
    {
        var writer = new ByteWriter();
        writer.Grow(100_000);
        writer.Clear();
        var before = GC.GetAllocatedBytesForCurrentThread();
        writer.Grow(100_000);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());

        writer.Grow(ByteWriter.KeptCapacity);
        writer.Clear();
        before = GC.GetAllocatedBytesForCurrentThread();
        writer.Grow(100_000);
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before >= 100_000);
    }

    [Fact]
    public void More_than_an_array_can_hold_is_refused_before_anything_is_allocated()
    {
        var writer = new ByteWriter();
        writer.Byte(1);
        var error = Assert.Throws<InvalidOperationException>(() => writer.Grow(int.MaxValue).Length);
        Assert.Contains("2,147,483,648", error.Message);
        Assert.Equal(1, writer.Length);
    }
}
