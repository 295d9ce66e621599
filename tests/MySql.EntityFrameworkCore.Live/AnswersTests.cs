using System.ComponentModel.DataAnnotations.Schema;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Answers in places where SQL means something else than C#.</summary>
public sealed class AnswersTests
{
    private static readonly Guid First = new("00112233-4455-6677-8899-aabbccddeeff");
    private static readonly Guid Second = new("ffeeddcc-bbaa-9988-7766-554433221100");

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task ExecuteUpdate_sees_the_old_values_in_every_expression(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.AddRange(new Item { A = 1, B = 2, C = 3 }, new Item { A = 10, B = 20, C = 30 });
        await store.SaveChangesAsync(Stop);
        await store.Items.ExecuteUpdateAsync(
            static set => set.SetProperty(static i => i.A, static i => i.B).SetProperty(static i => i.B, static i => i.A), Stop);
        Assert.Equal("2 1 3, 20 10 30", await StateAsync());
        await store.Items.ExecuteUpdateAsync(
            static set => set.SetProperty(static i => i.A, static i => i.A + 1).SetProperty(static i => i.B, static i => i.A)
                .SetProperty(static i => i.C, static i => i.B),
            Stop);
        Assert.Equal("3 2 1, 21 20 10", await StateAsync());
        await store.Items.Where(i => store.Items.Any(other => other.A > i.A)).ExecuteUpdateAsync(
            static set => set.SetProperty(static i => i.A, static i => i.C).SetProperty(static i => i.B, static i => i.A)
                .SetProperty(static i => i.C, static i => i.B),
            Stop);
        Assert.Equal("1 3 2, 21 20 10", await StateAsync());

        async Task<string> StateAsync() =>
            string.Join(", ", await store.Items.AsNoTracking().OrderBy(static i => i.Id).Select(static i => i.A + " " + i.B + " " + i.C).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_document_is_compared_by_its_value(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.AddRange(new Item { Place = new() { Town = "Bern", Number = 7 } }, new Item { Place = new() { Town = "bern", Number = 7 } });
        await store.SaveChangesAsync(Stop);
        var sought = new Place { Town = "Bern", Number = 7 };
        Assert.Equal(1, await store.Items.CountAsync(i => i.Place == sought, Stop));
        Assert.Equal(1, await store.Items.CountAsync(i => i.Place != sought, Stop));
        Assert.Equal(2, await store.Items.CountAsync(i => store.Items.Any(other => other.Place == i.Place), Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_list_that_JSON_cannot_carry_is_refused_as_one_parameter(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.Add(new Item { Time = TimeSpan.FromHours(5), Binary = First, Text = First, Bytes = [1, 2] });
        await store.SaveChangesAsync(Stop);
        TimeSpan[] times = [TimeSpan.FromHours(5)];
        Guid[] guids = [First];
        byte[][] bytes = [[1, 2]];
        Assert.Equal(1, await store.Items.CountAsync(i => times.Contains(i.Time) && guids.Contains(i.Binary) && bytes.Contains(i.Bytes), Stop));
        Assert.Equal(1, await store.Items.CountAsync(i => EF.Parameter(guids).Contains(i.Text), Stop));
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => store.Items.CountAsync(i => EF.Parameter(times).Contains(i.Time), Stop));
        Assert.Contains("A list of TimeSpan cannot be one parameter", refusal.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<InvalidOperationException>(() => store.Items.CountAsync(i => EF.Parameter(guids).Contains(i.Binary), Stop));
        await Assert.ThrowsAsync<InvalidOperationException>(() => store.Items.CountAsync(i => EF.Parameter(bytes).Contains(i.Bytes), Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Guids_in_bytes_and_in_text_are_compared(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.AddRange(new Item { Binary = First, Text = First }, new Item { Binary = Second, Text = First });
        await store.SaveChangesAsync(Stop);
        Assert.Equal(1, await store.Items.CountAsync(static i => i.Binary == i.Text, Stop));
        Assert.Equal(1, await store.Items.CountAsync(static i => i.Text != i.Binary, Stop));
        Assert.Equal(2, await store.Items.Join(store.Items, static i => i.Binary, static j => j.Text, static (i, j) => j.Id).CountAsync(Stop));
        Assert.Equal(
            [First.ToString(), Second.ToString()], await store.Items.OrderBy(static i => i.Id).Select(static i => i.Binary.ToString()).ToListAsync(Stop));
        Assert.Equal(1, await store.Items.CountAsync(static i => i.Binary.ToString().StartsWith("ffee"), Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task The_length_of_bytes_is_a_condition(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.AddRange(new Item { Bytes = [] }, new Item { Bytes = [1, 2, 3] });
        await store.SaveChangesAsync(Stop);
        Assert.Equal(1, await store.Items.CountAsync(static i => i.Bytes.Length > 2, Stop));
        Assert.Equal([0, 3], await store.Items.OrderBy(static i => i.Id).Select(static i => i.Bytes.Length).ToListAsync(Stop));
    });

    // Error 1690.
    [Theory, MemberData(nameof(Kinds))]
    public Task Unsigned_columns_can_have_negative_differences(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.Add(new Item { Small = 3, Short = 4, Whole = 5 });
        await store.SaveChangesAsync(Stop);
        Assert.Equal(
            (-2, -1, -4L, -12),
            await store.Items.Select(static i => new ValueTuple<int, int, long, int>(i.Small - 5, i.Small - i.Short, i.Whole - 9L, i.Short * -3))
                .SingleAsync(Stop));
        Assert.Equal(1, await store.Items.CountAsync(static i => i.Small - i.Short < 0, Stop));
    });

    // Error 1690, too.
    [Theory, MemberData(nameof(Kinds))]
    public Task Unsigned_columns_can_have_negative_quotients(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.Add(new Item { A = -2, Small = 7, Short = 9, Whole = 11 });
        await store.SaveChangesAsync(Stop);
        Assert.Equal(
            (-3, -4, -5L, 1),
            await store.Items.Select(static i => new ValueTuple<int, int, long, int>(i.Small / -2, i.Short / i.A, i.Whole / (long)i.A, i.Short / i.Small))
                .SingleAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task An_index_into_a_table_that_depends_on_a_row_is_refused(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.Add(new Item { A = 1, Numbers = [5, 6, 7] });
        await store.SaveChangesAsync(Stop);
        Assert.Equal(6, await store.Items.Select(static i => i.Numbers[i.A]).SingleAsync(Stop));
        int[] list = [1, 2, 3];
        Assert.Equal(2, await store.Items.Select(i => list[i.A]).SingleAsync(Stop));
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(
            () => store.Items.Select(i => store.Items.OrderBy(static o => o.Id).Select(static o => o.A).ElementAt(i.A)).ToListAsync(Stop));
        Assert.Contains("LIMIT takes constants and parameters only", refusal.Message, StringComparison.Ordinal);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Limits_of_limits_are_taken(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.AddRange(new Item { A = 1 }, new Item { A = 2 }, new Item { A = 3 });
        await store.SaveChangesAsync(Stop);
        var (few, many) = (2, 5);
        Assert.Equal([1, 2], await store.Items.OrderBy(static i => i.A).Take(many).Take(few).Select(static i => i.A).ToListAsync(Stop));
        Assert.Equal(3, await store.Items.OrderByDescending(static i => i.A).Take(1).Select(static i => i.A).SingleAsync(Stop));
        Assert.Equal(2, await store.Items.OrderBy(static i => i.A).Skip(1).Take(few).Select(static i => i.A).FirstAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task An_ordinal_comparison_sees_blanks_at_the_end(ServerKind kind) => WithStoreAsync(
        kind,
        static async store =>
        {
            store.AddRange(new Item { Name = "a" }, new Item { Name = "a " });
            await store.SaveChangesAsync(Stop);
            Assert.Equal(1, await store.Items.CountAsync(static i => i.Name.Equals("a", StringComparison.Ordinal), Stop));
            Assert.Equal(1, await store.Items.CountAsync(static i => i.Name.Equals("A ", StringComparison.OrdinalIgnoreCase), Stop));
        },
        static options => options.EnableStringComparisonTranslations());

    [Theory, MemberData(nameof(Kinds))]
    public Task A_StringComparison_without_its_option_is_refused_with_the_options_name(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(
            () => store.Items.CountAsync(static i => i.Name.StartsWith("ab", StringComparison.Ordinal), Stop));
        Assert.Contains("EnableStringComparisonTranslations()", refusal.Message, StringComparison.Ordinal);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Names_of_a_document_are_quoted_in_paths(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.AddRange(new Item { Place = new() { Odd = 4 } }, new Item { Place = new() { Odd = 5 } });
        await store.SaveChangesAsync(Stop);
        Assert.Equal(1, await store.Items.CountAsync(static i => i.Place.Odd == 5, Stop));
        await store.Items.Where(static i => i.Place.Odd == 4).ExecuteUpdateAsync(static set => set.SetProperty(static i => i.Place.Odd, 6), Stop);
        Assert.Equal([6, 5], await store.Items.OrderBy(static i => i.Id).Select(static i => i.Place.Odd).ToListAsync(Stop));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task The_first_conflict_of_a_batch_is_reported(ServerKind kind) => WithStoreAsync(kind, static async store =>
    {
        store.AddRange(new Item { A = 1 }, new Item { A = 2 }, new Stamped { Value = 1 }, new Stamped { Value = 2 });
        await store.SaveChangesAsync(Stop);
        await store.Database.ExecuteSqlRawAsync("DELETE FROM Stamps WHERE Value = 1; DELETE FROM Items WHERE A = 2", Stop);
        foreach (var item in store.Items.Local)
            item.B = 100;
        foreach (var stamped in store.Stamps.Local)
            stamped.Value += 10;
        var conflict = await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => store.SaveChangesAsync(Stop));
        var item2 = store.Items.Local.Single(static i => i.A == 2);
        var stamp1 = store.Stamps.Local.Single(static s => s.Value == 11);
        // EF Core sorts the commands by table.
        Assert.Equal(store.Model.FindEntityType(typeof(Item))!.GetTableName() == "Items" ? (object)item2 : stamp1, conflict.Entries.Single().Entity);
    });

    private static Task WithStoreAsync(ServerKind kind, Func<Store, Task> test, Action<MySqlDbContextOptionsBuilder>? optionsAction = null) =>
        Servers.WithDatabaseAsync(
            kind, static options => new Store(options),
            async open =>
            {
                await using var store = open();
                await test(store);
            },
            optionsAction);

    private sealed class Store(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Item> Items => Set<Item>();

        public DbSet<Stamped> Stamps => Set<Stamped>();

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Item>().ComplexProperty(
                static item => item.Place,
                static place =>
                {
                    place.ToJson();
                    place.Property(static p => p.Odd).HasJsonPropertyName("9x-y");
                });
            modelBuilder.Entity<Item>().Property(static item => item.Binary).HasColumnType("binary(16)");
            modelBuilder.Entity<Stamped>().Property(static stamped => stamped.Stamp).IsRowVersion();
        }
    }

    private sealed class Item
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public int A { get; set; }

        public int B { get; set; }

        public int C { get; set; }

        public byte Small { get; set; }

        public ushort Short { get; set; }

        public uint Whole { get; set; }

        public TimeSpan Time { get; set; }

        public Guid Binary { get; set; }

        public Guid Text { get; set; }

        public byte[] Bytes { get; set; } = [];

        public int[] Numbers { get; set; } = [];

        public Place Place { get; set; } = new();
    }

    [ComplexType]
    private sealed class Place
    {
        public string Town { get; set; } = "";

        public int Number { get; set; }

        public int Odd { get; set; }
    }

    private sealed class Stamped
    {
        public int Id { get; set; }

        public int Value { get; set; }

        public DateTime Stamp { get; set; }
    }
}
