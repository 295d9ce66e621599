using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>White space is what C# takes for it, and Trim takes off sets of characters.</summary>
public sealed class WhiteSpaceTests
{
    // All white space, then what is next to it in Unicode or on the keyboard.
    private static readonly string[] Texts =
    [
        "", " ", "  ", "\t", "\r\n", "\u000b\u000c", "\u0085", "\u00a0", "\u1680", "\u2000\u200a", "\u2028\u2029", "\u202f\u205f\u3000", "\u200b", "\u001c",
        "\0",
        "a", " a", "a ", "\ta b\r\n", "a\n", "\n", "\n\na\n\n", "\u00a0grüße\u3000", "-[x]^-", "x-a-X", @"\\a\", "a]]", "]", "😀 a 😀",
    ];

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Texts_are_trimmed_and_empty_as_in_memory(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new Store(options), static async open =>
        {
            await using var store = open();
            store.AddRange(Texts.Select(static (text, index) => new Item { Id = index + 1, Text = text }));
            store.Add(new Item { Id = Texts.Length + 1, Text = null });
            await store.SaveChangesAsync(Stop);
            var items = await store.Items.AsNoTracking().OrderBy(static i => i.Id).ToListAsync(Stop);
            var rows = await Rows(store.Items).ToListAsync(Stop);
            Assert.Equal(Rows(items.AsQueryable()), rows);
            Assert.Equal(
                items.Where(static i => !string.IsNullOrWhiteSpace(i.Text)).Select(static i => i.Id),
                await store.Items.Where(static i => !string.IsNullOrWhiteSpace(i.Text)).OrderBy(static i => i.Id).Select(static i => i.Id).ToListAsync(Stop));
            Assert.Equal(
                items.Where(static i => i.Text != null && i.Text.Trim() == "a").Select(static i => i.Id),
                await store.Items.Where(static i => i.Text!.Trim() == "a").OrderBy(static i => i.Id).Select(static i => i.Id).ToListAsync(Stop));
        });

    private static IQueryable<Row> Rows(IQueryable<Item> items) => items.OrderBy(static i => i.Id).Select(static i => new Row(
        i.Id, string.IsNullOrWhiteSpace(i.Text), i.Text == null ? null : i.Text.Trim(), i.Text == null ? null : i.Text.TrimStart(),
        i.Text == null ? null : i.Text.TrimEnd(), i.Text == null ? null : i.Text.Trim('x', '-', '[', ']', '^', '\\'),
        i.Text == null ? null : i.Text.TrimStart('x', '\\'), i.Text == null ? null : i.Text.TrimEnd(']', 'a'), i.Text == null ? null : i.Text.Trim('x')));

    private sealed record Row(
        int Id, bool IsWhiteSpace, string? Trimmed, string? Start, string? End, string? Set, string? StartSet, string? EndSet, string? Single);

    private sealed class Store(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Item> Items => Set<Item>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) =>
            modelBuilder.Entity<Item>().Property(static i => i.Id).ValueGeneratedNever();
    }

    private sealed class Item
    {
        public int Id { get; set; }

        public string? Text { get; set; }
    }
}
