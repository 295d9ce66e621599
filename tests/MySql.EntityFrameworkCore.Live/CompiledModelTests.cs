using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A model that was compiled (<c>dotnet ef dbcontext optimize</c>) works as the model that EF Core builds.</summary>
public sealed class CompiledModelTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    private static readonly Lazy<IModel> Compiled = new(Compile);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Rows_are_read_and_saved_by_a_compiled_model(ServerKind kind)
    {
        await using var shop = new Shop(new DbContextOptionsBuilder<Shop>(await fixture.OptionsAsync(kind)).UseModel(Compiled.Value).Options);
        Assert.Same(Compiled.Value, shop.Model);
        await Same.InAnyOrderAsync(
            shop,
            t => t.Products.Select(p => new { p.Id, p.Price, p.Weight, p.Lasts, p.From, p.IsNew, p.Grade, p.Added, p.Changed, p.Big, p.NameLength }));
        await Same.InAnyOrderAsync(shop, t => t.Lines.Select(l => new { l.OrderId, l.Number, l.Discount, l.Product.Name, l.Quantity }));
        await Same.InAnyOrderAsync(shop, t => t.Customers.Where(c => c.Orders.Any()).Select(c => new { c.Id, c.Name, c.Born, Count = c.Orders.Count }));

        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        var product = new Product { Name = "compiled", Price = 1.25m, Lasts = TimeSpan.FromHours(-3), Picture = [1, 2], Changed = DateTimeOffset.UnixEpoch };
        var counter = new Counter { Value = 1 };
        shop.AddRange(product, counter);
        await shop.SaveChangesAsync(Stop);
        Assert.Equal(8, product.NameLength);
        Assert.True(product is { Id: > 20, Added.Year: > 2020 });
        (counter.Value, counter.Version) = (2, 1);
        await shop.SaveChangesAsync(Stop);
        shop.ChangeTracker.Clear();
        Assert.Equal(
            (2, 1), await shop.Counters.Where(c => c.Id == counter.Id).Select(static c => new ValueTuple<int, int>(c.Value, c.Version)).SingleAsync(Stop));
        Assert.Equal([1, 2], (await shop.Products.SingleAsync(p => p.Id == product.Id, Stop)).Picture);
    }

    private static IModel Compile()
    {
        using var shop = new Shop(Servers.Options<Shop>().UseMySql(ServerVersion.Parse("9.7.0-mysql")).Options);
        return ModelCompiler.Compile(shop);
    }
}
