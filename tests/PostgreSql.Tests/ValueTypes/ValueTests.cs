using System.Globalization;
using System.Net;

namespace Slipstream.PostgreSql.Tests.ValueTypes;

public class ValueTests
{
    // The expected texts are what PostgreSQL 15 returns with IntervalStyle postgres; infinity is PostgreSQL 17's.
    [Theory]
    [InlineData(0, 0, 0L, "00:00:00")]
    [InlineData(14, 3, 14706500000L, "1 year 2 mons 3 days 04:05:06.5")]
    [InlineData(-14, 3, 1L, "-1 years -2 mons +3 days 00:00:00.000001")]
    [InlineData(0, -1, 3600000000L, "-1 days +01:00:00")]
    [InlineData(1, 1, -1L, "1 mon 1 day -00:00:00.000001")]
    [InlineData(12, 0, 0L, "1 year")]
    [InlineData(0, 0, 90000000000L, "25:00:00")]
    [InlineData(int.MinValue, int.MaxValue, long.MaxValue, "-178956970 years -8 mons +2147483647 days 2562047788:00:54.775807")]
    [InlineData(int.MaxValue, int.MinValue, long.MinValue, "178956970 years 7 mons -2147483648 days -2562047788:00:54.775808")]
    [InlineData(int.MaxValue, int.MaxValue, long.MaxValue, "infinity")]
    [InlineData(int.MinValue, int.MinValue, long.MinValue, "-infinity")]
    public void Intervals_have_the_servers_text(int months, int days, long time, string text)
    {
        var interval = new PgInterval(months, days, time);
        Assert.Equal((months, days, time), (interval.Months, interval.Days, interval.Time));
        Assert.Equal(text, interval.ToString());
        Assert.True(interval == new PgInterval(months, days, time) && interval.Equals((object)new PgInterval(months, days, time)));
        Assert.Equal(interval.GetHashCode(), new PgInterval(months, days, time).GetHashCode());
        Assert.True(interval != new PgInterval(months, days, time ^ 1));
    }

    [Fact]
    public void A_month_and_30_days_are_not_the_same_interval() => Assert.NotEqual(new PgInterval(1, 0, 0), new PgInterval(0, 30, 0));

    [Theory]
    [InlineData("1.2.3.4", 32, "1.2.3.4")]
    [InlineData("1.2.3.4/32", 32, "1.2.3.4")]
    [InlineData("1.2.3.4/0", 0, "1.2.3.4/0")]
    [InlineData("::1", 128, "::1")]
    [InlineData("::1/64", 64, "::1/64")]
    [InlineData("2001:db8::ffff/128", 128, "2001:db8::ffff")]
    public void Addresses_have_a_netmask(string text, byte netmask, string expected)
    {
        var inet = new PgInet(text);
        Assert.Equal((IPAddress.Parse(text.Split('/')[0]), netmask), (inet.Address, inet.Netmask));
        Assert.Equal(expected, inet.ToString());
        Assert.True(inet == new PgInet(inet.Address, netmask) && inet != new PgInet(inet.Address, (byte)(netmask ^ 1)));
        Assert.Equal(inet.GetHashCode(), new PgInet(inet.Address, netmask).GetHashCode());
        var (address, bits) = inet;
        Assert.Equal(((IPAddress)inet, inet.Netmask), (address, bits));
        Assert.Equal($"{address}/{netmask}", new PgCidr(address, netmask).ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("x")]
    [InlineData("/8")]
    [InlineData("1.2.3.4/")]
    [InlineData("1.2.3.4/x")]
    [InlineData("1.2.3.4/-1")]
    [InlineData("1.2.3.4/256")]
    [InlineData("1.2.3.4/8/9")]
    public void Other_texts_are_not_addresses(string text)
    {
        Assert.Throws<FormatException>(() => new PgInet(text));
        Assert.Throws<FormatException>(() => new PgCidr(text));
    }

    [Fact]
    public void Networks_convert_to_addresses()
    {
        Assert.Throws<FormatException>(() => new PgCidr("1.2.3.4"));
        Assert.Equal("1.0.0.0/8", new PgCidr("1.0.0.0/8").ToString());
        Assert.Equal("1.2.3.4/32", new PgCidr("1.2.3.4/32").ToString());
        Assert.Equal(new PgInet("1.0.0.0/8"), new PgCidr("1.0.0.0/8"));
        Assert.Equal(new PgInet("1.0.0.0/8"), IPNetwork.Parse("1.0.0.0/8"));
        Assert.Equal(new PgInet("::1/128"), IPAddress.IPv6Loopback);
        Assert.Equal(IPAddress.Parse("1.0.0.0"), (IPAddress)new PgCidr("1.0.0.0/8"));
        var (address, netmask) = new PgCidr("1.0.0.0/8");
        Assert.Equal((IPAddress.Parse("1.0.0.0"), 8), (address, netmask));
        Assert.Equal("/0", default(PgInet).ToString());
        Assert.True(default(PgInet) == default && default(PgCidr) == default);
        Assert.True(new PgCidr("1.0.0.0/8") != new PgCidr("1.0.0.0/9"));
        Assert.Throws<ArgumentNullException>(() => new PgInet((IPAddress)null!));
        Assert.Throws<ArgumentNullException>(() => new PgInet((string)null!));
        Assert.Throws<ArgumentNullException>(() => new PgCidr(null!, 1));
    }

    [Theory]
    [InlineData("0/0", 0UL, "0/0")]
    [InlineData("16/B374D848", 0x16_B374D848UL, "16/B374D848")]
    [InlineData("00000001/0000000a", 0x1_0000000AUL, "1/A")]
    [InlineData("FFFFFFFF/FFFFFFFF", ulong.MaxValue, "FFFFFFFF/FFFFFFFF")]
    public void Log_positions_are_two_hexadecimal_numbers(string text, ulong value, string expected)
    {
        var position = PgLogSequenceNumber.Parse(text);
        Assert.Equal(value, (ulong)position);
        Assert.Equal(expected, position.ToString());
        Assert.True(position == (PgLogSequenceNumber)value && PgLogSequenceNumber.TryParse(text, out var same) && same.Equals((object)position));
        Assert.Equal(position.GetHashCode(), new PgLogSequenceNumber(value).GetHashCode());
    }

    [Theory]
    [InlineData("")]
    [InlineData("1")]
    [InlineData("/1")]
    [InlineData("1/")]
    [InlineData(" 1/2")]
    [InlineData("1/2 ")]
    [InlineData("1/2/3")]
    [InlineData("-1/1")]
    [InlineData("g/1")]
    [InlineData("100000000/0")]
    [InlineData("0/100000000")]
    public void Other_texts_are_not_log_positions(string text)
    {
        Assert.Throws<FormatException>(() => PgLogSequenceNumber.Parse(text));
        Assert.False(PgLogSequenceNumber.TryParse(text, out var position));
        Assert.Equal(PgLogSequenceNumber.Invalid, position);
    }

    [Fact]
    public void Log_positions_are_compared_and_moved()
    {
        PgLogSequenceNumber five = new(5), nine = new(9);
        Assert.True(five < nine && nine > five && five <= nine && nine >= five && five != nine);
        Assert.Equal((nine, five), (PgLogSequenceNumber.Larger(five, nine), PgLogSequenceNumber.Smaller(five, nine)));
        Assert.Equal((-1, 0), (five.CompareTo(nine), five.CompareTo(five)));
        Assert.Equal((4UL, 4UL), (nine - five, five - nine));
        Assert.Equal((new(7), new(3), new(3)), (five + 2.5, five + -2.0, five - 1.5));
        Assert.Equal(new PgLogSequenceNumber(ulong.MaxValue), new PgLogSequenceNumber(ulong.MaxValue - 1) + 1.0);
        Assert.Throws<OverflowException>(() => new PgLogSequenceNumber(ulong.MaxValue) + 1.0);
        Assert.Throws<OverflowException>(() => five - 9.0);
        Assert.Throws<OverflowException>(() => five + 1e60);
        Assert.Throws<NotFiniteNumberException>(() => five + double.NaN);
        Assert.Throws<NotFiniteNumberException>(() => five - double.PositiveInfinity);
        Assert.Throws<ArgumentNullException>(() => PgLogSequenceNumber.Parse(null!));
        Assert.False(PgLogSequenceNumber.TryParse((string?)null, out _));
    }

    [Fact]
    public void Row_positions_are_block_and_offset()
    {
        var tid = new PgTid(uint.MaxValue, ushort.MaxValue);
        Assert.Equal("(4294967295,65535)", tid.ToString());
        var (block, offset) = tid;
        Assert.Equal((uint.MaxValue, ushort.MaxValue), (block, offset));
        Assert.True(tid == new PgTid(uint.MaxValue, ushort.MaxValue) && tid != new PgTid(uint.MaxValue, 0) && tid.Equals((object)tid));
        Assert.Equal(tid.GetHashCode(), new PgTid(uint.MaxValue, ushort.MaxValue).GetHashCode());
    }

    // What Npgsql 10.0.3 returns for the same names.
    [Theory]
    [InlineData("SomeClrName", "some_clr_name", "some_clr_name")]
    [InlineData("someName", "some_name", "some_name")]
    [InlineData("IPAddress", "ip_address", "i_p_address")]
    [InlineData("UserID", "user_id", "user_i_d")]
    [InlineData("UserIDs", "user_i_ds", "user_i_ds")]
    [InlineData("User_Name", "user_name", "user__name")]
    [InlineData("ABc", "a_bc", "a_bc")]
    [InlineData("Name12Abc", "name12abc", "name12_abc")]
    [InlineData("HTTP2Server", "http2server", "h_t_t_p2_server")]
    [InlineData("_Foo", "_foo", "__foo")]
    [InlineData("foo__bar", "foo__bar", "foo__bar")]
    [InlineData("Some Name", "some_name", "some _name")]
    [InlineData("a._B", "a_b", "a.__b")]
    [InlineData("A1 B", "a1_b", "a1 _b")]
    [InlineData("ÄÖü", "ä_öü", "ä_öü")]
    [InlineData("", "", "")]
    public void Names_become_snake_case(string name, string expected, string legacy)
    {
        Assert.Equal(expected, PgSnakeCaseNameTranslator.ConvertToSnakeCase(name));
        Assert.Equal(expected, new PgSnakeCaseNameTranslator().TranslateTypeName(name));
        Assert.Equal(expected, new PgSnakeCaseNameTranslator(CultureInfo.InvariantCulture).TranslateMemberName(name));
        Assert.Equal(legacy, new PgSnakeCaseNameTranslator(legacyMode: true).TranslateTypeName(name));
        Assert.Equal(name, new PgNullNameTranslator().TranslateTypeName(name));
        Assert.Equal(name, new PgNullNameTranslator().TranslateMemberName(name));
    }

    [Fact]
    public void Translators_refuse_null()
    {
        Assert.Throws<ArgumentNullException>(() => new PgSnakeCaseNameTranslator().TranslateTypeName(null!));
        Assert.Throws<ArgumentNullException>(() => new PgSnakeCaseNameTranslator(true).TranslateMemberName(null!));
        Assert.Throws<ArgumentNullException>(() => PgSnakeCaseNameTranslator.ConvertToSnakeCase(null!));
        Assert.Throws<ArgumentNullException>(() => new PgNullNameTranslator().TranslateTypeName(null!));
        Assert.Throws<ArgumentNullException>(() => new PgNullNameTranslator().TranslateMemberName(null!));
        Assert.Equal("x", new PgNameAttribute("x").PgName);
    }
}
