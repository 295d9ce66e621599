using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;
using System.Collections.Concurrent;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Rows with lists in JSON.</summary>
public class Shelf(DbContextOptions<Shelf> options) : DbContext(options)
{
    public DbSet<Paper> Papers => Set<Paper>();

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Paper>().Property(static paper => paper.Id).ValueGeneratedNever();
        modelBuilder.Entity<Paper>().OwnsMany(static paper => paper.Parts, static part => part.ToJson().OwnsMany(static one => one.Pieces));
    }
}

public class Paper
{
    public int Id { get; set; }

    public string Title { get; set; } = "";

    public int Least { get; set; }

    public List<int> Numbers { get; set; } = [];

    public List<int> Others { get; set; } = [];

    public List<string> Words { get; set; } = [];

    public List<Part> Parts { get; set; } = [];
}

public class Part
{
    public string Name { get; set; } = "";

    public int Amount { get; set; }

    public List<Piece> Pieces { get; set; } = [];
}

public class Piece
{
    public int Size { get; set; }
}

/// <summary>A shelf on each server, with the same rows.</summary>
public sealed class ShelfFixture : IAsyncDisposable
{
    private static int _number;

    private readonly string _name = $"shelf{Interlocked.Increment(ref _number)}";
    private readonly ConcurrentDictionary<ServerKind, Lazy<Task<DbContextOptions<Shelf>>>> _shelves = new();

    /// <summary>The rows, as objects in memory.</summary>
    public static List<Paper> Papers { get; } = Create();

    public async Task<Shelf> OpenAsync(ServerKind kind) => new(await _shelves.GetOrAdd(kind, one => new(() => CreateAsync(one))).Value);

    public async ValueTask DisposeAsync()
    {
        foreach (var options in _shelves.Values)
            await using (var shelf = new Shelf(await options.Value))
                await shelf.Database.EnsureDeletedAsync();
    }

    private static List<Paper> Create()
    {
        var random = new Random(11);
        var papers = new List<Paper>();
        for (var id = 1; id <= 9; id++)
        {
            papers.Add(new()
            {
                Id = id, Title = $"Paper {id}", Least = random.Next(6), Numbers = Numbers(random, id % 4 == 0 ? 0 : 5), Others = Numbers(random, 3),
                Words = Numbers(random, 4).ConvertAll(static n => $"w{n}"),
                Parts = Numbers(random, id % 3).Select(
                    (n, index) => new Part { Name = $"part {n % 3}", Amount = (n * 10) + index, Pieces = Numbers(random, 2)
                        .ConvertAll(static m => new Piece { Size = m }) }).ToList(),
            });
        }

        return papers;
    }

    private static List<int> Numbers(Random random, int most) => Enumerable.Range(0, most == 0 ? 0 : random.Next(1, most + 1))
        .Select(_ => random.Next(1, 9)).ToList();

    private async Task<DbContextOptions<Shelf>> CreateAsync(ServerKind kind)
    {
        var options = Servers.Options<Shelf>().UseMySql(await Servers.ConnectionString(kind, _name)).EnableSensitiveDataLogging().Options;
        await using var shelf = new Shelf(options);
        await shelf.Database.EnsureDeletedAsync();
        await shelf.Database.EnsureCreatedAsync();
        shelf.Papers.AddRange(Create());
        await shelf.SaveChangesAsync();
        return options;
    }
}
