using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Collections of values, complex types and owned types as JSON.</summary>
public sealed class JsonTests : IAsyncDisposable
{
    private readonly List<Papers> _contexts = [];

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Collections_of_values_come_back(ServerKind kind)
    {
        await using var papers = await CreateAsync(kind);
        var paper = await papers.Items.SingleAsync(static p => p.Id == 1, Stop);
        Assert.Equal(["a", "b's", "☃"], paper.Words);
        Assert.Equal([3, 1, 2], paper.Numbers);
        Assert.Equal([new DateTime(2020, 1, 2, 3, 4, 5), new DateTime(2021, 6, 7)], paper.Times);
        Assert.Equal([1, null, 3], paper.Maybe);
        paper.Words.Add("more");
        paper.Numbers[0] = 30;
        await papers.SaveChangesAsync(Stop);
        papers.ChangeTracker.Clear();
        paper = await papers.Items.SingleAsync(static p => p.Id == 1, Stop);
        Assert.Equal("more", paper.Words[^1]);
        Assert.Equal([30, 1, 2], paper.Numbers);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Collections_of_values_are_searched(ServerKind kind)
    {
        await using var papers = await CreateAsync(kind);
        Assert.Equal([1], await Ids(papers.Items.Where(static p => p.Words.Contains("b's"))));
        Assert.Equal([1, 2], await Ids(papers.Items.Where(static p => p.Numbers.Length == 3)));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Numbers[1] == 20)));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Numbers.Any(n => n > 15))));
        Assert.Equal([3], await Ids(papers.Items.Where(static p => !p.Words.Any())));
        Assert.Equal([1], await Ids(papers.Items.Where(static p => p.Times.Contains(new DateTime(2021, 6, 7)))));
        Assert.Equal([1], await Ids(papers.Items.Where(static p => p.Maybe.Contains(null))));
        Assert.Equal([1, 2], await Ids(papers.Items.Where(static p => p.Words.First().StartsWith('a') || p.Words.OrderByDescending(w => w).First() == "z")));
        Assert.Equal(
            [(1, 3), (1, 1), (1, 2), (2, 10), (2, 20), (2, 30)],
            (await papers.Items.SelectMany(static p => p.Numbers, static (p, n) => new { p.Id, n }).ToListAsync(Stop)).Select(static x => (x.Id, x.n)));
        Assert.Equal(
            [6, 60, null],
            await papers.Items.OrderBy(static p => p.Id).Select(static p => (int?)p.Numbers.Sum() == 0 ? null : (int?)p.Numbers.Sum()).ToListAsync(Stop));
        int[] sought = [1, 3];
        Assert.Equal([1, 3], await Ids(papers.Items.Where(p => EF.Parameter(sought).Contains(p.Id))));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Complex_types_come_back_and_are_searched(ServerKind kind)
    {
        await using var papers = await CreateAsync(kind);
        var paper = await papers.Items.AsNoTracking().SingleAsync(static p => p.Id == 2, Stop);
        Assert.Equal("Ann \"A\" O'Neil", paper.Author.Name);
        Assert.Equal((true, 1.5m, new DateOnly(1980, 2, 29)), (paper.Author.IsKnown, paper.Author.Fee, paper.Author.Born));
        Assert.Equal("Bern", paper.Author.Home!.City);
        Assert.Equal(["one", "two"], paper.Notes.Select(static n => n.Text));

        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Author.Name == "Ann \"A\" O'Neil")));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Author.IsKnown)));
        Assert.Equal([1, 3], await Ids(papers.Items.Where(static p => !p.Author.IsKnown)));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Author.Fee > 1.2m && p.Author.Born < new DateOnly(1990, 1, 1))));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Author.Home!.City == "Bern")));
        Assert.Equal([1, 3], await Ids(papers.Items.Where(static p => p.Author.Nick == null)));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Notes.Any(n => n.Text == "two" && n.Stars == 5))));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Notes[0].Text == "one")));
        Assert.Equal([0, 2, 0], await papers.Items.OrderBy(static p => p.Id).Select(static p => p.Notes.Count).ToListAsync(Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_part_of_a_document_is_saved(ServerKind kind)
    {
        await using var papers = await CreateAsync(kind);
        var paper = await papers.Items.SingleAsync(static p => p.Id == 2, Stop);
        paper.Author.Name = @"back\slash 'quoted'";
        paper.Author.IsKnown = false;
        paper.Author.Born = new(2000, 1, 1);
        paper.Author.Nick = null;
        await papers.SaveChangesAsync(Stop);
        paper.Notes.Add(new() { Text = "three", Stars = 1 });
        await papers.SaveChangesAsync(Stop);
        papers.ChangeTracker.Clear();
        paper = await papers.Items.SingleAsync(static p => p.Id == 2, Stop);
        Assert.Equal(
            (@"back\slash 'quoted'", false, new DateOnly(2000, 1, 1), null),
            (paper.Author.Name, paper.Author.IsKnown, paper.Author.Born, paper.Author.Nick));
        Assert.Equal(["one", "two", "three"], paper.Notes.Select(static n => n.Text));
        Assert.Equal([2], await Ids(papers.Items.Where(static p => p.Author.Nick == null && p.Id == 2 && !p.Author.IsKnown)));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_part_of_a_document_is_changed_by_a_query(ServerKind kind)
    {
        await using var papers = await CreateAsync(kind);
        Assert.Equal(1, await papers.Items.Where(static p => p.Id == 2).ExecuteUpdateAsync(
            static s => s.SetProperty(static p => p.Author.Name, "New").SetProperty(static p => p.Author.IsKnown, false)
                .SetProperty(static p => p.Author.Fee, 7.25m), Stop));
        var paper = await papers.Items.AsNoTracking().SingleAsync(static p => p.Id == 2, Stop);
        Assert.Equal(("New", false, 7.25m, "Bern"), (paper.Author.Name, paper.Author.IsKnown, paper.Author.Fee, paper.Author.Home!.City));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Owned_types_come_back_and_are_searched(ServerKind kind)
    {
        await using var papers = await CreateAsync(kind);
        var post = await papers.Posts.SingleAsync(Stop);
        Assert.Equal(("title", 2), (post.Meta.Title, post.Meta.Tags.Count));
        Assert.Equal(["x", "y"], post.Meta.Tags.Select(static t => t.Name));
        Assert.Equal(1, await papers.Posts.CountAsync(static p => p.Meta.Title == "title" && p.Meta.Tags.Any(t => t.Name == "y"), Stop));
        post.Meta.Tags[1].Name = "z";
        post.Meta.Title = "other";
        await papers.SaveChangesAsync(Stop);
        papers.ChangeTracker.Clear();
        post = await papers.Posts.SingleAsync(Stop);
        Assert.Equal(("other", "z"), (post.Meta.Title, post.Meta.Tags[1].Name));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var context in _contexts)
        {
            await context.Database.EnsureDeletedAsync();
            await context.DisposeAsync();
        }
    }

    private static Task<List<int>> Ids(IQueryable<Paper> papers) => papers.OrderBy(static p => p.Id).Select(static p => p.Id).ToListAsync(Stop);

    private async Task<Papers> CreateAsync(ServerKind kind)
    {
        var builder = Servers.Options<Papers>().UseMySql(await Servers.ConnectionString(kind, $"j_{Guid.NewGuid():N}"));
        var options = builder.Options;
        var keeper = new Papers(options);
        _contexts.Add(keeper);
        await keeper.Database.EnsureCreatedAsync(Stop);
        keeper.AddRange(
            new Paper
            {
                Id = 1, Words = ["a", "b's", "☃"], Numbers = [3, 1, 2], Times = [new(2020, 1, 2, 3, 4, 5), new(2021, 6, 7)], Maybe = [1, null, 3],
                Author = new() { Name = "B" },
            },
            new Paper
            {
                Id = 2, Words = ["z"], Numbers = [10, 20, 30],
                Author = new()
                {
                    Name = "Ann \"A\" O'Neil", IsKnown = true, Fee = 1.5m, Born = new(1980, 2, 29), Nick = "A", Home = new() { City = "Bern" },
                },
                Notes = [new() { Text = "one" }, new() { Text = "two", Stars = 5 }],
            },
            new Paper { Id = 3, Author = new() { Name = "C" } },
            new Post { Meta = new() { Title = "title", Tags = { new() { Name = "x" }, new() { Name = "y" } } } });
        await keeper.SaveChangesAsync(Stop);
        return new(options);
    }

    public sealed class Papers(DbContextOptions<Papers> options) : DbContext(options)
    {
        public DbSet<Paper> Items => Set<Paper>();

        public DbSet<Post> Posts => Set<Post>();

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Paper>(e =>
            {
                e.Property(static p => p.Id).ValueGeneratedNever();
                e.ComplexProperty(static p => p.Author, static a => a.ToJson());
                e.ComplexCollection(static p => p.Notes, static n => n.ToJson());
            });
            modelBuilder.Entity<Post>().OwnsOne(static p => p.Meta, static m =>
            {
                m.ToJson();
                m.OwnsMany(static x => x.Tags);
            });
        }
    }

    public sealed class Paper
    {
        public int Id { get; set; }

        public List<string> Words { get; set; } = [];

        public int[] Numbers { get; set; } = [];

        public List<DateTime> Times { get; set; } = [];

        public List<int?> Maybe { get; set; } = [];

        public Person Author { get; set; } = new();

        public List<Note> Notes { get; set; } = [];
    }

    public sealed class Person
    {
        public string Name { get; set; } = "";

        public string? Nick { get; set; }

        public bool IsKnown { get; set; }

        public decimal Fee { get; set; }

        public DateOnly Born { get; set; }

        public Place? Home { get; set; }
    }

    public sealed class Place
    {
        public string City { get; set; } = "";
    }

    public sealed class Note
    {
        public string Text { get; set; } = "";

        public int Stars { get; set; }
    }

    public sealed class Post
    {
        public int Id { get; set; }

        public Meta Meta { get; set; } = new();
    }

    public sealed class Meta
    {
        public string Title { get; set; } = "";

        public List<MetaTag> Tags { get; } = [];
    }

    public sealed class MetaTag
    {
        public string Name { get; set; } = "";
    }
}
