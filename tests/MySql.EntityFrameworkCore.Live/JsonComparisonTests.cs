using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Parts of documents are compared with objects and with null.</summary>
public sealed class JsonComparisonTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_null_inside_a_document_is_NULL(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Boxes(options), async create =>
        {
            await using var boxes = await FillAsync(create);
            Assert.Equal([2], await Ids(boxes.Items.Where(static b => b.Part.Inner == null)));
            Assert.Equal([1, 3], await Ids(boxes.Items.Where(static b => b.Part.Inner != null)));
            Assert.Equal([1, 2], await Ids(boxes.Items.Where(static b => b.Parts.Any(p => p.Inner == null))));
            Assert.Equal([1, 3], await Ids(boxes.Items.Where(static b => b.Parts.Any(p => p.Inner != null))));
        });

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_list_of_objects_contains_an_object_with_a_list_of_values(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Boxes(options), async create =>
        {
            await using var boxes = await FillAsync(create);
            var sought = NewPart("b", new() { Text = "x" }, 4, 5);
            Assert.Equal([1, 3], await Ids(boxes.Items.Where(b => b.Parts.Contains(sought))));
            sought = NewPart("b", new() { Text = "x" }, 5, 4);
            Assert.Empty(await Ids(boxes.Items.Where(b => b.Parts.Contains(sought))));
            Assert.Equal([1, 3], await Ids(boxes.Items.Where(
                static b => b.Parts.Contains(new Part { Name = "b", Numbers = new List<int> { 4, 5 }, Inner = new Inner { Text = "x" } }))));
        });

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_document_is_not_equal_to_NULL(ServerKind kind) =>
        await Servers.WithDatabaseAsync(kind, static options => new Boxes(options), async create =>
        {
            await using var boxes = await FillAsync(create);
            Assert.Equal([3], await Ids(boxes.Items.Where(static b => b.Part == b.Other)));
            Assert.Equal([1, 2], await Ids(boxes.Items.Where(static b => b.Part != b.Other)));
            Assert.Equal([2, 3], await Ids(boxes.Items.Where(static b => b.Part.Inner == b.Other!.Inner)));
        });

    private static async Task<Boxes> FillAsync(Func<Boxes> create)
    {
        await using (var boxes = create())
        {
            boxes.AddRange(
                new Box { Id = 1, Part = NewPart("a", new() { Text = "y" }, 1), Parts = [NewPart("a", null, 2), NewPart("b", new() { Text = "x" }, 4, 5)] },
                new Box { Id = 2, Part = NewPart("a", null), Other = NewPart("b", null), Parts = [NewPart("b", null, 4, 5)] },
                new Box
                {
                    Id = 3, Part = NewPart("a", new() { Text = "z" }, 3), Other = NewPart("a", new() { Text = "z" }, 3),
                    Parts = [NewPart("b", new() { Text = "x" }, 4, 5)],
                });
            await boxes.SaveChangesAsync(Stop);
        }

        return create();
    }

    private static Task<List<int>> Ids(IQueryable<Box> boxes) => boxes.Select(static b => b.Id).OrderBy(static id => id).ToListAsync(Stop);

    private static Part NewPart(string name, Inner? inner, params int[] numbers) => new() { Name = name, Inner = inner, Numbers = [.. numbers] };

    private sealed class Boxes(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Box> Items => Set<Box>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Box>(static box =>
        {
            box.Property(static b => b.Id).ValueGeneratedNever();
            box.ComplexProperty(static b => b.Part, static part =>
            {
                part.ToJson();
                part.ComplexProperty(static p => p.Inner);
            });
            box.ComplexProperty(static b => b.Other, static part =>
            {
                part.ToJson();
                part.ComplexProperty(static p => p.Inner);
            });
            box.ComplexCollection(static b => b.Parts, static part =>
            {
                part.ToJson();
                part.ComplexProperty(static p => p.Inner);
            });
        });
    }

    private sealed class Box
    {
        public int Id { get; set; }

        public Part Part { get; set; } = new();

        public Part? Other { get; set; }

        public List<Part> Parts { get; set; } = [];
    }

    private sealed class Part
    {
        public string Name { get; set; } = "";

        public List<int> Numbers { get; set; } = [];

        public Inner? Inner { get; set; }
    }

    private sealed class Inner
    {
        public string Text { get; set; } = "";
    }
}
