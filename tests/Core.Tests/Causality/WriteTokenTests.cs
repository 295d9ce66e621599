using Slipstream.Core.Causality;

namespace Slipstream.Core.Tests.Causality;

public class WriteTokenTests
{
    [Theory]
    [InlineData("u")]
    [InlineData("s.3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7~3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:1")]
    [InlineData("d.0-1-100~1-2-5")]
    [InlineData("t.7312345678901234567.3.16-B374D848")]
    public void The_text_of_a_token_is_read_again_and_needs_no_encoding(string text)
    {
        var token = WriteToken.Parse(text);
        Assert.Equal(text, token.ToString());
        Assert.Equal(token, WriteToken.Parse(text));
        Assert.Equal(token.GetHashCode(), WriteToken.Parse(text).GetHashCode());
        Assert.Matches("^[A-Za-z0-9._~:-]+$", text);
    }

    [Theory]
    [InlineData("")]
    [InlineData("x.1")]
    [InlineData("uu")]
    [InlineData("s.")]
    [InlineData("d.0-1")]
    [InlineData("t.1.1.1")]
    [InlineData("s.3e11fa47-71ca-11e1-9e33-c80aa9429562:1,3e11fa47-71ca-11e1-9e33-c80aa9429562:2")]
    [InlineData("d.0-1-1\r\nSet-Cookie: a=b")]
    public void Another_text_is_refused(string text)
    {
        Assert.Throws<FormatException>(() => WriteToken.Parse(text));
        Assert.False(WriteToken.TryParse(text, out _));
    }

    [Fact]
    public void No_text_is_refused()
    {
        Assert.Throws<ArgumentNullException>(() => WriteToken.Parse(null!));
        Assert.False(WriteToken.TryParse(null, out _));
    }

    [Fact]
    public void A_text_that_is_too_long_is_refused_before_it_is_read()
    {
        var text = "s.3e11fa47-71ca-11e1-9e33-c80aa9429562" + string.Concat(Enumerable.Repeat(":1", WriteToken.MaxLength));
        Assert.Throws<FormatException>(() => WriteToken.Parse(text));
        Assert.Equal("s.3e11fa47-71ca-11e1-9e33-c80aa9429562:1", WriteToken.Parse(text[..WriteToken.MaxLength]).ToString());
    }

    // A client may change its cookie. Whatever it sends is refused, or is a token with a bounded text.
    [Fact]
    public void Changed_texts_never_fail_otherwise()
    {
        string[] texts =
        [
            "s.3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7~3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:1", "d.0-1-100~1-2-5",
            "t.7312345678901234567.3.16-B374D848",
        ];
        var random = new Random(1);
        for (var run = 0; run < 20_000; run++)
        {
            var text = texts[run % texts.Length].ToCharArray();
            for (var change = random.Next(1, 4); change > 0; change--)
                text[random.Next(text.Length)] = ".~:-0129afz/ ,\0é"[random.Next(16)];
            if (WriteToken.TryParse(new string(text), out var token))
                Assert.Equal(token, WriteToken.Parse(token.ToString()));
        }
    }
}
