using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Caching.Live;

/// <summary><c>HybridCache</c> of two programs over one table.</summary>
public sealed class HybridCacheTests
{
    public static TheoryData<ServerKind> Kinds => Cached.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Another_program_finds_what_the_first_one_has_made(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await using var first = Program(cached);
        await using var second = Program(cached);
        foreach (var length in (int[])[10, 100_000, 900_000])
        {
            var text = new string('ä', length / 2);
            Assert.Equal(text, await Hybrid(first).GetOrCreateAsync($"text {length}", _ => ValueTask.FromResult(text), cancellationToken: Stop));
            // HybridCache stores what it has made after it has returned it.
            await Eventually.TrueAsync(async () => await cached.Get($"text {length}") is not null);
            Assert.Equal(text, await Hybrid(second).GetOrCreateAsync<string>($"text {length}", Unexpected<string>, cancellationToken: Stop));
        }

        var price = new Price("bread", 3.5m);
        await Hybrid(first).SetAsync("price", price, cancellationToken: Stop);
        Assert.Equal(price, await Hybrid(second).GetOrCreateAsync<Price>("price", Unexpected<Price>, cancellationToken: Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task What_one_program_removes_is_made_again(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await using var first = Program(cached);
        await using var second = Program(cached);
        await Hybrid(first).SetAsync("one", "old", tags: ["all"], cancellationToken: Stop);
        await Hybrid(first).SetAsync("two", "old", tags: ["all"], cancellationToken: Stop);
        await Hybrid(first).RemoveAsync("one", Stop);
        Assert.Null(await cached.Get("one"));
        Assert.Equal("new", await Hybrid(second).GetOrCreateAsync("one", static _ => ValueTask.FromResult("new"), cancellationToken: Stop));

        // The time of this removal is an entry of the table, too.
        await Hybrid(first).RemoveByTagAsync("all", Stop);
        await using var third = Program(cached);
        Assert.Equal(
            "new", await Hybrid(third).GetOrCreateAsync("two", static _ => ValueTask.FromResult("new"), tags: ["all"], cancellationToken: Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task An_expired_entry_is_made_again(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await using var first = Program(cached);
        await using var second = Program(cached);
        var options = new HybridCacheEntryOptions { Expiration = TimeSpan.FromHours(5), LocalCacheExpiration = TimeSpan.FromHours(1) };
        await Hybrid(first).SetAsync("a", "old", options, cancellationToken: Stop);
        Assert.InRange(await cached.MinutesLeft("a"), 240, 300.001);
        await cached.Pass(TimeSpan.FromHours(5));
        Assert.Equal("new", await Hybrid(second).GetOrCreateAsync("a", static _ => ValueTask.FromResult("new"), options, cancellationToken: Stop));
    }

    private static HybridCache Hybrid(IServiceProvider services) => services.GetRequiredService<HybridCache>();

    private static ServiceProvider Program(Cached cached)
    {
        var services = new ServiceCollection();
        if (cached.Source is MySqlDataSource source)
            services.AddSlipstreamMySqlCache(options => (options.DataSource, options.TableName) = (source, cached.Choices.Table));
        else
            services.AddSlipstreamPostgreSqlCache(options => (options.DataSource, options.TableName) = ((PgDataSource)cached.Source, cached.Choices.Table));
        services.AddHybridCache();
        var provider = services.BuildServiceProvider();
        Assert.IsAssignableFrom<IBufferDistributedCache>(provider.GetRequiredService<IDistributedCache>());
        return provider;
    }

    private static ValueTask<T> Unexpected<T>(CancellationToken token) => throw new InvalidOperationException("The entry was not found in the table.");

    private sealed record Price(string Product, decimal Amount);
}
