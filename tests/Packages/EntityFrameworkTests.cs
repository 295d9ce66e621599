using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Packages.Tests;

/// <summary>The packages of EF Core's provider, as a new user installs them and works with <c>dotnet ef</c>.</summary>
public sealed class EntityFrameworkTests(PackedSources packed) : IDisposable
{
    private const string Version = "10.0.14";
    private const string Spatial = "Slipstream.MySql.EntityFrameworkCore.NetTopologySuite";

    private const string Program = """
        using Microsoft.EntityFrameworkCore;
        using NetTopologySuite.Geometries;

        await using var shop = new Shop();
        shop.Add(new Product { Name = "grüße", Place = new Point(1, 2) });
        await shop.SaveChangesAsync();
        var product = await shop.Products.SingleAsync(p => p.Name.EndsWith("ße"));
        Console.WriteLine($"{product.Id} {product.Name} {product.Place.X}");

        public class Shop : DbContext
        {
            public DbSet<Product> Products => Set<Product>();

            protected override void OnConfiguring(DbContextOptionsBuilder options) =>
                options.UseMySql(Environment.GetEnvironmentVariable("SHOP")!, mySql => mySql.UseNetTopologySuite());
        }

        public class Product
        {
            public int Id { get; set; }

            public required string Name { get; set; }

            public required Point Place { get; set; }
        }
        """;

    // Uses what dotnet ef writes for the tables.
    private const string ProgramOnScaffolded = """
        using Existing.Model;
        using Microsoft.EntityFrameworkCore;

        var options = new DbContextOptionsBuilder<ExistingShop>().UseMySql(Environment.GetEnvironmentVariable("SHOP")!, mySql => mySql.UseNetTopologySuite());
        await using var shop = new ExistingShop(options.Options);
        var product = await shop.Products.SingleAsync(p => p.Place.Y == 2);
        Console.WriteLine($"scaffolded {product.Id} {product.Name} {product.Place.X}");
        """;

    // Outside the repository, whose files of properties would be in force.
    private readonly string _folder = Directory.CreateTempSubdirectory("slipstream-ef-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void The_provider_takes_EF_Core_of_its_own_major_version_only()
    {
        foreach (var name in (string[])["Slipstream.MySql.EntityFrameworkCore", Spatial])
            Assert.Equal(
                $"[{Version}, 11.0.0)",
                packed.Metadata(name).Descendants().Single(static one => (string?)one.Attribute("id") == "Microsoft.EntityFrameworkCore.Relational")
                    .Attribute("version")!.Value);
    }

    [Fact]
    public async Task A_new_user_adds_the_packages_migrates_a_database_and_scaffolds_it()
    {
        var machine = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        // Its own folder of packages, because the machine's may hold others of this version; what is not in the packed folder comes from the machine's.
        await File.WriteAllTextAsync(
            Path.Combine(_folder, "nuget.config"),
            $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="packages" /></config>
              <packageSources>
                <clear />
                <add key="packed" value="{packed.First}" />
                <add key="tool" value="{Path.Combine(machine, "dotnet-ef", Version)}" />
              </packageSources>
              <fallbackPackageFolders><clear /><add key="machine" value="{machine}" /></fallbackPackageFolders>
            </configuration>
            """,
            TestContext.Current.CancellationToken);
        await RunAsync("", "dotnet", "tool", "install", "dotnet-ef", "--version", Version, "--tool-path", "tools");
        await RunAsync("", "dotnet", "new", "console", "-o", "shop");
        await RunAsync("shop", "dotnet", "add", "package", Spatial, "--version", "0.1.0");
        await RunAsync("shop", "dotnet", "add", "package", "Microsoft.EntityFrameworkCore.Design", "--version", Version);
        await File.WriteAllTextAsync(Path.Combine(_folder, "shop", "Program.cs"), Program, TestContext.Current.CancellationToken);

        var shops = new List<string>();
        foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb])
            shops.Add(ConnectionStrings.Of(await LiveServers.GetAsync(kind), "Database=packages_ef"));
        try
        {
            var ef = Path.Combine(_folder, "tools", "dotnet-ef");
            await RunAsync("shop", ef, "migrations", "add", "First");
            await RunAsync("shop", ef, "migrations", "bundle");
            Assert.Contains("CREATE TABLE `Products`", await RunAsync("shop", ef, "migrations", "script", "--no-build"), StringComparison.Ordinal);
            foreach (var shop in shops)
            {
                await DropAsync(shop);
                await RunAsync("shop", "env", $"SHOP={shop}", Path.Combine(_folder, "shop", "efbundle"), "--connection", shop);
                Assert.Contains(
                    "1 grüße 1\n", await RunAsync("shop", "env", $"SHOP={shop}", "dotnet", "run", "--no-build"), StringComparison.Ordinal);
            }

            await RunAsync("", "dotnet", "new", "console", "-o", "Existing", "--no-restore");
            File.Copy(Path.Combine(_folder, "shop", "shop.csproj"), Path.Combine(_folder, "Existing", "Existing.csproj"), overwrite: true);
            await RunAsync("Existing", "dotnet", "restore");
            await RunAsync(
                "Existing", ef, "dbcontext", "scaffold", shops[0], "Slipstream.MySql.EntityFrameworkCore", "--no-onconfiguring", "-o", "Model", "--context",
                "ExistingShop");
            await File.WriteAllTextAsync(Path.Combine(_folder, "Existing", "Program.cs"), ProgramOnScaffolded, TestContext.Current.CancellationToken);
            Assert.Contains(
                "scaffolded 1 grüße 1\n", await RunAsync("Existing", "env", $"SHOP={shops[1]}", "dotnet", "run"), StringComparison.Ordinal);
        }
        finally
        {
            foreach (var shop in shops)
                await DropAsync(shop);
        }
    }

    private async Task<string> RunAsync(string folder, string program, params string[] arguments)
    {
        // The tools and programs need not find the texts of all cultures.
        var (code, printed) = await Programs.RunAsync(
            Path.Combine(_folder, folder), "env", ["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1", "DOTNET_NOLOGO=1", program, .. arguments]);
        Assert.True(code == 0, $"{program} {arguments[0]}: {printed}");
        return printed;
    }

    private static async Task DropAsync(string shop)
    {
        var builder = new MySqlConnectionStringBuilder(shop);
        var name = builder.Database;
        builder.Database = "";
        await using var connection = new MySqlConnection(builder.ConnectionString);
        await connection.OpenAsync();
        await using var command = new MySqlCommand($"DROP DATABASE IF EXISTS `{name}`", connection);
        await command.ExecuteNonQueryAsync();
    }
}
