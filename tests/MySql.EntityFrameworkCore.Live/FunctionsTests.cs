using System.Text;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>EF.Functions of Pomelo's provider: each on every server, with the results that the manuals of the servers define.</summary>
public sealed class FunctionsTests
{
    private static readonly DateTime Moment = new(2024, 2, 29, 23, 30, 15, 250);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Values_become_hexadecimal_digits_and_texts_again(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var row = await items.Select(static i => new
        {
            Text = EF.Functions.Hex(i.Name), Number = EF.Functions.Hex(i.Number), Bytes = EF.Functions.Hex(i.Bytes),
            Back = EF.Functions.Unhex(EF.Functions.Hex(i.Name)), Wrong = EF.Functions.Unhex("no digits"), Missing = EF.Functions.Hex(i.Optional),
        }).SingleAsync(Stop);
        Assert.Equal(Convert.ToHexString(Encoding.UTF8.GetBytes("grüße")), row.Text);
        Assert.Equal(("FF", "010203", "grüße"), (row.Number, row.Bytes, row.Back));
        Assert.Null(row.Wrong);
        Assert.Null(row.Missing);
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.Unhex("6772C3BCC39F65") == i.Name, Stop));
        // NULL although the argument is not.
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.Unhex(i.Name) == null, Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Angles_are_converted(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var row = await items.Select(static i => new
        {
            Degrees = EF.Functions.Degrees(i.Angle), Radians = EF.Functions.Radians(i.Angle), Less = EF.Functions.Degrees(i.SmallAngle),
        }).SingleAsync(Stop);
        Assert.Equal(double.RadiansToDegrees(1.25), row.Degrees, 1e-12);
        Assert.Equal(double.DegreesToRadians(1.25), row.Radians, 1e-12);
        Assert.Equal(float.RadiansToDegrees(0.5f), row.Less, 1e-4f);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Points_in_time_are_converted_between_zones(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var row = await items.Select(static i => new
        {
            FromTo = EF.Functions.ConvertTimeZone(i.At, "+00:00", "+02:00"), Offset = EF.Functions.ConvertTimeZone(i.Zoned, "+02:00"),
            Session = EF.Functions.ConvertTimeZone(i.At, "+02:00"), System = EF.Functions.ConvertTimeZone(i.At, "SYSTEM", "+02:00"),
            Day = EF.Functions.ConvertTimeZone(i.Day, "+00:00", "-01:00"), SessionDay = EF.Functions.ConvertTimeZone(i.Day, "SYSTEM"),
            Unknown = EF.Functions.ConvertTimeZone(i.At, "+00:00", "Nowhere/Land"),
            Missing = EF.Functions.ConvertTimeZone(i.OptionalAt, "+00:00", "+02:00"), MissingDay = EF.Functions.ConvertTimeZone(i.OptionalDay, "SYSTEM"),
        }).SingleAsync(Stop);
        Assert.Equal(Moment.AddHours(2), row.FromTo);
        Assert.Equal(Moment.AddHours(2), row.Offset);
        Assert.Equal(row.System, row.Session);
        Assert.Equal(new DateOnly(2024, 2, 28), row.Day);
        Assert.Equal(new DateOnly(2024, 2, 29), row.SessionDay);
        Assert.Null(row.Unknown);
        Assert.Null(row.Missing);
        Assert.Null(row.MissingDay);
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.ConvertTimeZone(i.At, "+00:00", "Nowhere/Land") == null, Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Values_of_any_type_are_compared_with_a_pattern(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var pattern = "2024-02-%";
        Assert.Equal(1, await items.CountAsync(i => EF.Functions.Like(i.At, pattern), Stop));
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.Like(i.Number, "2_5"), Stop));
        Assert.Equal(0, await items.CountAsync(static i => EF.Functions.Like(i.Number, "2!_5", "!"), Stop));
        Assert.Equal(0, await items.CountAsync(static i => EF.Functions.Like(i.OptionalAt, "%"), Stop));
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.Like<string>(i.Name, "gr%"), Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Differences_are_counted_in_every_unit(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var end = Moment.AddDays(200);
        var row = await items.Select(i => new
        {
            Weeks = EF.Functions.DateDiffWeek(i.At, end), Quarters = EF.Functions.DateDiffQuarter(i.At, end),
            Ticks = EF.Functions.DateDiffTick(i.At, i.At.AddMilliseconds(3)), Nanoseconds = EF.Functions.DateDiffNanosecond(i.At.AddSeconds(1), i.At),
            Days = EF.Functions.DateDiffWeek(i.Day, i.Day.AddDays(-15)), Missing = EF.Functions.DateDiffQuarter(i.OptionalAt, end),
        }).SingleAsync(Stop);
        Assert.Equal((28, 2, 30_000, -1_000_000_000, -2, null), (row.Weeks, row.Quarters, row.Ticks, row.Nanoseconds, row.Days, row.Missing));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Parts_of_a_document_are_read(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var path = "$.name";
        var row = await items.Select(i => new
        {
            Json = EF.Functions.JsonExtract<string>(i.Document, path), Text = EF.Functions.JsonUnquote(EF.Functions.JsonExtract<string>(i.Document, path)),
            Int = EF.Functions.JsonExtract<int>(i.Document, "$.list[0]"), Price = EF.Functions.JsonExtract<decimal>(i.Document, "$.price"),
            Flag = EF.Functions.JsonExtract<bool>(i.Document, "$.flag"), Day = EF.Functions.JsonExtract<DateOnly>(i.Document, "$.day"),
            Nothing = EF.Functions.JsonExtract<int?>(i.Document, "$.nothing"), Missing = EF.Functions.JsonExtract<int?>(i.Document, "$.missing"),
            Two = EF.Functions.JsonExtract<string>(i.Document, "$.list[0]", "$.flag"),
        }).SingleAsync(Stop);
        Assert.Equal("\"Joe %\"", row.Json);
        Assert.Equal(("Joe %", 7, 12.5m, true, new DateOnly(2024, 2, 29)), (row.Text, row.Int, row.Price, row.Flag, row.Day));
        Assert.Null(row.Nothing);
        Assert.Null(row.Missing);
        Assert.Equal("[7, true]", row.Two);
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.JsonExtract<decimal>(i.Document, "$.price") < 95m, Stop));
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.JsonUnquote(EF.Functions.JsonExtract<string>(i.Document, "$.name")) == "Joe %", Stop));
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.JsonExtract<int?>(i.Document, "$.nothing") == null, Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Documents_are_searched(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var (one, name) = (1, "Joe %");
        var row = await items.Select(i => new
        {
            Part = EF.Functions.JsonContains(i.Document, """{"flag": true}"""), NoPart = EF.Functions.JsonContains(i.Document, """{"flag": false}"""),
            Number = EF.Functions.JsonContains(i.Document, 7, "$.list"), NoNumber = EF.Functions.JsonContains(i.Document, one, "$.list"),
            Flag = EF.Functions.JsonContains(i.Document, true, "$.flag"),
            Quoted = EF.Functions.JsonContains(i.Document, EF.Functions.JsonQuote(name), "$.name"),
            Cast = EF.Functions.JsonContains(i.Document, EF.Functions.AsJson("[8]"), "$.list"),
            Own = EF.Functions.JsonContains(i.Document, EF.Functions.JsonExtract<int>(i.Document, "$.list[1]"), "$.list"),
            Path = EF.Functions.JsonContainsPath(i.Document, "$.flag"), NoPath = EF.Functions.JsonContainsPath(i.Document, "$.missing"),
            Any = EF.Functions.JsonContainsPathAny(i.Document, "$.missing", "$.flag"),
            All = EF.Functions.JsonContainsPathAll(i.Document, "$.missing", "$.flag"),
            Found = EF.Functions.JsonSearchAny(i.Document, "j%"), FoundThere = EF.Functions.JsonSearchAny(i.Document, "Jo%", "$.name"),
            NotThere = EF.Functions.JsonSearchAny(i.Document, "Jo%", "$.day"), Escaped = EF.Functions.JsonSearchAny(i.Document, "Joe !%", "$", "!"),
            NotEscaped = EF.Functions.JsonSearchAny(i.Document, "J!%", "$", "!"),
            Overlaps = EF.Functions.JsonOverlaps(EF.Functions.JsonExtract<string>(i.Document, "$.list"), "[8, 9]"),
            Apart = EF.Functions.JsonOverlaps(EF.Functions.JsonExtract<string>(i.Document, "$.list"), "[9]"),
        }).SingleAsync(Stop);
        Assert.True(row.Part && row.Number && row.Flag && row.Quoted && row.Cast && row.Own && row.Path && row.Any
            && row.FoundThere && row.Escaped && row.Overlaps);
        Assert.False(row.NoPart || row.NoNumber || row.NoPath || row.All || row.NotThere || row.NotEscaped || row.Apart);
        Assert.Equal(1, await items.CountAsync(static i => EF.Functions.JsonContainsPath(i.Document, "$.flag")
            && EF.Functions.JsonSearchAny(i.Document, "Joe _"), Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Documents_have_a_type_and_texts_become_documents(ServerKind kind) => WithItemAsync(kind, static async items =>
    {
        var row = await items.Select(static i => new
        {
            Type = EF.Functions.JsonType(i.Document), Part = EF.Functions.JsonType(EF.Functions.JsonExtract<int>(i.Document, "$.list[0]")),
            Quoted = EF.Functions.JsonQuote(i.Name), Cast = (string?)EF.Functions.AsJson("[1]"), Whole = EF.Functions.AsJson("[1]"),
        }).SingleAsync(Stop);
        Assert.Equal(("OBJECT", "INTEGER", "\"grüße\"", "[1]"), (row.Type, row.Part, row.Quoted, row.Cast));
        Assert.True(row.Whole == "[1]" && row.Whole.ToString() == "[1]" && row.Whole.Equals(row.Whole));
    });

    [Fact]
    public async Task What_SQL_cannot_say_is_refused_before_it_is_sent()
    {
        await using var store = new Store(Servers.Options().UseMySql("Server=127.0.0.1;Database=none", ServerVersion.Parse("10.6.0-MariaDB")).Options);
        string[] paths = ["$.a", "$.b"];
        var refusal = Assert.Throws<InvalidOperationException>(
            () => store.Items.Where(i => EF.Functions.JsonContainsPathAny(i.Document, paths)).ToQueryString());
        Assert.Contains("paths that are written in the query", refusal.Message, StringComparison.Ordinal);
        refusal = Assert.Throws<InvalidOperationException>(() => store.Items.Where(static i => EF.Functions.JsonOverlaps(i.Document, "[]")).ToQueryString());
        Assert.StartsWith("10.6.0-mariadb has no JSON_OVERLAPS.", refusal.Message, StringComparison.OrdinalIgnoreCase);
        refusal = Assert.Throws<InvalidOperationException>(
            () => store.Items.Select(static i => EF.Functions.JsonExtract<TimeSpan>(i.Document, "$.a")).ToQueryString());
        Assert.Contains("in JSON cannot be read by SQL", refusal.Message, StringComparison.Ordinal);
        refusal = Assert.Throws<InvalidOperationException>(
            () => store.Items.Select(static i => EF.Functions.JsonExtract<int>(i.Document, "$.a", "$.b")).ToQueryString());
        Assert.StartsWith(
            "EF.Functions.JsonExtract with several paths returns a JSON array, not a value of type Int32.", refusal.Message, StringComparison.Ordinal);
        refusal = Assert.Throws<InvalidOperationException>(static () => EF.Functions.Hex(1));
        Assert.Contains("inside a query only", refusal.Message, StringComparison.Ordinal);
    }

    private static Task WithItemAsync(ServerKind kind, Func<IQueryable<Item>, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new Store(options), async open =>
        {
            await using var store = open();
            store.Add(new Item
            {
                Name = "grüße", Number = 255, Bytes = [1, 2, 3], Angle = 1.25, SmallAngle = 0.5f, At = Moment,
                Zoned = new(Moment, TimeSpan.Zero), Day = DateOnly.FromDateTime(Moment),
                Document = """{"name": "Joe %", "list": [7, 8], "price": 12.5, "flag": true, "day": "2024-02-29", "nothing": null}""",
            });
            await store.SaveChangesAsync(Stop);
            await test(store.Items);
        });

    private sealed class Store(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Item> Items => Set<Item>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) =>
            modelBuilder.Entity<Item>().Property(static i => i.Document).HasColumnType("json");
    }

    private sealed class Item
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public string? Optional { get; set; }

        public int Number { get; set; }

        public byte[] Bytes { get; set; } = [];

        public double Angle { get; set; }

        public float SmallAngle { get; set; }

        public DateTime At { get; set; }

        public DateTime? OptionalAt { get; set; }

        public DateTimeOffset Zoned { get; set; }

        public DateOnly Day { get; set; }

        public DateOnly? OptionalDay { get; set; }

        public string Document { get; set; } = "";
    }
}
