using System.ComponentModel.DataAnnotations;
using Microsoft.EntityFrameworkCore;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A model with the usual types and relations.</summary>
public class Shop(DbContextOptions<Shop> options) : DbContext(options)
{
    public DbSet<Customer> Customers => Set<Customer>();

    public DbSet<Order> Orders => Set<Order>();

    public DbSet<Line> Lines => Set<Line>();

    public DbSet<Product> Products => Set<Product>();

    public DbSet<Tag> Tags => Set<Tag>();

    public DbSet<Counter> Counters => Set<Counter>();

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Product>().Property(static product => product.Price).HasPrecision(10, 2);
        modelBuilder.Entity<Product>().HasIndex(static product => product.Name).IsUnique();
        modelBuilder.Entity<Product>().Property(static product => product.Added).HasDefaultValueSql("CURRENT_TIMESTAMP(6)");
        modelBuilder.Entity<Product>().Property(static product => product.NameLength).HasComputedColumnSql("CHAR_LENGTH(`Name`)", stored: true);
        modelBuilder.Entity<Line>().HasKey(static line => new { line.OrderId, line.Number });
        modelBuilder.Entity<Customer>().Property(static customer => customer.Id).ValueGeneratedNever();
        modelBuilder.Entity<Counter>().Property(static counter => counter.Version).IsConcurrencyToken();
    }
}

public enum Grade
{
    Plain,
    Good,
    Best,
}

public class Customer
{
    public Guid Id { get; set; }

    public string Name { get; set; } = "";

    public string? City { get; set; }

    public DateOnly Born { get; set; }

    public List<Order> Orders { get; } = [];
}

public class Order
{
    public int Id { get; set; }

    public Guid CustomerId { get; set; }

    public Customer Customer { get; set; } = null!;

    public DateTime Placed { get; set; }

    public DateTime? Shipped { get; set; }

    public List<Line> Lines { get; } = [];
}

public class Line
{
    public int OrderId { get; set; }

    public int Number { get; set; }

    public int ProductId { get; set; }

    public Product Product { get; set; } = null!;

    public short Quantity { get; set; }

    public float Discount { get; set; }
}

public class Product
{
    public int Id { get; set; }

    [MaxLength(100)]
    public string Name { get; set; } = "";

    public int NameLength { get; set; }

    public decimal Price { get; set; }

    public double Weight { get; set; }

    public TimeSpan Lasts { get; set; }

    public TimeOnly From { get; set; }

    public bool IsNew { get; set; }

    public Grade Grade { get; set; }

    public byte[]? Picture { get; set; }

    public DateTime Added { get; set; }

    public DateTimeOffset Changed { get; set; }

    public ulong Big { get; set; }

    public List<Tag> Tags { get; } = [];
}

public class Tag
{
    public long Id { get; set; }

    public string Text { get; set; } = "";

    public List<Product> Products { get; } = [];
}

public class Counter
{
    public int Id { get; set; }

    public int Value { get; set; }

    public int Version { get; set; }
}
