using Microsoft.EntityFrameworkCore;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Terms of which MySQL has its own grammar.</summary>
public sealed class TermsTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_condition_is_looked_for_in_a_list(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        bool[] both = [true, false];
        bool[] one = [false];
        bool?[] none = [false, null];
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => both.Contains(p.IsNew && p.Price > 3)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => !none.Contains(p.IsNew && p.Price > 3)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => one.Contains(!p.IsNew)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => both.Contains(p.Name.StartsWith('a'))).Select(p => p.Id));
        await Same.InAnyOrderAsync(
            shop, t => t.Products.Where(p => t.Products.Select(q => q.IsNew).Contains(p.Price > 3 || p.IsNew)).Select(p => p.Id));
    }

    [Theory, MemberData(nameof(Kinds))]
    public Task Elements_of_a_document_may_have_a_property_named_key(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static o => new Settings(o), async open =>
        {
            await using var settings = open();
            settings.Add(new Device { Id = 1, Facts = [new() { Key = "b", Ord = 2 }, new() { Key = "a", Ord = 1 }] });
            await settings.SaveChangesAsync(Stop);
            Assert.Equal(["b", "a"], await settings.Devices.SelectMany(d => d.Facts).Where(f => f.Key != "c").Select(f => f.Key).ToListAsync(Stop));
            var device = await settings.Devices.AsNoTracking()
                .Select(d => new { d.Id, Found = d.Facts.Where(f => f.Key != "b").ToList() }).SingleAsync(Stop);
            Assert.Equal("a", Assert.Single(device.Found).Key);
        });

    [Theory, MemberData(nameof(Kinds))]
    public Task Schemas_of_functions_are_ignored_as_those_of_tables(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static o => new Settings(o), async open =>
        {
            await using var settings = open();
            await settings.Database.ExecuteSqlRawAsync("CREATE FUNCTION Twice(x int) RETURNS int DETERMINISTIC RETURN 2 * x", Stop);
            settings.Add(new Device { Id = 21 });
            await settings.SaveChangesAsync(Stop);
            Assert.Equal(42, await settings.Devices.Select(d => Settings.Twice(d.Id)).SingleAsync(Stop));
        },
        static o => o.SchemaBehavior(MySqlSchemaBehavior.Ignore));

    private sealed class Settings(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Device> Devices => Set<Device>();

        [DbFunction(Schema = "dbo")]
        public static int Twice(int value) => throw new NotSupportedException();

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Device>().Property(static device => device.Id).ValueGeneratedNever();
            modelBuilder.Entity<Device>().OwnsMany(static device => device.Facts, static facts => facts.ToJson());
        }
    }

    private sealed class Device
    {
        public int Id { get; set; }

        public List<Fact> Facts { get; set; } = [];
    }

    private sealed class Fact
    {
        public string Key { get; set; } = "";

        public int Ord { get; set; }
    }
}
