using System.Text;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Tests.Codecs;

public class FloatWordTests
{
    [Theory]
    [InlineData("nan", double.NaN)]
    [InlineData("NaN", double.NaN)]
    [InlineData("-nan", double.NaN)]
    [InlineData("inf", double.PositiveInfinity)]
    [InlineData("+Inf", double.PositiveInfinity)]
    [InlineData("-inf", double.NegativeInfinity)]
    [InlineData("-Infinity", double.NegativeInfinity)]
    public void The_words_of_servers_that_have_such_numbers_are_read(string text, double expected)
    {
        Assert.Equal(expected, Floats.ReadDoubleText(Encoding.ASCII.GetBytes(text)));
        Assert.Equal((float)expected, Floats.ReadSingleText(Encoding.ASCII.GetBytes(text)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("infinit")]
    [InlineData("1.5x")]
    [InlineData("nan ")]
    public void Any_other_word_is_no_number(string text)
    {
        Assert.Throws<FormatException>(() => Floats.ReadDoubleText(Encoding.ASCII.GetBytes(text)));
        Assert.Throws<FormatException>(() => Floats.ReadSingleText(Encoding.ASCII.GetBytes(text)));
    }
}
