using NodaTime;

namespace Slipstream.PostgreSql.Tests.Plugins;

/// <summary>The bytes and texts of NodaTime's types, at the boundaries of both sides.</summary>
public class NodaTimeTests
{
    private static readonly PluginTypes Types = new(static builder => builder.UseNodaTime());

    [Fact]
    public void Instants()
    {
        Types.Check("timestamptz", Instant.FromUtc(2000, 1, 1, 0, 0), "0000000000000000", "2000-01-01 00:00:00+00");
        Types.Check(
            "timestamptz", Instant.FromUtc(2000, 1, 1, 0, 0) - Duration.FromNanoseconds(1000L), "FFFFFFFFFFFFFFFF", "1999-12-31 23:59:59.999999+00");
        Types.Check("timestamptz", Instant.FromUtc(-4713, 11, 24, 0, 0), "FD0F7CC1411FA000", "4714-11-24 00:00:00+00 BC");
        Types.CheckRead("timestamptz", Instant.FromUtc(2000, 1, 1, 0, 0), "0000000000000000", "2000-01-01 05:30:00+05:30");
        Types.Check("timestamptz", Instant.MaxValue, "7FFFFFFFFFFFFFFF", "infinity");
        Types.Check("timestamptz", Instant.MinValue, "8000000000000000", "-infinity");
        Assert.Throws<InvalidCastException>(() => Types.ReadText<Instant>("timestamptz", "10000-01-01 00:00:00+00"));
        Assert.Throws<InvalidCastException>(() => Types.Read<Instant>("timestamptz", Convert.FromHexString("7FFFFFFFFFFFFFFE")));
    }

    [Fact]
    public void A_fraction_of_a_microsecond_is_cut_off_towards_the_past()
    {
        var epoch = Instant.FromUtc(2000, 1, 1, 0, 0);
        Assert.Equal(Convert.FromHexString("0000000000000000"), Types.Write("timestamptz", epoch + Duration.FromNanoseconds(999L)));
        Assert.Equal(Convert.FromHexString("FFFFFFFFFFFFFFFF"), Types.Write("timestamptz", epoch - Duration.FromNanoseconds(1L)));
        Assert.Equal(Convert.FromHexString("0000000000000001"), Types.Write("time", new LocalTime(0, 0) + Period.FromNanoseconds(1999)));
    }

    [Fact]
    public void Zones_and_offsets_are_UTC()
    {
        var instant = Instant.FromUtc(2026, 11, 21, 6, 5, 2);
        var bytes = Types.Write("timestamptz", instant);
        Assert.Equal(bytes, Types.Write("timestamptz", instant.InUtc()));
        Assert.Equal(bytes, Types.Write("timestamptz", instant.WithOffset(Offset.Zero)));
        Assert.Equal(instant.InUtc(), Types.Read<ZonedDateTime>("timestamptz", bytes));
        Assert.Equal(instant.WithOffset(Offset.Zero), Types.Read<OffsetDateTime>("timestamptz", bytes));
        Assert.Contains("ToInstant", Assert.Throws<ArgumentException>(
            () => Types.Write("timestamptz", instant.InZone(DateTimeZone.ForOffset(Offset.FromHours(1))))).Message, StringComparison.Ordinal);
        Assert.Contains("ToInstant", Assert.Throws<ArgumentException>(
            () => Types.Write("timestamptz", instant.WithOffset(Offset.FromHours(1)))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Local_times_and_dates()
    {
        Types.Check("timestamp", new LocalDateTime(2000, 1, 1, 0, 0), "0000000000000000", "2000-01-01 00:00:00");
        Types.Check("timestamp", new LocalDateTime(9999, 12, 31, 23, 59, 59).PlusNanoseconds(999_998_000), "0380E70B913B7FFE", "9999-12-31 23:59:59.999998");
        Types.Check("timestamp", LocalDateTime.MaxIsoValue, "7FFFFFFFFFFFFFFF", "infinity");
        Types.Check("timestamp", LocalDateTime.MinIsoValue, "8000000000000000", "-infinity");
        Types.Check("date", new LocalDate(2000, 1, 1), "00000000", "2000-01-01");
        Types.Check("date", new LocalDate(9999, 12, 30), "002C95D2", "9999-12-30");
        Types.Check("date", new LocalDate(0, 3, 15), "FFF4DAD5", "0001-03-15 BC");
        Types.Check("date", LocalDate.MaxIsoValue, "7FFFFFFF", "infinity");
        Types.Check("date", LocalDate.MinIsoValue, "80000000", "-infinity");
        Assert.Throws<InvalidCastException>(() => Types.ReadText<LocalDate>("date", "10000-01-01"));
        Assert.Throws<InvalidCastException>(() => Types.Read<LocalDate>("date", Convert.FromHexString("7FFFFFFE")));
        Assert.Equal(Convert.FromHexString("00000000"), Types.Write("date", new LocalDate(2000, 1, 1).WithCalendar(CalendarSystem.Coptic)));
    }

    [Fact]
    public void Times_of_the_day()
    {
        Types.Check("time", LocalTime.Midnight, "0000000000000000", "00:00:00");
        Types.Check("time", new LocalTime(23, 59, 59).PlusNanoseconds(999_999_000), "000000141DD75FFF", "23:59:59.999999");
        Types.Check("timetz", new OffsetTime(new(6, 5, 2), Offset.FromHoursAndMinutes(-3, -30)), "000000051975FF80 00003138", "06:05:02-03:30");
        Types.Check("timetz", new OffsetTime(LocalTime.Midnight, Offset.FromSeconds(57_599)), "0000000000000000 FFFF1F01", "00:00:00+15:59:59");
        Assert.Throws<InvalidCastException>(() => Types.ReadText<LocalTime>("time", "24:00:00"));
        Assert.Throws<InvalidCastException>(() => Types.ReadText<OffsetTime>("timetz", "24:00:00+00"));
        Assert.Throws<FormatException>(() => Types.Read<OffsetTime>("timetz", Convert.FromHexString("0000000000000000FFFF1F00")));
        Assert.Throws<FormatException>(() => Types.ReadText<OffsetTime>("timetz", "00:00:00+16:00:00"));
    }

    [Fact]
    public void Periods_keep_months_days_and_time_apart()
    {
        var period = new PeriodBuilder { Years = 1, Months = 2, Days = -3, Hours = 4, Minutes = 5, Seconds = 6, Nanoseconds = 1000 }.Build();
        Types.Check("interval", period, "000000036C8BC081 FFFFFFFD 0000000E", "1 year 2 mons -3 days +04:05:06.000001");
        Types.Check("interval", Period.FromHours(-36), "FFFFFFE1D33CF000 00000000 00000000", "-36:00:00");
        Types.Check("interval", Period.Zero, "0000000000000000 00000000 00000000", "00:00:00");
        Types.Check("interval", Period.MaxValue, "7FFFFFFFFFFFFFFF 7FFFFFFF 7FFFFFFF", "infinity");
        Types.Check("interval", Period.MinValue, "8000000000000000 80000000 80000000", "-infinity");
        Assert.Equal(
            Types.Write("interval", Period.FromDays(10)),
            Types.Write("interval", new PeriodBuilder { Weeks = 1, Days = 3, Ticks = 9, Milliseconds = 1, Nanoseconds = -1_000_000 }.Build()));
        foreach (var wrong in new[] { new PeriodBuilder { Years = int.MaxValue }, new() { Weeks = int.MaxValue }, new() { Hours = long.MaxValue } })
            Assert.Throws<ArgumentException>(() => Types.Write("interval", wrong.Build()));
    }

    [Fact]
    public void Durations_have_days_of_24_hours_and_no_months()
    {
        Types.Check("interval", Duration.FromHours(36), "0000000A0EEBB000 00000001 00000000", "1 day 12:00:00");
        Types.Check("interval", -Duration.FromHours(36), "FFFFFFF5F1145000 FFFFFFFF 00000000", "-1 days -12:00:00");
        Types.Check("interval", Duration.MaxValue, "7FFFFFFFFFFFFFFF 7FFFFFFF 7FFFFFFF", "infinity");
        Types.Check("interval", Duration.MinValue, "8000000000000000 80000000 80000000", "-infinity");
        Assert.Equal(Duration.FromHours(36), Types.ReadText<Duration>("interval", "36:00:00"));
        Assert.Throws<InvalidCastException>(() => Types.ReadText<Duration>("interval", "1 mon"));
        Assert.Throws<InvalidCastException>(() => Types.ReadText<Duration>("interval", "16777217 days"));
    }

    [Fact]
    public void Intervals_include_their_start_and_exclude_their_end()
    {
        Instant At(int second) => Instant.FromUtc(2000, 1, 1, 0, 0, second);
        Types.CheckRange("tstzrange", new Interval(At(0), At(1)), "02 00000008 0000000000000000 00000008 00000000000F4240");
        Types.CheckRange("tstzrange", new Interval(null, At(0)), "08 00000008 0000000000000000");
        Types.CheckRange("tstzrange", new Interval(At(0), null), "12 00000008 0000000000000000");
        Types.CheckRange("tstzrange", new Interval(null, null), "18");
        Types.CheckRange("tstzrange", new Interval(At(0), Instant.MaxValue), "02 00000008 0000000000000000 00000008 7FFFFFFFFFFFFFFF");
        Assert.Equal([1], Types.Write("tstzrange", new Interval(At(0), At(0))));
        var empty = Types.Read<Interval>("tstzrange", [1]);
        Assert.Equal(Duration.Zero, empty.Duration);

        // One microsecond is the server's resolution.
        var closed = Types.ReadText<Interval>("tstzrange", "(\"2000-01-01 00:00:00+00\",\"2000-01-01 00:00:01+00\"]");
        Assert.Equal(new Interval(At(0) + Duration.FromNanoseconds(1000L), At(1) + Duration.FromNanoseconds(1000L)), closed);
        Assert.Equal(
            Duration.Zero, Types.ReadText<Interval>("tstzrange", "(\"2000-01-01 00:00:00+00\",\"2000-01-01 00:00:00.000001+00\")").Duration);
        Assert.Equal(
            new PgRange<Instant>(At(0), false, At(1), true),
            Types.ReadText<PgRange<Instant>>("tstzrange", "(\"2000-01-01 00:00:00+00\",\"2000-01-01 00:00:01+00\"]"));
    }

    [Fact]
    public void An_interval_up_to_the_last_microsecond_is_refused()
    {
        var last = Instant.FromUtc(9999, 12, 31, 23, 59, 59).Plus(Duration.FromNanoseconds(999_999_000L));
        Assert.Equal(
            new Interval(null, last), Types.ReadText<Interval>("tstzrange", "(,\"9999-12-31 23:59:59.999999+00\")"));
        var refused = Assert.Throws<InvalidCastException>(() => Types.ReadText<Interval>("tstzrange", "(,\"9999-12-31 23:59:59.999999+00\"]"));
        Assert.Contains("9999", refused.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidCastException>(() => Types.ReadText<Interval>("tstzrange", "(\"9999-12-31 23:59:59.999999+00\",)"));
        Assert.Equal(new Interval(null, Instant.MaxValue), Types.ReadText<Interval>("tstzrange", "(,infinity]"));
    }

    // NodaTime's greatest date, and its least one, also stand for infinity.
    [Theory]
    [InlineData("[2024-01-01,9999-12-31)", "2024-01-01", "9999-12-30")]
    [InlineData("[2024-01-01,infinity)", "2024-01-01", "9999-12-31")]
    [InlineData("[-infinity,2024-01-01)", "-9998-01-01", "2023-12-31")]
    [InlineData("(9998-12-30,9999-12-30)", "9998-12-31", "9999-12-29")]
    public void A_date_interval_ends_on_the_day_before_an_excluded_one(string text, string start, string end)
    {
        var pattern = NodaTime.Text.LocalDatePattern.Iso;
        var interval = new DateInterval(pattern.Parse(start).Value, pattern.Parse(end).Value);
        Assert.Equal(interval, Types.ReadText<DateInterval>("daterange", text));
        Assert.Equal(interval, Types.Read<DateInterval>("daterange", Types.Write("daterange", interval)));
    }

    // Written back, an interval to 9999-12-31 would have no end.
    [Theory]
    [InlineData("[2024-01-01,10000-01-01)")]
    [InlineData("[2024-01-01,10000-01-02)")]
    [InlineData("(9999-12-31,10000-01-02)")]
    public void A_date_interval_to_a_later_year_is_refused(string text) =>
        Assert.Throws<InvalidCastException>(() => Types.ReadText<DateInterval>("daterange", text));

    [Fact]
    public void Date_intervals_include_both_dates()
    {
        LocalDate day = new(2000, 1, 1), next = new(2000, 1, 2);
        Types.CheckRange("daterange", new DateInterval(day, next), "06 00000004 00000000 00000004 00000001");
        Types.CheckRange(
            "daterange", new DateInterval(LocalDate.MinIsoValue, LocalDate.MaxIsoValue), "06 00000004 80000000 00000004 7FFFFFFF");
        Assert.Equal(new(day, day), Types.ReadText<DateInterval>("daterange", "[2000-01-01,2000-01-02)"));
        Assert.Equal(new(next, next), Types.ReadText<DateInterval>("daterange", "(2000-01-01,2000-01-02]"));
        Assert.Equal(new(day, LocalDate.MaxIsoValue), Types.ReadText<DateInterval>("daterange", "[2000-01-01,)"));
        Assert.Equal(new(LocalDate.MinIsoValue, day), Types.ReadText<DateInterval>("daterange", "(,2000-01-02)"));
        Assert.Equal(new(day, LocalDate.MaxIsoValue), Types.ReadText<DateInterval>("daterange", "[2000-01-01,infinity]"));
        var refused = Assert.Throws<InvalidCastException>(() => Types.ReadText<DateInterval>("daterange", "empty"));
        Assert.Contains("PgRange", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Arrays_and_multiranges_have_these_elements()
    {
        Instant?[] instants = [Instant.FromUtc(2026, 1, 2, 3, 4), null];
        Assert.Equal(instants, Types.Read<Instant?[]>("timestamptz[]", Types.Write("timestamptz[]", instants)));
        DateInterval[] dates = [new(new(2000, 1, 1), new(2000, 1, 1)), new(new(2001, 1, 1), new(2001, 1, 31))];
        Assert.Equal(dates, Types["datemultirange"].Read("{[2000-01-01,2000-01-02),[2001-01-01,2001-02-01)}"u8, isBinary: false));
        Assert.Equal(dates, Types["datemultirange"].Read(Types.Write("datemultirange", dates), isBinary: true));
        Assert.Equal([.. dates], Types.Read<List<DateInterval>>("daterange[]", Types.Write("daterange[]", dates)));
    }

    [Theory]
    [InlineData("timestamptz", typeof(Instant))]
    [InlineData("timestamp", typeof(LocalDateTime))]
    [InlineData("date", typeof(LocalDate))]
    [InlineData("time", typeof(LocalTime))]
    [InlineData("timetz", typeof(OffsetTime))]
    [InlineData("interval", typeof(Period))]
    [InlineData("tstzrange", typeof(Interval))]
    [InlineData("tsrange", typeof(PgRange<LocalDateTime>))]
    [InlineData("daterange", typeof(DateInterval))]
    [InlineData("tstzmultirange", typeof(Interval[]))]
    [InlineData("tsmultirange", typeof(PgRange<LocalDateTime>[]))]
    [InlineData("datemultirange", typeof(DateInterval[]))]
    public void GetValue_returns_the_type_of_NodaTime(string name, Type type) => Assert.Equal(type, Types[name].ClrType);

    [Theory]
    [InlineData(typeof(Instant), "timestamptz")]
    [InlineData(typeof(ZonedDateTime), "timestamptz")]
    [InlineData(typeof(OffsetDateTime), "timestamptz")]
    [InlineData(typeof(LocalDateTime), "timestamp")]
    [InlineData(typeof(LocalDate), "date")]
    [InlineData(typeof(LocalTime), "time")]
    [InlineData(typeof(OffsetTime), "timetz")]
    [InlineData(typeof(Period), "interval")]
    [InlineData(typeof(Duration), "interval")]
    [InlineData(typeof(Interval), "tstzrange")]
    [InlineData(typeof(DateInterval), "daterange")]
    [InlineData(typeof(PgRange<Instant>), "tstzrange")]
    [InlineData(typeof(PgRange<ZonedDateTime>), "tstzrange")]
    [InlineData(typeof(PgRange<LocalDateTime>), "tsrange")]
    [InlineData(typeof(PgRange<LocalDate>), "daterange")]
    [InlineData(typeof(Interval[]), "tstzmultirange")]
    [InlineData(typeof(List<DateInterval>), "datemultirange")]
    [InlineData(typeof(PgRange<LocalDateTime>[]), "tsmultirange")]
    [InlineData(typeof(Instant[]), "timestamptz[]")]
    [InlineData(typeof(Instant?[]), "timestamptz[]")]
    [InlineData(typeof(List<Period>), "interval[]")]
    public void A_type_follows_from_the_value(Type type, string name) => Assert.Equal(Types[name].Oid, Types.Catalogue.ForClr(type)?.Oid);

    [Fact]
    public void The_types_of_NET_are_still_read_and_sent()
    {
        Assert.Equal(new DateOnly(2000, 1, 1), Types.Read<DateOnly>("date", [0, 0, 0, 0]));
        Assert.Equal(new PgRange<DateOnly>(new(2000, 1, 1), new(2000, 1, 2)), Types.ReadText<PgRange<DateOnly>>("daterange", "[2000-01-01,2000-01-02]"));
        Assert.Equal([0, 0, 0, 0], Types.Write("date", new DateOnly(2000, 1, 1)));
        Assert.Equal(Types["date"].Oid, Types.Catalogue.ForClr(typeof(DateOnly))?.Oid);
    }
}
