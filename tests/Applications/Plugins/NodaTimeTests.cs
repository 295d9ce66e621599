using NodaTime;
using Slipstream.Lab;
using Slipstream.PostgreSql;

namespace Slipstream.Plugins;

/// <summary>NodaTime's types on servers, in text and in binary, at the boundaries of both sides.</summary>
public class NodaTimeTests
{
    [Theory]
    [InlineData(ServerKind.PostgreSql)]
    [InlineData(ServerKind.PostgreSql18)]
    public async Task Values_are_read_sent_and_copied(ServerKind kind)
    {
        await using var database = await PluginDatabase.CreateAsync(kind);
        await using var source = database.Source(static builder => builder.UseNodaTime());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);

        void Check<T>(string type, string expression, T value)
            where T : notnull => PluginDatabase.Check(connection, type, expression, value);
        void Other<T>(string type, string expression, T value)
            where T : notnull => PluginDatabase.Other(connection, type, expression, value, isInferred: true);

        var instant = Instant.FromUtc(2026, 11, 21, 0, 35, 2) + Duration.FromNanoseconds(123_456_000L);
        Check("timestamptz", "'2026-11-21 06:05:02.123456+05:30'", instant);
        Check("timestamptz", "'4714-11-24 00:00:00+00 BC'", Instant.FromUtc(-4713, 11, 24, 0, 0));
        Check("timestamptz", "'9999-12-31 23:59:59.999998+00'", Instant.MaxValue - Duration.FromNanoseconds(1999L));
        Check("timestamptz", "'infinity'", Instant.MaxValue);
        Check("timestamptz", "'-infinity'", Instant.MinValue);
        Other("timestamptz", "'2026-11-21 06:05:02.123456+05:30'", instant.InUtc());
        Other("timestamptz", "'2026-11-21 06:05:02.123456+05:30'", instant.WithOffset(Offset.Zero));

        Check("timestamp", "'2026-11-21 06:05:02.123456'", new LocalDateTime(2026, 11, 21, 6, 5, 2).PlusNanoseconds(123_456_000));
        Check("timestamp", "'4714-11-24 00:00:00 BC'", new LocalDateTime(-4713, 11, 24, 0, 0));
        Check("timestamp", "'infinity'", LocalDateTime.MaxIsoValue);
        Check("timestamp", "'-infinity'", LocalDateTime.MinIsoValue);
        Check("date", "'2026-11-21'", new LocalDate(2026, 11, 21));
        Check("date", "'4714-11-24 BC'", new LocalDate(-4713, 11, 24));
        Check("date", "'0001-02-29 BC'", new LocalDate(0, 2, 29));
        Check("date", "'9999-12-30'", new LocalDate(9999, 12, 30));
        Check("date", "'infinity'", LocalDate.MaxIsoValue);
        Check("date", "'-infinity'", LocalDate.MinIsoValue);
        Check("time", "'06:05:02.123456'", new LocalTime(6, 5, 2).PlusNanoseconds(123_456_000));
        Check("time", "'23:59:59.999999'", new LocalTime(23, 59, 59).PlusNanoseconds(999_999_000));
        Check("timetz", "'06:05:02.5-03:30'", new OffsetTime(new(6, 5, 2, 500), Offset.FromHoursAndMinutes(-3, -30)));
        Check("timetz", "'00:00:00+15:59:59'", new OffsetTime(LocalTime.Midnight, Offset.FromSeconds(57_599)));
        Check(
            "interval", "'1 year 2 mons -3 days 04:05:06.000001'",
            new PeriodBuilder { Years = 1, Months = 2, Days = -3, Hours = 4, Minutes = 5, Seconds = 6, Nanoseconds = 1000 }.Build());
        Check("interval", "'2147483647 days'", Period.FromDays(int.MaxValue));
        Check("interval", "'-36:00:00.25'", new PeriodBuilder { Hours = -36, Milliseconds = -250 }.Build());
        Other("interval", "'1 day 12:00:00'", Duration.FromHours(36));
        Other("interval", "'-1 day -12:00:00'", -Duration.FromHours(36));
        if (kind == ServerKind.PostgreSql18)
        {
            Check("interval", "'infinity'", Period.MaxValue);
            Check("interval", "'-infinity'", Period.MinValue);
            Other("interval", "'infinity'", Duration.MaxValue);
        }
    }

    [Theory]
    [InlineData(ServerKind.PostgreSql)]
    [InlineData(ServerKind.PostgreSql18)]
    public async Task Ranges_multiranges_and_arrays(ServerKind kind)
    {
        await using var database = await PluginDatabase.CreateAsync(kind);
        await using var source = database.Source(static builder => builder.UseNodaTime());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);

        void Check<T>(string type, string expression, T value)
            where T : notnull => PluginDatabase.Check(connection, type, expression, value);
        void Other<T>(string type, string expression, T value)
            where T : notnull => PluginDatabase.Other(connection, type, expression, value);

        Instant start = Instant.FromUtc(2026, 1, 1, 0, 0), end = Instant.FromUtc(2026, 1, 2, 0, 0);
        Check("tstzrange", "'[2026-01-01 00:00+00,2026-01-02 00:00+00)'", new Interval(start, end));
        Check("tstzrange", "'(,2026-01-02 00:00+00)'", new Interval(null, end));
        Check("tstzrange", "'[2026-01-01 00:00+00,)'", new Interval(start, null));
        Check("tstzrange", "'(,)'", new Interval(null, null));
        Check("tstzrange", "'[2026-01-01 00:00+00,infinity)'", new Interval(start, Instant.MaxValue));
        Other("tstzrange", "'(2026-01-01 00:00+00,2026-01-02 00:00+00]'", new PgRange<Instant>(start, false, end, true));
        PluginDatabase.Sends(connection, "tstzrange", "'empty'", new Interval(start, start));
        Check(
            "tsrange", "'[2026-01-01 00:00,2026-01-02 00:00)'",
            new PgRange<LocalDateTime>(new(2026, 1, 1, 0, 0), true, new(2026, 1, 2, 0, 0), false));
        Check("daterange", "'[2026-01-01,2026-01-31]'", new DateInterval(new(2026, 1, 1), new(2026, 1, 31)));
        Check("daterange", "'[-infinity,infinity]'", new DateInterval(LocalDate.MinIsoValue, LocalDate.MaxIsoValue));
        Other("daterange", "'[2026-01-01,2026-02-01)'", new PgRange<LocalDate>(new(2026, 1, 1), true, new(2026, 2, 1), false));
        PluginDatabase.Value(connection, "daterange '[2026-01-01,)'", new DateInterval(new(2026, 1, 1), LocalDate.MaxIsoValue));

        Check("tstzmultirange", "'{(,2026-01-01 00:00+00),[2026-01-02 00:00+00,)}'", new Interval[] { new(null, start), new(end, null) });
        Check("tsmultirange", "'{[2026-01-01 00:00,)}'", new PgRange<LocalDateTime>[] { new(new(2026, 1, 1, 0, 0), true, false, default, false, true) });
        Check("datemultirange", "'{[2026-01-01,2026-01-31],[2026-03-01,2026-03-02]}'",
            new DateInterval[] { new(new(2026, 1, 1), new(2026, 1, 31)), new(new(2026, 3, 1), new(2026, 3, 2)) });
        Other("tstzmultirange", "'{[2026-01-01 00:00+00,)}'", new List<Interval> { new(start, null) });
        Other("daterange[]", "array['[2026-01-01,2026-01-31]'::daterange]", new[] { new DateInterval(new(2026, 1, 1), new(2026, 1, 31)) });

        Check("timestamptz[]", "array['2026-01-01 00:00+00','infinity']::timestamptz[]", new[] { start, Instant.MaxValue });
        Check("date[]", "array[['2026-01-01'],['2026-01-02']]::date[]", new LocalDate[,] { { new(2026, 1, 1) }, { new(2026, 1, 2) } });
        Other("timestamptz[]", "array['2026-01-01 00:00+00',null]::timestamptz[]", new Instant?[] { start, null });
        Other("interval[]", "array['1 mon','2 days']::interval[]", new List<Period> { Period.FromMonths(1), Period.FromDays(2) });
    }

    [Fact]
    public async Task Values_outside_the_years_of_NodaTime_are_refused_and_the_types_of_NET_are_still_read()
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql);
        await using var source = database.Source(static builder => builder.UseNodaTime());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        for (var execution = 0; execution < 2; execution++)
        {
            await using var command = new PgCommand(
                "SELECT timestamptz '294276-12-31 23:59:59.999999+00', date '5874897-12-31', time '24:00', daterange 'empty', "
                + "timestamptz '2026-01-01 00:00+00', interval '1 hour', date '2026-01-01'", connection);
            await using var reader = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
            Assert.True(await reader.ReadAsync(TestContext.Current.CancellationToken));
            for (var column = 0; column < 4; column++)
                Assert.Throws<InvalidCastException>(() => reader.GetValue(column));
            Assert.Equal(new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc), reader.GetDateTime(4));
            Assert.Equal(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero), reader.GetFieldValue<DateTimeOffset>(4));
            Assert.Equal(TimeSpan.FromHours(1), reader.GetFieldValue<TimeSpan>(5));
            Assert.Equal(new DateOnly(2026, 1, 1), reader.GetFieldValue<DateOnly>(6));
            Assert.Equal(new LocalDate(2026, 1, 1), reader.GetFieldValue<LocalDate?>(6));
        }
    }
}
