using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using MySqlConnector;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;

namespace Shop;

public sealed class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options)
{
    public DbSet<Product> Products => Set<Product>();
}

public sealed class Product
{
    public int Id { get; set; }

    public string Name { get; set; } = "";
}

public static class Program
{
    public static async Task Main()
    {
        var options = new DbContextOptionsBuilder<ShopContext>()
            .UseMySql("Server=localhost;User ID=app;Password=fixture-secret;Database=shop", ServerVersion.Parse("9.7.0"), Configure)
            .Options;
        await using var context = new ShopContext(options);
        try
        {
            context.Products.Add(new Product { Name = "lamp" });
            await context.SaveChangesAsync();
        }
        catch (DbUpdateException exception) when (exception.InnerException is MySqlException { Number: 1062 })
        {
            Console.WriteLine("exists");
        }
    }

    private static void Configure(MySqlDbContextOptionsBuilder builder) => builder.EnableRetryOnFailure(3);
}
