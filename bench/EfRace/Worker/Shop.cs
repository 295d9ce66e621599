using System.ComponentModel.DataAnnotations;
using Microsoft.EntityFrameworkCore;

namespace Slipstream.EfRace.Worker;

/// <summary>The model of every contestant.</summary>
internal sealed class Shop(DbContextOptions<Shop> options) : DbContext(options)
{
    public const int BlogCount = 200;
    public const int PostsPerBlog = 5;
    public const int ItemCount = 1000;
    public const int EntriesPerDocument = 150;

    public DbSet<Blog> Blogs => Set<Blog>();

    public DbSet<Item> Items => Set<Item>();

    public DbSet<Row> Rows => Set<Row>();

#if JSON
    public DbSet<Document> Documents => Set<Document>();
#endif

    public void Fill()
    {
        for (var i = 1; i <= BlogCount; i++)
        {
            var blog = new Blog { Name = $"Blog {i}", Rating = i % 5 };
            for (var number = 0; number < PostsPerBlog; number++)
                blog.Posts.Add(new() { Title = $"Post {number} of {i}", Content = new string((char)('a' + number), 200), Views = i * number });
            Add(blog);
        }

        for (var i = 1; i <= ItemCount; i++)
            Add(NewItem(i));
#if JSON
        var document = new Document { Name = "the only one" };
        for (var i = 0; i < EntriesPerDocument; i++)
            document.Body.Entries.Add(new() { Key = $"key {i}", Value = new string((char)('a' + (i % 26)), 80), Weight = i * 0.5 });
        Add(document);
#endif
        SaveChanges();
    }

    public static Item NewItem(int i) => new()
    {
        Name = $"Item {i}", Price = i * 1.25m, Weight = i / 8.0, Created = new DateTime(2026, 1, 1).AddMinutes(i), IsNew = i % 2 == 0, Stock = i,
    };

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Item>().Property(static item => item.Price).HasPrecision(18, 2);
        // PostgreSQL's default has a time zone.
        if (Database.ProviderName!.Contains("PostgreSQL", StringComparison.Ordinal))
            modelBuilder.Entity<Item>().Property(static item => item.Created).HasColumnType("timestamp without time zone");
#if JSON
        modelBuilder.Entity<Document>().OwnsOne(
            static document => document.Body,
            static body =>
            {
                body.ToJson();
                body.OwnsMany(static one => one.Entries);
            });
#endif
    }
}

internal sealed class Blog
{
    public int Id { get; set; }

    [MaxLength(100)]
    public string Name { get; set; } = "";

    public int Rating { get; set; }

    public List<Post> Posts { get; } = [];
}

internal sealed class Post
{
    public int Id { get; set; }

    public int BlogId { get; set; }

    [MaxLength(100)]
    public string Title { get; set; } = "";

    public string Content { get; set; } = "";

    public long Views { get; set; }
}

internal sealed class Item
{
    public int Id { get; set; }

    [MaxLength(100)]
    public string Name { get; set; } = "";

    public decimal Price { get; set; }

    public double Weight { get; set; }

    public DateTime Created { get; set; }

    public bool IsNew { get; set; }

    public int? Stock { get; set; }
}

/// <summary>What the insert scenarios insert.</summary>
internal sealed class Row
{
    public int Id { get; set; }

    [MaxLength(100)]
    public string Name { get; set; } = "";

    public int Number { get; set; }
}

#if JSON
internal sealed class Document
{
    public int Id { get; set; }

    [MaxLength(100)]
    public string Name { get; set; } = "";

    public Body Body { get; set; } = new();
}

internal sealed class Body
{
    public int Version { get; set; }

    public List<Entry> Entries { get; } = [];
}

internal sealed class Entry
{
    public string Key { get; set; } = "";

    public string Value { get; set; } = "";

    public double Weight { get; set; }
}
#endif
