using Slipstream.Core.Errors;

namespace Slipstream.Core.Tests.Errors;

public class ServerTextTests
{
    [Theory]
    [InlineData("Duplicate entry 'é–漢😀' for key", "Duplicate entry 'é–漢😀' for key")]
    [InlineData("two\r\nlines\tand a tab", "two\\r\\nlines\\tand a tab")]
    [InlineData("\u001b[31mred\u001b[0m\u0007", "\\u001B[31mred\\u001B[0m\\u0007")]
    [InlineData("\u0000\u007f\u009b1A", "\\u0000\\u007F\\u009B1A")]
    [InlineData("a\u2028b\u2029c", "a\\u2028b\\u2029c")]
    [InlineData("user\u202Etxt.exe\u2066", "user\\u202Etxt.exe\\u2066")]
    public void A_text_of_the_log_stays_on_its_line_and_commands_no_terminal(string text, string line) => Assert.Equal(line, ServerText.OneLine(text));

    [Fact]
    public void A_text_that_is_fine_is_not_copied()
    {
        var text = new string('x', ServerText.LongestName);
        Assert.Same(text, ServerText.OneLine(text));
        Assert.Same(text, ServerText.Printable(text, text.Length));
    }

    [Fact]
    public void A_long_text_is_cut()
    {
        Assert.Equal(new string('x', 5) + "…", ServerText.OneLine(new string('x', 6), 5));
        Assert.Equal(new string('x', ServerText.LongestName) + "…", ServerText.OneLine(new string('x', ServerText.LongestName + 1)));
    }

    [Fact]
    public void A_message_keeps_its_lines_and_nothing_else_that_a_terminal_obeys() =>
        Assert.Equal("near 'x\ny\tz'\r\n\uFFFD[2J\uFFFD\uFFFD", ServerText.Printable("near 'x\ny\tz'\r\n\u001b[2J\u0000\u009b", 100));

    [Theory]
    [InlineData("40001", "40001")]
    [InlineData("57P01", "57P01")]
    [InlineData("HY000", "HY000")]
    [InlineData("", "")]
    [InlineData("4000", "")]
    [InlineData("400011", "")]
    [InlineData("40p01", "")]
    [InlineData("4\n001", "")]
    [InlineData("４0001", "")]
    public void A_state_is_five_digits_and_capital_letters_or_none(string text, string state) => Assert.Equal(state, ServerText.SqlState(text));
}
