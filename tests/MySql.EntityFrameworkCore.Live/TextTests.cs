using System.Text.RegularExpressions;
using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Texts are searched, trimmed and converted on the server as they are in memory.</summary>
public sealed class TextTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Nothing_starts_or_ends_with_a_text_that_is_NULL(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var cities = ShopFixture.Data.Customers.ConvertAll(static c => c.City);
        var pairs = shop.Customers.SelectMany(_ => shop.Customers, static (a, b) => new { A = a.City, B = b.City });
        int Expected(Func<string, string, bool> test) => cities.Sum(a => cities.Count(b => a is not null && b is not null && test(a, b)));
        Assert.Equal(Expected(static (a, b) => a.StartsWith(b, StringComparison.Ordinal)), await pairs.CountAsync(static p => p.A!.StartsWith(p.B!), Stop));
        Assert.Equal(Expected(static (a, b) => a.EndsWith(b, StringComparison.Ordinal)), await pairs.CountAsync(static p => p.A!.EndsWith(p.B!), Stop));
        Assert.Equal(Expected(static (a, b) => a.Contains(b, StringComparison.Ordinal)), await pairs.CountAsync(static p => p.A!.Contains(p.B!), Stop));
        Assert.Equal(
            (cities.Count * cities.Count) - Expected(static (a, b) => a.StartsWith(b, StringComparison.Ordinal)),
            await pairs.CountAsync(static p => !p.A!.StartsWith(p.B!), Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task An_empty_pattern_matches_every_text(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var pattern = "";
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => Regex.IsMatch(p.Name, pattern)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => Regex.IsMatch(p.Name, "")).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => Regex.IsMatch("Café 03", p.Name.Substring(0, p.Id % 2))).Select(p => p.Id));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_set_of_characters_is_trimmed(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, Text = p.Name.TrimEnd('x', '3', '1') }));
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, Text = p.Name.TrimStart('c', 'C', 'a') }));
        await Same.InAnyOrderAsync(
            shop, t => t.Customers.Where(c => c.City != null).Select(c => new { c.Id, Text = c.City!.Trim('B', 'z', ']', '^', '\\', 'n', '%', '_', 'a') }));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_text_of_a_number_is_compared_with_a_column_of_another_collation(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Notes(options), async create =>
        {
            await using var notes = create();
            notes.AddRange(new Note { Id = 12, Text = "12", At = new(2024, 5, 6) }, new Note { Id = 13, Text = "2024-05-06", At = new(2024, 5, 6) });
            await notes.SaveChangesAsync(Stop);
            Assert.Equal([12], await notes.Set<Note>().Where(static n => n.Text == n.Id.ToString()).Select(static n => n.Id).ToListAsync(Stop));
            Assert.Equal([13], await notes.Set<Note>().Where(static n => n.Text == n.At.ToString()).Select(static n => n.Id).ToListAsync(Stop));
            Assert.Equal(
                [12], await notes.Set<Note>().Where(static n => n.Text.Replace(n.Text, n.Id.ToString()) == n.Text).Select(static n => n.Id).ToListAsync(Stop));
        });

    // MySQL itself compares by the collation of the literal.
    [Theory, MemberData(nameof(Kinds))]
    public async Task A_column_is_sought_in_a_literal_by_its_own_collation(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Notes(options), async create =>
        {
            await using var notes = create();
            notes.AddRange(new Note { Id = 1, Text = "ABC", At = new(2024, 5, 6) }, new Note { Id = 2, Text = "abc", At = new(2024, 5, 6) });
            await notes.SaveChangesAsync(Stop);
            var text = "xx abc";
            Assert.Equal([2], await notes.Set<Note>().Where(static n => "xx abc".Contains(n.Text)).Select(static n => n.Id).ToListAsync(Stop));
            Assert.Equal([2], await notes.Set<Note>().Where(n => text.Contains(n.Text)).Select(static n => n.Id).ToListAsync(Stop));
            Assert.Equal([-1, 3], await notes.Set<Note>().OrderBy(static n => n.Id).Select(n => text.IndexOf(n.Text)).ToListAsync(Stop));
        });

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_length_of_a_text_of_raw_SQL_is_a_condition(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var names = shop.Database.SqlQueryRaw<string>("SELECT `Name` AS `Value` FROM `Products`").Where(static name => name.Length == 8);
        Assert.Equal(ShopFixture.Data.Products.Count(static p => p.Name.Length == 8), await names.CountAsync(Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Numbers_become_booleans(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => Convert.ToBoolean(p.Id - 3) && Convert.ToBoolean(p.IsNew)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => Convert.ToBoolean((object)p.Id)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, A = Convert.ToBoolean(p.Weight), B = Convert.ToBoolean(p.Price - 0.5m) }));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_float_becomes_the_decimal_that_it_shows(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await Same.InAnyOrderAsync(shop, t => t.Lines.Select(l => new { l.OrderId, l.Number, Discount = (double)(decimal)l.Discount }));
        var sum = ShopFixture.Data.Lines.Sum(static l => (decimal)l.Discount);
        Assert.Equal(sum, await shop.Lines.SumAsync(static l => (decimal)l.Discount, Stop));
        Assert.Equal(sum, await shop.Lines.SumAsync(static l => Convert.ToDecimal(l.Discount), Stop));
    }

    private sealed class Notes(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Note>().Property(static note => note.Id).ValueGeneratedNever();
            modelBuilder.Entity<Note>().Property(static note => note.Text).UseCollation("utf8mb4_bin");
        }
    }

    private sealed class Note
    {
        public int Id { get; set; }

        public string Text { get; set; } = "";

        public DateOnly At { get; set; }
    }
}
