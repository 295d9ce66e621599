using System.CommandLine;

namespace Slipstream.Lab.Tests;

public sealed class CommandWordsTests
{
    private static ParseResult Parse(params string[] words)
    {
        var minutes = new Option<double>("--minutes")
        {
            CustomParser = static result => CommandWords.Number(result, static number => number > 0, "--minutes is a number above 0")
        };
        return new RootCommand { new Option<int?>("--seed"), minutes }.Parse(words);
    }

    [Theory]
    [InlineData("--seed", "x", "'x' is not a value for --seed.")]
    [InlineData("--minutes", "x", "--minutes is a number above 0")]
    [InlineData("--minutes", "-1", "--minutes is a number above 0")]
    [InlineData("--minutes", "0,5", "--minutes is a number above 0")]
    public void A_wrong_word_is_told_without_a_type_of_the_runtime(string option, string word, string message) =>
        Assert.Equal(message, CommandWords.Problem(Parse(option, word)));

    [Fact]
    public void An_option_that_does_not_exist_is_named() => Assert.Contains("--nosuch", CommandWords.Problem(Parse("--nosuch")), StringComparison.Ordinal);

    [Fact]
    public void Right_words_have_no_problem()
    {
        var parsed = Parse("--seed", "7", "--minutes", "0.5");
        Assert.Null(CommandWords.Problem(parsed));
        Assert.Equal(0.5, parsed.GetValue<double>("--minutes"));
    }
}
