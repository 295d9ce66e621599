using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.Compat;

/// <summary>Pomelo 9 on EF Core 9 is compiled against MySqlConnector 2.</summary>
public class PomeloTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    public enum Kind
    {
        Book,
        Record,
    }

    public sealed class Product
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public decimal Price { get; set; }

        public double Weight { get; set; }

        public DateTime At { get; set; }

        public DateOnly Day { get; set; }

        public TimeSpan Lasts { get; set; }

        public Guid Code { get; set; }

        public bool IsNew { get; set; }

        public Kind Kind { get; set; }

        public byte[]? Picture { get; set; }

        [System.ComponentModel.DataAnnotations.Timestamp]
        public DateTime Version { get; set; }

        public List<Review> Reviews { get; } = [];
    }

    public sealed class Review
    {
        public int Id { get; set; }

        public int ProductId { get; set; }

        public int Stars { get; set; }

        public string? Text { get; set; }
    }

    public sealed class Shop(string connectionString) : DbContext
    {
        public DbSet<Product> Products => Set<Product>();

        public DbSet<Review> Reviews => Set<Review>();

        protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) =>
            optionsBuilder.UseMySql(connectionString, ServerVersion.AutoDetect(connectionString), static options => options.EnableRetryOnFailure(1));

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Product>().Property(static product => product.Price).HasPrecision(10, 2);
            modelBuilder.Entity<Product>().HasIndex(static product => product.Name).IsUnique();
        }
    }

    private static Product New(int i) => new()
    {
        Name = $"Café {i}",
        Price = i * 1.25m,
        Weight = i / 8.0,
        At = new DateTime(2024, 2, 29, 1, 2, 3).AddMilliseconds(i),
        Day = new DateOnly(2024, 2, 29).AddDays(i),
        Lasts = TimeSpan.FromMinutes(-i),
        Code = new Guid(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
        IsNew = i % 2 == 0,
        Kind = (Kind)(i % 2),
        Picture = i % 3 == 0 ? null : [(byte)i, 0, 255],
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Entities_are_stored_and_come_back_with_every_property(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "pomelo");
        await using (var shop = new Shop(database.ConnectionString))
        {
            await shop.Database.EnsureCreatedAsync();
            for (var i = 1; i <= 50; i++)
            {
                var product = New(i);
                product.Reviews.Add(new() { Stars = i % 5, Text = i % 2 == 0 ? null : $"'{i}' \\ \"" });
                shop.Add(product);
            }

            Assert.Equal(100, await shop.SaveChangesAsync());
        }

        await using var again = new Shop(database.ConnectionString);
        var read = await again.Products.Include(static product => product.Reviews).OrderBy(static product => product.Id).ToListAsync();
        Assert.Equal(Enumerable.Range(1, 50), read.Select(static product => product.Id));
        for (var i = 1; i <= 50; i++)
        {
            var (wanted, found) = (New(i), read[i - 1]);
            Assert.Equal(
                (wanted.Name, wanted.Price, wanted.Weight, wanted.At, wanted.Day, wanted.Lasts, wanted.Code, wanted.IsNew, wanted.Kind),
                (found.Name, found.Price, found.Weight, found.At, found.Day, found.Lasts, found.Code, found.IsNew, found.Kind));
            Assert.Equal(wanted.Picture, found.Picture);
            Assert.Equal((i % 5, i % 2 == 0 ? null : $"'{i}' \\ \""), (found.Reviews.Single().Stars, found.Reviews.Single().Text));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Queries_are_translated_and_their_values_converted(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "queries");
        await using var shop = new Shop(database.ConnectionString);
        await shop.Database.EnsureCreatedAsync();
        shop.AddRange(Enumerable.Range(1, 20).Select(New));
        await shop.SaveChangesAsync();
        List<int> ids = [3, 5, 99];
        Assert.Equal([3, 5], await shop.Products.Where(product => ids.Contains(product.Id)).Select(static product => product.Id).Order().ToListAsync());
        Assert.Equal(262.5m, await shop.Products.SumAsync(static product => product.Price));
        Assert.Equal(10, await shop.Products.CountAsync(static product => product.IsNew));
        Assert.Equal(10.5, await shop.Products.AverageAsync(static product => product.Id));
        Assert.Equal(11, await shop.Products.CountAsync(static product => product.Name.StartsWith("Café 1")));
        var groups = await shop.Products.GroupBy(static product => product.Kind)
            .Select(static group => new { group.Key, Most = group.Max(static one => one.Price) })
            .OrderBy(static group => group.Key).ToListAsync();
        Assert.Equal([(Kind.Book, 25m), (Kind.Record, 23.75m)], groups.Select(static group => (group.Key, group.Most)));
        var limit = 1.5;
        Assert.Equal(12, await shop.Products.CountAsync(product => product.Weight <= limit));
        Assert.Equal(7, (await shop.Products.FromSql($"SELECT * FROM Products WHERE Id = {7}").SingleAsync()).Id);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Changes_conflicts_and_transactions_behave(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "changes");
        await using var shop = new Shop(database.ConnectionString);
        await shop.Database.EnsureCreatedAsync();
        shop.Add(New(1));
        await shop.SaveChangesAsync();

        await using var other = new Shop(database.ConnectionString);
        var mine = await shop.Products.SingleAsync();
        var theirs = await other.Products.SingleAsync();
        theirs.Price = 7;
        await other.SaveChangesAsync();
        mine.Price = 8;
        await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => shop.SaveChangesAsync());
        shop.ChangeTracker.Clear();

        shop.Add(New(1));
        var refused = await Assert.ThrowsAsync<DbUpdateException>(() => shop.SaveChangesAsync());
        Assert.Equal(MySqlErrorCode.DuplicateKeyEntry, Assert.IsType<MySqlException>(refused.InnerException).ErrorCode);
        shop.ChangeTracker.Clear();

        await shop.Database.CreateExecutionStrategy().ExecuteAsync(async () =>
        {
            await using var transaction = await shop.Database.BeginTransactionAsync();
            await shop.Products.ExecuteUpdateAsync(static set => set.SetProperty(static product => product.Price, static product => product.Price + 1));
            await transaction.CreateSavepointAsync("here");
            await shop.Products.ExecuteDeleteAsync();
            await transaction.RollbackToSavepointAsync("here");
            await transaction.CommitAsync();
        });
        Assert.Equal(8m, await shop.Products.Select(static product => product.Price).SingleAsync());
    }
}
