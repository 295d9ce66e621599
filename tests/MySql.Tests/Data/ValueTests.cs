namespace Slipstream.MySql.Tests.Data;

public class ValueTests
{
    [Fact]
    public void A_date_time_holds_what_the_calendar_does_not()
    {
        var zero = new MySqlDateTime();
        Assert.False(zero.IsValidDateTime);
        Assert.Equal("0000-00-00 00:00:00", zero.ToString());
        var error = Assert.Throws<MySqlConversionException>(() => zero.GetDateTime());
        Assert.Contains("Convert Zero DateTime=true", error.Message, StringComparison.Ordinal);
        Assert.Equal(DateTime.MinValue, (DateTime)zero);
        Assert.Throws<InvalidCastException>(() => Convert.ToDateTime(zero, System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData(2024, 2, 29, true)]
    [InlineData(2023, 2, 29, false)]
    [InlineData(2023, 0, 1, false)]
    [InlineData(2023, 1, 0, false)]
    [InlineData(2023, 13, 1, false)]
    [InlineData(10000, 1, 1, false)]
    public void A_date_is_valid_when_the_calendar_has_it(int year, int month, int day, bool expected) =>
        Assert.Equal(expected, new MySqlDateTime(year, month, day, 0, 0, 0, 0).IsValidDateTime);

    [Fact]
    public void A_date_time_converts_to_the_microsecond()
    {
        var value = new MySqlDateTime(2001, 2, 3, 4, 5, 6, 789_012);
        Assert.Equal(new DateTime(2001, 2, 3, 4, 5, 6).AddTicks(7_890_120), value.GetDateTime());
        Assert.Equal(value, new MySqlDateTime(value.GetDateTime()));
        Assert.Equal(value, new MySqlDateTime(value));
        Assert.Equal(789, value.Millisecond);
        Assert.Equal("2001-02-03 04:05:06.789012", value.ToString());
        value.Millisecond = 5;
        Assert.Equal(5000, value.Microsecond);
        Assert.Equal(value.GetDateTime(), Convert.ToDateTime(value, null));
        Assert.Equal(value.ToString(), Convert.ToString((object)value, null));
        Assert.Throws<InvalidCastException>(() => Convert.ToInt32(value, null));
    }

    [Fact]
    public void Date_times_are_ordered()
    {
        var early = new MySqlDateTime(2001, 1, 1, 0, 0, 0, 1);
        var late = new MySqlDateTime(2001, 1, 1, 0, 0, 0, 2);
        Assert.True(early < late && late > early && early <= late && late >= early && early != late && early == new MySqlDateTime(early));
        Assert.Equal(1, ((IComparable)early).CompareTo(null));
        Assert.Throws<ArgumentException>(() => ((IComparable)early).CompareTo("x"));
        Assert.Equal(early.GetHashCode(), new MySqlDateTime(early).GetHashCode());
    }

    [Fact]
    public void A_decimal_keeps_all_its_digits()
    {
        var text = "-" + new string('9', 35) + "." + new string('1', 30);
        var value = new MySqlDecimal(text);
        Assert.Equal(text, value.ToString());
        Assert.Throws<OverflowException>(() => value.Value);
        Assert.Equal(-1e35, value.ToDouble(), 1e30);
        Assert.Equal(1.50m, new MySqlDecimal("1.50").Value);
        Assert.Equal("0", default(MySqlDecimal).ToString());
        Assert.True(new MySqlDecimal("1") == new MySqlDecimal("1") && new MySqlDecimal("1") != new MySqlDecimal("2"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData(".")]
    [InlineData("1.2.3")]
    [InlineData("1e5")]
    [InlineData(" 1")]
    [InlineData("１")]
    public void Only_numbers_are_decimals(string text) => Assert.Throws<FormatException>(() => new MySqlDecimal(text));

    [Fact]
    public void A_decimal_has_at_most_66_characters_of_digits()
    {
        Assert.Equal(66, new MySqlDecimal(new string('0', 66)).ToString().Length);
        Assert.Throws<FormatException>(() => new MySqlDecimal(new string('0', 67)));
    }

    [Fact]
    public void A_geometry_is_a_reference_system_and_well_known_binary()
    {
        byte[] wkb = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0x40];
        var geometry = MySqlGeometry.FromWkb(4326, wkb);
        Assert.Equal(4326, geometry.SRID);
        Assert.Equal(wkb, geometry.WKB.ToArray());
        Assert.Equal([0xE6, 0x10, 0, 0, .. wkb], geometry.Value);
        Assert.Equal(geometry.Value, MySqlGeometry.FromMySql(geometry.Value).Value);
    }

    [Fact]
    public void A_geometry_cut_short_is_refused()
    {
        var value = MySqlGeometry.FromWkb(0, [1, 1, 0, 0, 0]).Value;
        for (var length = 0; length < value.Length; length++)
            Assert.Throws<ArgumentException>(() => MySqlGeometry.FromMySql(value.AsSpan(0, length)));
    }
}
