using System.Data.Common;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.MySql;
using Slipstream.MySql.Caching;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Caching;

namespace Slipstream.Caching.Live;

/// <summary>What the container holds after a cache has been registered.</summary>
public sealed class RegistrationTests
{
    public static TheoryData<ServerKind> Kinds => Cached.Kinds;

    [Fact]
    public async Task One_cache_is_registered_under_its_interface_and_its_type()
    {
        await using var services = new ServiceCollection()
            .AddSlipstreamMySql("Server=localhost").AddSlipstreamMySqlCache()
            .AddSlipstreamPostgreSql("Host=localhost").AddSlipstreamPostgreSqlCache()
            .BuildServiceProvider(new ServiceProviderOptions { ValidateOnBuild = true, ValidateScopes = true });
        // The last one, as with other registrations.
        Assert.Same(services.GetRequiredService<PgCache>(), services.GetRequiredService<IDistributedCache>());
        Assert.Same(services.GetRequiredService<MySqlCache>(), services.GetServices<IDistributedCache>().First());
    }

    [Fact]
    public async Task Keyed_caches_have_their_own_options()
    {
        await using var services = new ServiceCollection()
            .AddSlipstreamMySql("Server=localhost")
            .Configure<MySqlCacheOptions>("first", static options => options.TableName = "")
            .AddKeyedSlipstreamMySqlCache("first")
            .AddKeyedSlipstreamMySqlCache("second")
            .AddKeyedSlipstreamMySqlCache(3, static options => options.TableName = "")
            .AddKeyedSlipstreamMySqlCache("fourth", static options => options.ConnectionString = "Server=localhost")
            .AddKeyedSlipstreamPostgreSqlCache("pg", static options => options.ConnectionString = "Host=localhost")
            .BuildServiceProvider();
        Assert.Throws<ArgumentException>(() => services.GetRequiredKeyedService<IDistributedCache>("first"));
        Assert.Same(services.GetRequiredKeyedService<MySqlCache>("second"), services.GetRequiredKeyedService<IDistributedCache>("second"));
        Assert.Throws<ArgumentException>(() => services.GetRequiredKeyedService<IDistributedCache>(3));
        Assert.NotSame(services.GetRequiredKeyedService<IDistributedCache>("second"), services.GetRequiredKeyedService<IDistributedCache>("fourth"));
        Assert.IsType<PgCache>(services.GetRequiredKeyedService<IDistributedCache>("pg"));
        Assert.Null(services.GetService<IDistributedCache>());
    }

    [Fact]
    public async Task Without_a_data_source_the_cache_cannot_be_resolved()
    {
        await using var services = new ServiceCollection().AddSlipstreamMySqlCache().AddSlipstreamPostgreSqlCache().BuildServiceProvider();
        Assert.Throws<InvalidOperationException>(services.GetRequiredService<MySqlCache>);
        Assert.Throws<InvalidOperationException>(services.GetRequiredService<PgCache>);
    }

    [Fact]
    public void Options_without_a_meaning_are_refused()
    {
        Assert.Contains("TableName", Refused(static options => options.TableName = ""), StringComparison.Ordinal);
        Assert.Contains("DefaultSlidingExpiration", Refused(static options => options.DefaultSlidingExpiration = TimeSpan.Zero), StringComparison.Ordinal);
        Assert.Contains(
            "ExpiredItemsDeletionInterval", Refused(static options => options.ExpiredItemsDeletionInterval = TimeSpan.Zero), StringComparison.Ordinal);
        Assert.Contains(
            "ExpiredItemsDeletionInterval",
            Refused(static options => options.ExpiredItemsDeletionInterval = TimeSpan.FromMilliseconds(-2)),
            StringComparison.Ordinal);
        Assert.Contains("TimeProvider", Refused(static options => options.TimeProvider = null!), StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new PgCacheOptions { TableName = "" }.GetCreateTableSql());
        Assert.Throws<ArgumentNullException>(static () => new MySqlCache(null!));
        Assert.Throws<ArgumentNullException>(static () => new PgCache(null!));
        Assert.Throws<ArgumentNullException>(static () => new ServiceCollection().AddKeyedSlipstreamMySqlCache(null!));
        Assert.Throws<ArgumentNullException>(static () => new ServiceCollection().AddKeyedSlipstreamPostgreSqlCache(null!));
    }

    // PostgreSQL cuts off the rest, and two caches would have the same table.
    [Fact]
    public void A_name_of_more_than_63_bytes_is_refused_for_PostgreSQL()
    {
        foreach (var name in (string[])[new('x', 64), new('ü', 32)])
        {
            var exception = Assert.Throws<ArgumentException>(() => new PgCacheOptions { TableName = name }.GetCreateTableSql());
            Assert.Contains("TableName", exception.Message, StringComparison.Ordinal);
            exception = Assert.Throws<ArgumentException>(() => new PgCacheOptions { SchemaName = name }.GetCreateTableSql());
            Assert.Contains("SchemaName", exception.Message, StringComparison.Ordinal);
        }

        Assert.Contains(new string('x', 63), new PgCacheOptions { TableName = new('x', 63) }.GetCreateTableSql(), StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_options_name_the_data_source(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        var text = ConnectionStrings.Of(server);
        var source = cached.Source;
        foreach (var way in (string[])["registered", "key", "connection string", "data source"])
        {
            await using var services = (kind.IsPostgreSql() ? PostgreSql(way, text, source, cached) : MySql(way, text, source, cached)).BuildServiceProvider();
            var cache = services.GetRequiredService<IDistributedCache>();
            await cache.SetStringAsync("a", way);
            Assert.Equal(way, await cached.GetText("a"));
            await services.DisposeAsync();
            // The cache disposes its own data source only.
            if (way == "connection string")
                await Assert.ThrowsAnyAsync<Exception>(() => cache.GetAsync("a"));
        }

        Assert.Equal("data source", await cached.GetText("a"));
    }

    private static string Refused(Action<MySqlCacheOptions> configure)
    {
        using var services = new ServiceCollection().AddSlipstreamMySqlCache(options =>
        {
            options.ConnectionString = "Server=localhost";
            configure(options);
        }).BuildServiceProvider();
        return Assert.Throws<ArgumentException>(services.GetRequiredService<IDistributedCache>).Message;
    }

    private static IServiceCollection MySql(string way, string text, DbDataSource source, Cached cached)
    {
        var services = new ServiceCollection();
        if (way == "registered")
            services.AddSlipstreamMySql(text);
        if (way == "key")
            services.AddKeyedSlipstreamMySql("shop", text).AddSlipstreamMySql("Server=192.0.2.1");
        return services.AddSlipstreamMySqlCache(options =>
        {
            options.TableName = cached.Choices.Table;
            options.DataSourceKey = way == "key" ? "shop" : null;
            options.ConnectionString = way == "connection string" ? text : null;
            options.DataSource = way == "data source" ? (MySqlDataSource)source : null;
        });
    }

    private static IServiceCollection PostgreSql(string way, string text, DbDataSource source, Cached cached)
    {
        var services = new ServiceCollection();
        if (way == "registered")
            services.AddSlipstreamPostgreSql(text);
        if (way == "key")
            services.AddKeyedSlipstreamPostgreSql("shop", text).AddSlipstreamPostgreSql("Host=192.0.2.1");
        return services.AddSlipstreamPostgreSqlCache(options =>
        {
            options.TableName = cached.Choices.Table;
            options.DataSourceKey = way == "key" ? "shop" : null;
            options.ConnectionString = way == "connection string" ? text : null;
            options.DataSource = way == "data source" ? (PgDataSource)source : null;
        });
    }
}
