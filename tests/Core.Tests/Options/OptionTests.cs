using Slipstream.Core.Options;

namespace Slipstream.Core.Tests.Options;

public class OptionTests
{
    private enum Colour
    {
        Red,
        Green,
        Blue,
    }

    private static readonly OptionGroup Group = new OptionTable().Group("Test");

    private static readonly WordOption Word =
        Group.Words("Colour", [], Colour.Red, [("Red", Colour.Red), ("Light Green", Colour.Green), ("Green", Colour.Green)], "A colour.",
            static value => value is Colour.Green ? "is not here: use Red." : null);

    // A ReadyToRun program compiles generic code over a number or another assembly's enumeration at every start: there were once about a hundred such methods.
    [Fact]
    public void Nothing_about_options_is_generic_over_their_values()
    {
        var types = typeof(Option).Assembly.GetTypes().Where(type => type.Namespace == typeof(Option).Namespace && !type.Name.Contains('<')).ToArray();
        Assert.NotEmpty(types);
        Assert.DoesNotContain(types, static type => type.IsGenericType);
        Assert.DoesNotContain(
            types.SelectMany(static type => type.GetMethods()),
            static method =>
                method.IsGenericMethod && method.GetGenericArguments()
                    .Any(static argument => !argument.GetGenericParameterConstraints().Contains(typeof(Option))));
    }

    [Theory]
    [InlineData("Red", "Red")]
    [InlineData("light_green", "Light Green")]
    [InlineData("GREEN", "Light Green")]
    public void A_word_is_read_in_any_spelling_and_printed_as_the_first_of_its_meaning(string written, string canonical) =>
        Assert.Equal(canonical, Word.Canonical(written));

    [Fact]
    public void A_word_may_be_given_as_the_value_it_means()
    {
        Assert.Equal("Light Green", Word.Canonical(Colour.Green));
        Assert.Equal(Colour.Green, Word.ValueOf("Light Green"));
        Assert.Equal("is not here: use Red.", Word.Refusal("Light Green"));
        Assert.Null(Word.Refusal("Red"));
    }

    [Theory]
    [InlineData("Purple")]
    [InlineData("")]
    [InlineData(Colour.Blue)]
    [InlineData(DayOfWeek.Monday)]
    public void What_is_none_of_the_words_is_refused(object value) =>
        Assert.Equal(
            $"'{value}' is not a value for the option 'Colour': it must be one of Red, Light Green, Green.",
            Assert.Throws<ArgumentException>(() => Word.Canonical(value)).Message);

    [Fact]
    public void A_number_has_the_type_it_was_declared_with()
    {
        Assert.IsType<int>(Group.Number("Int", [], 5, -1, 10, "", "").ValueOf("7"));
        Assert.IsType<uint>(Group.Number("UInt", [], 5u, 1u, uint.MaxValue, "", "").ValueOf("4294967295"));
        Assert.IsType<long>(Group.Number("Long", [], 5L, 1L, long.MaxValue, "", "").ValueOf("9223372036854775807"));
    }

    [Theory]
    [InlineData(11)]
    [InlineData("-2")]
    [InlineData(11u)]
    [InlineData("9223372036854775808")]
    [InlineData("1.5")]
    [InlineData("1,000")]
    public void A_number_outside_its_bounds_is_refused(object value) =>
        Assert.Equal(
            $"'{value}' is not a value for the option 'Bounded': it must be a whole number of things from -1 to 10.",
            Assert.Throws<ArgumentException>(() => new OptionTable().Group("Test").Number("Bounded", [], 5, -1, 10, "things", "").Canonical(value)).Message);

    [Fact]
    public void A_number_or_Auto_takes_both()
    {
        var option = new OptionTable().Group("Test").NumberOrAuto("Size", [], 10, "bytes", "");
        Assert.Equal("Auto", option.DefaultText);
        Assert.Equal("Auto", option.Canonical(" auto "));
        Assert.Equal("Auto", option.Canonical(-1));
        Assert.Equal(-1, option.ValueOf("Auto"));
        Assert.Equal(10, option.ValueOf("10"));
        Assert.Equal("Auto, or a whole number of bytes from 0 to 10", option.Allowed);
        Assert.Throws<ArgumentException>(() => option.Canonical("11"));
        Assert.Throws<ArgumentException>(() => option.Canonical("-2"));
    }
}
