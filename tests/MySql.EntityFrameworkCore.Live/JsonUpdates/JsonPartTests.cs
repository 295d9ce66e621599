using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.JsonUpdates;

/// <summary>ExecuteUpdate sets elements of lists, lists and objects inside documents.</summary>
public sealed class JsonPartTests
{
    private static readonly Guid SomeGuid = new("0f8fad5b-d9cb-469f-a165-708677289501");
    private static readonly DateTime SomeDate = new(2024, 5, 6, 7, 8, 9, 120);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task An_element_of_a_list_of_values_is_set_to_a_column(ServerKind kind) => ChangeAsync(
        kind,
        static set => set.SetProperty(static b => b.Part.Dates[1], static b => b.Date).SetProperty(static b => b.Part.Guids[0], static b => b.Guid)
            .SetProperty(static b => b.Part.Span, static b => b.Date - b.Date.Date).SetProperty(static b => b.Dates[0], static b => b.Date)
            .SetProperty(static b => b.Part.Prices[0], static b => b.Price),
        static box =>
        {
            Assert.Equal([new DateTime(2000, 1, 1), SomeDate], box.Part.Dates);
            Assert.Equal([SomeGuid, Guid.Empty], box.Part.Guids);
            Assert.Equal(new TimeSpan(0, 7, 8, 9, 120), box.Part.Span);
            Assert.Equal([SomeDate, new DateTime(2001, 1, 1)], box.Dates);
            Assert.Equal([7.25m], box.Part.Prices);
        });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_list_of_values_is_set_to_a_list_in_a_column(ServerKind kind) => ChangeAsync(
        kind, static set => set.SetProperty(static b => b.Part.Dates, static b => b.Dates).SetProperty(static b => b.Part.Inner!.Text, static b => b.Text),
        static box =>
        {
            Assert.Equal([new DateTime(2000, 1, 1), new DateTime(2001, 1, 1)], box.Part.Dates);
            Assert.Equal("text", box.Part.Inner!.Text);
        });

    [Theory, MemberData(nameof(Kinds))]
    public Task An_object_is_set_to_a_constant_a_parameter_and_another_object(ServerKind kind)
    {
        var inner = new Inner { Text = "par\"am", Moment = new(2020, 1, 1, 0, 0, 0, TimeSpan.FromHours(2)), Bytes = [0xfb, 0xef] };
        return ChangeAsync(
            kind,
            set => set.SetProperty(static b => b.Part.Inner, inner).SetProperty(static b => b.Part.Second, static b => b.Other.Inner)
                .SetProperty(static b => b.Part.First, static b => new Inner { Text = "const" }),
            box =>
            {
                Assert.Equal((inner.Text, inner.Moment, "++8="), (box.Part.Inner!.Text, box.Part.Inner.Moment, Convert.ToBase64String(box.Part.Inner.Bytes)));
                Assert.Equal(("const", "other"), (box.Part.First!.Text, box.Part.Second!.Text));
            });
    }

    [Theory, MemberData(nameof(Kinds))]
    public Task An_object_is_set_to_null(ServerKind kind) => ChangeAsync(
        kind, static set => set.SetProperty(static b => b.Part.Inner, static b => (Inner?)null), static box => Assert.Null(box.Part.Inner));

    [Theory, MemberData(nameof(Kinds))]
    public Task A_Guid_of_a_binary_column_is_a_text_in_the_document(ServerKind kind) => ChangeAsync(
        kind, static set => set.SetProperty(static b => b.Part.Guids[1], static b => b.BinaryGuid), static box => Assert.Equal(SomeGuid, box.Part.Guids[1]));

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_value_that_a_column_stores_in_another_form_is_refused(ServerKind kind)
    {
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => ChangeAsync(
            kind, static set => set.SetProperty(static b => b.Part.Color, static b => b.ColorText), static _ => { }));
        Assert.StartsWith("ExecuteUpdate cannot set 'Color' in a document: it is stored as Int32 there, and the new value as String.", error.Message);
    }

    // The text of a duration contains the number several times, each with another random number.
    [Theory, MemberData(nameof(Kinds))]
    public async Task A_random_duration_is_refused(ServerKind kind)
    {
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => ChangeAsync(
            kind, static set => set.SetProperty(static b => b.Part.Span, static b => (b.Date - b.Date.Date) * EF.Functions.Random()), static _ => { }));
        Assert.StartsWith("ExecuteUpdate cannot set 'Span' in a document to a random duration", error.Message);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task An_object_in_columns_is_refused_as_the_value_of_an_object_in_a_document(ServerKind kind)
    {
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => ChangeAsync(
            kind, static set => set.SetProperty(static b => b.Part.Inner, static b => b.InColumns), static _ => { }));
        Assert.StartsWith("ExecuteUpdate sets an object in a document to a value", error.Message);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task SaveChanges_writes_a_decimal_of_a_part_as_it_does_in_a_whole_document(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Owners(options), async create =>
        {
            await using var owners = create();
            var (changed, added) = (new Owner { Id = 1, Owned = new() { Price = 1 } }, new Owner { Id = 2, Owned = new() { Price = -12345678901234567.89m } });
            owners.AddRange(changed, added);
            await owners.SaveChangesAsync(Stop);
            changed.Owned.Price = added.Owned.Price;
            await owners.SaveChangesAsync(Stop);
            var texts = await owners.Database.SqlQuery<string>($"SELECT REPLACE(CONCAT(Owned), ' ', '') AS `Value` FROM `Items` ORDER BY Id").ToListAsync(Stop);
            Assert.Equal(["{\"Price\":\"-12345678901234567.89\"}", "{\"Price\":\"-12345678901234567.89\"}"], texts);
            changed.Owned.Price = 0.25m;
            await owners.SaveChangesAsync(Stop);
            owners.ChangeTracker.Clear();
            Assert.Equal(0.25m, (await owners.Items.SingleAsync(static o => o.Owned.Price == 0.25m, Stop)).Owned.Price);
        });

    private static Task ChangeAsync(ServerKind kind, Action<UpdateSettersBuilder<Box>> set, Action<Box> check) =>
        Servers.WithDatabaseAsync(kind, static options => new Boxes(options), async create =>
        {
            await using var boxes = create();
            boxes.Add(new Box
            {
                Id = 1, Date = SomeDate, Guid = SomeGuid, BinaryGuid = SomeGuid, Price = 7.25m, Text = "text", Dates = [new(2000, 1, 1), new(2001, 1, 1)],
                Part = new()
                {
                    Dates = [new(2000, 1, 1), new(2001, 1, 1)], Guids = [Guid.Empty, Guid.Empty], Prices = [1],
                    Inner = new() { Text = "inner" }, Second = new(),
                },
                Other = new() { Inner = new() { Text = "other", Bytes = [1] } },
            });
            await boxes.SaveChangesAsync(Stop);
            Assert.Equal(1, await boxes.Items.ExecuteUpdateAsync(set, Stop));
            check(await boxes.Items.AsNoTracking().SingleAsync(Stop));
        });

    private sealed class Owners(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Owner> Items => Set<Owner>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Owner>(static owner =>
        {
            owner.Property(static o => o.Id).ValueGeneratedNever();
            owner.OwnsOne(static o => o.Owned, static owned => owned.ToJson());
        });
    }

    private sealed class Owner
    {
        public int Id { get; set; }

        public Owned Owned { get; set; } = new();
    }

    private sealed class Owned
    {
        public decimal Price { get; set; }
    }

    private sealed class Boxes(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Box> Items => Set<Box>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Box>(static box =>
        {
            box.Property(static b => b.Id).ValueGeneratedNever();
            box.Property(static b => b.BinaryGuid).HasColumnType("binary(16)");
            box.Property(static b => b.ColorText).HasConversion<string>();
            box.ComplexProperty(static b => b.InColumns);
            box.ComplexProperty(static b => b.Part, static part => part.ToJson());
            box.ComplexProperty(static b => b.Other, static part => part.ToJson());
        });
    }

    private sealed class Box
    {
        public int Id { get; set; }

        public DateTime Date { get; set; }

        public Guid Guid { get; set; }

        public Guid BinaryGuid { get; set; }

        public decimal Price { get; set; }

        public string Text { get; set; } = "";

        public Color ColorText { get; set; }

        public List<DateTime> Dates { get; set; } = [];

        public Inner InColumns { get; set; } = new();

        public Part Part { get; set; } = new();

        public Part Other { get; set; } = new();
    }

    private sealed class Part
    {
        public Color Color { get; set; }

        public List<DateTime> Dates { get; set; } = [];

        public List<Guid> Guids { get; set; } = [];

        public TimeSpan Span { get; set; }

        public List<decimal> Prices { get; set; } = [];

        public Inner? Inner { get; set; }

        public Inner? First { get; set; }

        public Inner? Second { get; set; }
    }

    private sealed class Inner
    {
        public string Text { get; set; } = "";

        public DateTimeOffset Moment { get; set; }

        public byte[] Bytes { get; set; } = [];
    }
}
