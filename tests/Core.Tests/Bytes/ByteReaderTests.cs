using Slipstream.Core.Bytes;

namespace Slipstream.Core.Tests.Bytes;

public class ByteReaderTests
{
    private delegate void Reading(ref ByteReader reader);

    private static readonly byte[] Sample = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, (byte)'a', 0xC3, 0xA4, 0, 42];

    [Fact]
    public void Reads_little_endian_integers()
    {
        var reader = new ByteReader(Sample);
        Assert.Equal(1, reader.Byte());
        Assert.Equal(0x0302, reader.UInt16());
        Assert.Equal(0x060504u, reader.UInt24());
        Assert.Equal(6, reader.Position);
        Assert.Equal(0x0A090807u, reader.UInt32());
        reader = new ByteReader(Sample);
        Assert.Equal(0x0807060504030201u, reader.UInt64());
        Assert.False(reader.Failed);
    }

    [Fact]
    public void Reads_big_endian_integers()
    {
        var reader = new ByteReader(Sample);
        Assert.Equal(0x0102, reader.Int16BigEndian());
        Assert.Equal(0x03040506, reader.Int32BigEndian());
        reader = new ByteReader(Sample);
        Assert.Equal(0x0102030405060708, reader.Int64BigEndian());
        Assert.False(reader.Failed);
    }

    [Fact]
    public void Reads_text_up_to_a_zero_and_goes_on_behind_it()
    {
        var reader = new ByteReader(Sample);
        reader.Skip(12);
        Assert.Equal("aä", reader.TextToZero());
        Assert.Equal(42, reader.Peek());
        Assert.Equal([42], reader.Rest().ToArray());
        Assert.Equal(-1, reader.Peek());
        Assert.Equal(0, reader.Remaining);
        Assert.False(reader.Failed);
    }

    [Fact]
    public void Every_read_fails_on_a_message_that_is_one_byte_short()
    {
        (int Needs, Reading Read)[] readings =
        [
            (1, (ref r) => r.Byte()), (2, (ref r) => r.UInt16()), (3, (ref r) => r.UInt24()), (4, (ref r) => r.UInt32()), (8, (ref r) => r.UInt64()),
            (2, (ref r) => r.Int16BigEndian()), (4, (ref r) => r.Int32BigEndian()), (8, (ref r) => r.Int64BigEndian()),
            (5, (ref r) => r.Bytes(5)), (5, (ref r) => r.Skip(5)), (5, (ref r) => r.Text(5)),
        ];
        foreach (var (needs, read) in readings)
        {
            for (var length = 0; length <= needs; length++)
            {
                var reader = new ByteReader(Sample.AsSpan(0, length));
                read(ref reader);
                Assert.Equal(length < needs, reader.Failed);
            }
        }
    }

    [Fact]
    public void A_missing_zero_fails()
    {
        var reader = new ByteReader("no zero"u8);
        Assert.Equal("", reader.TextToZero());
        Assert.True(reader.Failed);
    }

    [Fact]
    public void Once_failed_every_read_is_zero_even_if_bytes_remain()
    {
        var reader = new ByteReader(Sample);
        reader.Bytes(100);
        Assert.True(reader.Failed);
        Assert.Equal(0, reader.Byte());
        Assert.Equal(0u, reader.UInt32());
        Assert.Equal("", reader.Text(1));
        Assert.Equal(-1, reader.Peek());
        Assert.True(reader.Rest().IsEmpty);
        Assert.True(reader.BytesToZero().IsEmpty);
        Assert.True(reader.Failed);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    [InlineData(1L << 32)]
    [InlineData((1L << 32) + 1)]
    public void A_lying_length_fails_and_never_wraps(long count)
    {
        var reader = new ByteReader(Sample);
        Assert.True(reader.Bytes(count).IsEmpty);
        Assert.True(reader.Failed);
    }

    [Fact]
    public void A_decoder_can_make_it_fail()
    {
        var reader = new ByteReader(Sample);
        reader.Fail();
        Assert.True(reader.Failed);
        Assert.Equal(0, reader.Byte());
    }
}
