using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Design;

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
        var builder = Servers.Options<Shop>().UseMySql(ServerVersion.Parse("9.7.0-mysql"));
        using var shop = new Shop(builder.Options);
        var services = new ServiceCollection().AddEntityFrameworkDesignTimeServices();
        new MySqlDesignTimeServices().ConfigureDesignTimeServices(services);
        services.AddDbContextDesignTimeServices(shop);
        using var provider = services.BuildServiceProvider();
        var options = new CompiledModelCodeGenerationOptions
        {
            ContextType = typeof(Shop), ModelNamespace = "Compiled", Language = "C#", UseNullableReferenceTypes = true,
        };
        var files = provider.GetRequiredService<ICompiledModelCodeGeneratorSelector>().Select(options)
            .GenerateModel(shop.GetService<IDesignTimeModel>().Model, options);

        var assemblies = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var compilation = CSharpCompilation.Create(
            "CompiledShop", files.Select(static file => CSharpSyntaxTree.ParseText(file.Code)),
            assemblies.Select(static path => MetadataReference.CreateFromFile(path)), new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error)));
        image.Position = 0;
        var type = AssemblyLoadContext.Default.LoadFromStream(image).GetType("Compiled.ShopModel", throwOnError: true)!;
        return (IModel)type.GetProperty("Instance", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!;
    }
}
