using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Protocol;

public class LengthEncodedIntegerTests
{
    [Theory]
    [InlineData(0UL, "00")]
    [InlineData(250UL, "FA")]
    [InlineData(251UL, "FCFB00")]
    [InlineData(65535UL, "FCFFFF")]
    [InlineData(65536UL, "FD000001")]
    [InlineData(16777215UL, "FDFFFFFF")]
    [InlineData(16777216UL, "FE0000000100000000")]
    [InlineData(ulong.MaxValue, "FEFFFFFFFFFFFFFFFF")]
    public void Integers_take_as_few_bytes_as_they_can(ulong value, string bytes)
    {
        var writer = new ByteWriter();
        writer.LengthEncoded(value);
        Assert.Equal(bytes, Convert.ToHexString(writer.Written));
        Assert.Equal(value, Cut.Whole(writer.Written, (ref ByteReader reader) => reader.LengthEncoded()));
        Cut.Everywhere(writer.Written, (ref ByteReader reader) => reader.LengthEncoded());
    }

    [Theory]
    [InlineData(0xFB)]
    [InlineData(0xFF)]
    public void Null_and_error_are_no_integers(byte first)
    {
        var reader = new ByteReader([first, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        reader.LengthEncoded();
        Assert.True(reader.Failed);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(83)]
    [InlineData(84)]
    [InlineData(250)]
    [InlineData(251)]
    [InlineData(70000)]
    public void Texts_come_back(int characters)
    {
        var text = new string('€', characters);
        var writer = new ByteWriter();
        writer.LengthEncodedText(text);
        Assert.Equal(text, Cut.Whole(writer.Written, (ref ByteReader reader) => reader.LengthEncodedText()));
        if (characters <= 251)
            Cut.Everywhere(writer.Written, (ref ByteReader reader) => reader.LengthEncodedText());
    }

    [Theory]
    [InlineData("FEFFFFFFFFFFFFFFFF00")]
    [InlineData("FE000000000100000000")]
    [InlineData("FEFFFFFFFFFFFFFF7F00")]
    [InlineData("0200")]
    public void A_length_beyond_the_message_fails(string bytes)
    {
        var reader = new ByteReader(Convert.FromHexString(bytes));
        Assert.True(reader.LengthEncodedBytes().IsEmpty);
        Assert.True(reader.Failed);
    }
}
