using System.ComponentModel;
using System.Globalization;
using System.Numerics;

namespace Slipstream.PostgreSql.Tests.ValueTypes;

public class RangeTests
{
    [Theory]
    [InlineData("[1,2)", "[1,2)")]
    [InlineData("(1,2]", "(1,2]")]
    [InlineData(" [ 1 , 2 ] ", "[1,2]")]
    [InlineData("[\"1\",\"2\"]", "[1,2]")]
    [InlineData("[\\1,2]", "[1,2]")]
    [InlineData("(,)", "(,)")]
    [InlineData("[,]", "(,)")]
    [InlineData("(,5]", "(,5]")]
    [InlineData("[null,5]", "(,5]")]
    [InlineData("(-infinity,infinity)", "(,)")]
    [InlineData("[-2147483648,2147483647]", "[-2147483648,2147483647]")]
    [InlineData("[1,1]", "[1,1]")]
    [InlineData("[1,1)", "empty")]
    [InlineData("(1,1]", "empty")]
    [InlineData("(1,1)", "empty")]
    [InlineData("empty", "empty")]
    [InlineData(" EMPTY ", "empty")]
    public void Integers_are_read_and_written_in_the_servers_format(string text, string expected) =>
        Assert.Equal(expected, PgRange<int>.Parse(text).ToString());

    [Theory]
    [InlineData("")]
    [InlineData("[")]
    [InlineData("[1")]
    [InlineData("1,2")]
    [InlineData("[1,2")]
    [InlineData("[1,2]x")]
    [InlineData("[1;2]")]
    [InlineData("[1,2,3]")]
    [InlineData("[(1,2]")]
    [InlineData("[\"1,2]")]
    [InlineData("[a,b]")]
    [InlineData("[\"\",2]")]
    [InlineData("(infinity,5]")]
    public void Other_texts_are_refused(string text) => Assert.Throws<FormatException>(() => PgRange<int>.Parse(text));

    [Fact]
    public void Bounds_outside_the_range_of_their_type_overflow()
    {
        Assert.Throws<OverflowException>(() => PgRange<int>.Parse("[1,2147483648]"));
        Assert.Throws<ArgumentNullException>(() => PgRange<int>.Parse(null!));
    }

    [Fact]
    public void Bounds_are_in_the_invariant_culture()
    {
        var before = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = { NumberDecimalSeparator = "," } };
        try
        {
            Same("[1.5,2.5)", new PgRange<decimal>(1.5m, true, 2.5m, false));
            Same("[1.5,NaN]", new PgRange<double>(1.5, double.NaN));
            Same("(0.5,)", new PgRange<float>(0.5f, false, false, 0, false, true));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void Every_type_of_a_built_in_range_is_read_as_it_was_written()
    {
        Same("[1,9223372036854775807]", new PgRange<long>(1, long.MaxValue));
        Same("[-32768,0]", new PgRange<short>(short.MinValue, 0));
        Same("[1,99999999999999999999999999]", new PgRange<BigInteger>(1, BigInteger.Parse("99999999999999999999999999", CultureInfo.InvariantCulture)));
        Same("[2026-01-02,2026-02-03)", new PgRange<DateOnly>(new(2026, 1, 2), true, new(2026, 2, 3), false));
        Same("[\"2026-01-02 03:04:05.000006\",)", new PgRange<DateTime>(new DateTime(2026, 1, 2, 3, 4, 5).AddTicks(60), true, false, default, false, true));
        Same("(,\"2026-01-02 03:04:05+00\"]", new PgRange<DateTime>(default, false, true, new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), true, false));
        Same("(,\"2026-01-02 03:04:05+05:30\"]", new PgRange<DateTimeOffset>(default, false, true, new(2026, 1, 2, 3, 4, 5, new(5, 30, 0)), true, false));
        Same("[03:04:05.5,04:00:00]", new PgRange<TimeOnly>(new(3, 4, 5, 500), new(4, 0)));
        Same("[1.03:04:05,2.00:00:00]", new PgRange<TimeSpan>(new(1, 3, 4, 5), new(2, 0, 0, 0)));
        Same("[00000001-0002-0003-0405-060708090a0b,)", new PgRange<Guid>(new(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), true, false, default, false, true));
        Same("[a,b)", new PgRange<string>("a", true, "b", false));
        Same("[\"a,b \"\"q\"\" \\\\\",\"\"]", new PgRange<string>("a,b \"q\" \\", ""));
        Same("[null,infinity]", new PgRange<string>("null", "infinity"));
        Same("(,5]", new PgRange<int?>(null, false, true, 5, true, false));
        Assert.Equal(DateTimeKind.Utc, PgRange<DateTime>.Parse("[2026-01-02 03:04:05+02,)").LowerBound.Kind);
        Assert.Equal(1, PgRange<DateTime>.Parse("[2026-01-02 03:04:05+02,)").LowerBound.Hour);
    }

    [Fact]
    public void An_infinite_bound_is_exclusive_and_has_no_value()
    {
        var range = new PgRange<int>(1, true, true, 2, true, true);
        Assert.Equal((0, false, true), (range.LowerBound, range.LowerBoundIsInclusive, range.LowerBoundInfinite));
        Assert.Equal((0, false, true), (range.UpperBound, range.UpperBoundIsInclusive, range.UpperBoundInfinite));
        Assert.False(range.IsEmpty);
        Assert.Equal(range, new PgRange<int>(9, false, true, 9, false, true));
        Assert.Equal(range.GetHashCode(), new PgRange<int>(9, false, true, 9, false, true).GetHashCode());
    }

    [Fact]
    public void Equality_compares_bounds_as_they_are()
    {
        Assert.True(new PgRange<int>(1, 2) == new PgRange<int>(1, true, 2, true));
        Assert.Equal(new PgRange<int>(1, 2).GetHashCode(), new PgRange<int>(1, true, 2, true).GetHashCode());
        Assert.True(new PgRange<int>(1, 2) != new PgRange<int>(1, true, 3, false));
        Assert.True(PgRange<int>.Empty == new PgRange<int>(7, false, 7, false));
        Assert.False(PgRange<int>.Empty.Equals((object)default(PgRange<int>)));
        Assert.Equal("(0,0)", default(PgRange<int>).ToString());
        Assert.Equal("(,)", new PgRange<int?>(null, false, null, false).ToString());
        Assert.False(new PgRange<int?>(null, false, null, false).IsEmpty);
        Assert.Equal("[2,1]", new PgRange<int>(2, 1).ToString());
    }

    [Fact]
    public void The_type_converter_converts_text()
    {
        PgRange<int>.RangeTypeConverter.Register();
        var converter = TypeDescriptor.GetConverter(typeof(PgRange<int>));
        Assert.True(converter.CanConvertFrom(typeof(string)) && converter.CanConvertTo(typeof(string)));
        Assert.False(converter.CanConvertFrom(typeof(int)) || converter.CanConvertTo(typeof(int)));
        Assert.Equal(new PgRange<int>(1, true, 2, false), converter.ConvertFrom("[1,2)"));
        Assert.Equal("[1,2]", converter.ConvertTo(new PgRange<int>(1, 2), typeof(string)));
        Assert.Equal("", converter.ConvertTo(null, typeof(string)));
        Assert.Throws<NotSupportedException>(() => converter.ConvertFrom(1));
        Assert.Throws<NotSupportedException>(() => converter.ConvertTo(new PgRange<int>(1, 2), typeof(int)));
    }

    private static void Same<T>(string text, PgRange<T> range)
    {
        Assert.Equal(text, range.ToString());
        Assert.Equal(range, PgRange<T>.Parse(text));
    }
}
