namespace Slipstream.MySql.Tests.Data;

public class MySqlHelperTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("plain", "plain")]
    [InlineData("it's", "it\\'s")]
    [InlineData("a\"b\\c`d\0\n", "a\\\"b\\\\c`d\0\n")]
    public void A_backslash_goes_in_front_of_quotes_and_backslashes(string value, string escaped) => Assert.Equal(escaped, MySqlHelper.EscapeString(value));

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("it's", "it''s")]
    [InlineData("a\"b\\c`d", "a\"\"b\\\\c``d")]
    public void Quotes_and_backslashes_are_doubled(string value, string doubled) => Assert.Equal(doubled, MySqlHelper.DoubleQuoteString(value));

    [Fact]
    public void Plain_text_is_not_copied()
    {
        var plain = new string('x', 100);
        Assert.Same(plain, MySqlHelper.EscapeString(plain));
        Assert.Same(plain, MySqlHelper.DoubleQuoteString(plain));
        Assert.Throws<ArgumentNullException>(static () => MySqlHelper.EscapeString(null!));
    }
}
