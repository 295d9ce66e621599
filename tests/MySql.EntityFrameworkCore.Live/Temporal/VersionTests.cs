using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Temporal;

/// <summary>Queries that read several versions of a row, whose primary keys are equal.</summary>
public sealed class VersionTests
{
    public static TheoryData<ServerKind, string> Zones { get; } = new() { { ServerKind.MariaDb, "+00:00" }, { ServerKind.MariaDb11, "-05:30" } };

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Zones))]
    public Task Versions_are_never_changed_and_may_be_read_by_a_change(ServerKind kind, string zone) => WithPricesAsync(kind, zone, static async context =>
    {
        var prices = context.Set<Price>();
        var versions = prices.TemporalAll();
        foreach (var query in (IQueryable<Price>[])
        [
            versions, versions.OrderBy(static p => p.Amount).Take(1), versions.Distinct(),
            versions.OrderBy(static p => p.Amount).Skip(1).Take(1).Where(static p => p.Id > 0),
        ])
        {
            var message = (await Assert.ThrowsAsync<InvalidOperationException>(() => query.ExecuteDeleteAsync(Stop))).Message;
            Assert.StartsWith("The past cannot be changed", message, StringComparison.Ordinal);
            message = (await Assert.ThrowsAsync<InvalidOperationException>(() => query.ExecuteUpdateAsync(
                static set => set.SetProperty(static p => p.Amount, 0), Stop))).Message;
            Assert.StartsWith("The past cannot be changed", message, StringComparison.Ordinal);
        }

        var present = await prices.CountAsync(Stop);
        Assert.Equal(present, await prices.Where(p => versions.Any(v => v.Id == p.Id)).ExecuteUpdateAsync(
            static set => set.SetProperty(static p => p.Amount, static p => p.Amount + 1), Stop));
        Assert.Equal(present, await prices.CountAsync(Stop));
    });

    [Theory, MemberData(nameof(Zones))]
    public Task Each_version_has_a_collection_of_its_own(ServerKind kind, string zone) => WithPricesAsync(kind, zone, static async context =>
    {
        var (prices, limits) = (context.Set<Price>(), context.Set<Limit>());
        var expected = new[] { "1:5 [1]", "1:25 [1, 2]", "1:35 [1, 2, 3]", "2:15 [1]", "2:5 [1]" };
        foreach (var query in (IQueryable<Price>[])[prices.TemporalAll(), prices.TemporalBetween(DateTime.MinValue, DateTime.MaxValue)])
        {
            // EF Core joins the rows of the collection with those that it belongs to.
            var joined = query.Select(p => new { p.Id, p.Amount, Limits = limits.Where(l => l.Most <= p.Amount).Select(static l => l.Id).ToList() });
            Assert.Equal(expected.Order(), Texts(await joined.ToListAsync(Stop), static row => $"{row.Id}:{row.Amount} {List(row.Limits)}"));
            Assert.Equal(expected.Order(), Texts(await joined.AsSplitQuery().ToListAsync(Stop), static row => $"{row.Id}:{row.Amount} {List(row.Limits)}"));
        }

        // Versions as the collection.
        var versions = prices.TemporalAll();
        var rows = await limits.Select(l => new { l.Id, Amounts = versions.Where(p => p.Amount < l.Most).Select(static p => p.Amount).ToList() })
            .ToListAsync(Stop);
        Assert.Equal(["1 []", "2 [15, 5, 5]", "3 [15, 25, 5, 5]"], Texts(rows, static row => $"{row.Id} {List(row.Amounts)}"));
    });

    [Theory, MemberData(nameof(Zones))]
    public Task Each_version_has_first_and_distinct_rows_of_its_own(ServerKind kind, string zone) => WithPricesAsync(kind, zone, static async context =>
    {
        var (prices, limits, versions) = (context.Set<Price>(), context.Set<Limit>(), context.Set<Price>().TemporalAll());
        Assert.Equal(
            ["1:25 1", "1:25 2", "1:35 1", "1:35 2", "1:5 1", "2:15 1", "2:5 1"],
            await TextsAsync(versions.SelectMany(p => limits.Where(l => l.Most <= p.Amount).OrderBy(static l => l.Id).Take(2).Select(
                l => new Row(p.Id, p.Amount, l.Id)))));
        Assert.Equal(
            ["1:25 0", "1:25 1", "1:35 0", "1:35 1", "1:5 1", "2:15 1", "2:5 1"],
            await TextsAsync(versions.SelectMany(p => limits.Where(l => l.Most <= p.Amount).Select(static l => l.Id % 2).Distinct().Select(
                parity => new Row(p.Id, p.Amount, parity)))));
        // The first of all versions, for each outer row.
        Assert.Equal(
            ["1:0 0", "2:20 15", "3:30 25"],
            await TextsAsync(limits.Select(l => new Row(
                l.Id, versions.Any(p => p.Amount < l.Most) ? l.Most : 0,
                versions.Where(p => p.Amount < l.Most).OrderByDescending(static p => p.Amount).Select(static p => p.Amount).FirstOrDefault()))));
        var first = limits.Select(l => versions.Where(p => p.Amount < l.Most).OrderByDescending(static p => p.Amount)
            .Select(p => new Row(l.Id, p.Amount, p.Id)).FirstOrDefault());
        Assert.Equal(["", "2:15 2", "3:25 1"], Texts(await first.ToListAsync(Stop), static row => $"{row}"));
        // One moment: the key is that of one row again.
        var moment = await prices.TemporalAll().Where(static p => p.Amount == 25).Select(static p => EF.Property<DateTime>(p, "PeriodStart")).SingleAsync(Stop);
        Assert.Equal(
            ["1:25 1", "1:25 2", "2:5 1"],
            await TextsAsync(prices.TemporalAsOf(moment).SelectMany(p => limits.Where(l => l.Most <= p.Amount).OrderBy(static l => l.Id).Take(2).Select(
                l => new Row(p.Id, p.Amount, l.Id)))));
    });

    [Theory, MemberData(nameof(Zones))]
    public Task Versions_have_the_owned_types_of_their_table(ServerKind kind, string zone) => WithPricesAsync(kind, zone, static async context =>
    {
        var versions = context.Set<Price>().TemporalAll();
        var expected = new[] { "1:25 b2 [t, u]", "1:35 c3 [t, u]", "1:5 a1 [t]", "2:15 none", "2:5 none" };
        Assert.Equal(expected, Texts(await versions.ToListAsync(Stop), static p => $"{p.Id}:{p.Amount} {Describe(p)}"));
        Assert.Equal(
            ["1:25 0", "1:35 0"],
            await TextsAsync(versions.Where(static p => p.Info!.Tags.Contains("u")).Select(static p => new Row(p.Id, p.Amount, 0))));
        Assert.Equal(["1:25 2"], await TextsAsync(versions.Where(static p => p.Place!.Street == "2").Select(static p => new Row(p.Id, p.Amount, 2))));

        static string Describe(Price price) => price.Info is { } info ? $"{info.Note}{price.Place?.Street} {List(info.Tags)}" : "none";
    });

    private static string List<T>(IEnumerable<T> values) => $"[{string.Join(", ", values.Select(static value => $"{value}").Order(StringComparer.Ordinal))}]";

    private static IEnumerable<string> Texts<T>(IEnumerable<T> rows, Func<T, string> text) => rows.Select(text).Order();

    private static async Task<IEnumerable<string>> TextsAsync(IQueryable<Row> rows) => Texts(await rows.ToListAsync(Stop), static row => $"{row}");

    private static Task WithPricesAsync(ServerKind kind, string zone, Func<DbContext, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new AnyModel(options, Build), async open =>
        {
            await using var context = open();
            await context.Database.OpenConnectionAsync(Stop);
            await context.Database.ExecuteSqlAsync($"SET time_zone = {zone}", Stop);
            var (first, second) = (
                new Price { Id = 1, Amount = 5, Info = new() { Note = "a", Tags = ["t"] }, Place = new() { Street = "1" } }, new Price { Id = 2, Amount = 5 });
            context.AddRange(first, second, new Limit { Id = 1, Most = 5 }, new Limit { Id = 2, Most = 20 }, new Limit { Id = 3, Most = 30 });
            await context.SaveChangesAsync(Stop);
            (first.Amount, first.Info.Note, first.Place.Street) = (25, "b", "2");
            first.Info.Tags.Add("u");
            await context.SaveChangesAsync(Stop);
            (first.Amount, first.Info.Note, first.Place.Street, second.Amount) = (35, "c", "3", 15);
            await context.SaveChangesAsync(Stop);
            context.ChangeTracker.Clear();
            await test(context);
        });

    private static void Build(ModelBuilder model)
    {
        model.Entity<Price>(static price =>
        {
            price.ToTable("prices", static table => table.IsTemporal()).Property(static p => p.Id).ValueGeneratedNever();
            price.OwnsOne(static p => p.Info, static info => info.ToJson());
            price.OwnsOne(static p => p.Place);
        });
        model.Entity<Limit>().Property(static l => l.Id).ValueGeneratedNever();
    }

    private sealed record Row(int Id, int Amount, int Value)
    {
        public override string ToString() => $"{Id}:{Amount} {Value}";
    }

    private sealed class Price
    {
        public int Id { get; set; }

        public int Amount { get; set; }

        public Info? Info { get; set; }

        public Place? Place { get; set; }
    }

    private sealed class Info
    {
        public string Note { get; set; } = "";

        public List<string> Tags { get; set; } = [];
    }

    private sealed class Place
    {
        public string Street { get; set; } = "";
    }

    private sealed class Limit
    {
        public int Id { get; set; }

        public int Most { get; set; }
    }
}
