using System.Collections.Concurrent;
using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A shop on each server, with the same rows. Tests that change rows roll back.</summary>
public sealed class ShopFixture : IAsyncDisposable
{
    private static int _number;

    private readonly string _name = $"shop{Interlocked.Increment(ref _number)}";
    private readonly ConcurrentDictionary<ServerKind, Lazy<Task<DbContextOptions<Shop>>>> _shops = new();

    /// <summary>The rows, as objects in memory.</summary>
    public static ShopData Data { get; } = ShopData.Create();

    public async Task<Shop> OpenAsync(ServerKind kind) => new(await OptionsAsync(kind));

    public Task<DbContextOptions<Shop>> OptionsAsync(ServerKind kind) => _shops.GetOrAdd(kind, kind => new(() => CreateAsync(kind, _name))).Value;

    public static async Task<DbContextOptions<Shop>> CreateAsync(ServerKind kind, string name)
    {
        var builder = Servers.Options<Shop>().UseMySql(await Servers.ConnectionString(kind, name)).EnableSensitiveDataLogging();
        var options = builder.Options;
        await using var shop = new Shop(options);
        await shop.Database.EnsureDeletedAsync();
        await shop.Database.EnsureCreatedAsync();
        ShopData.Create().AddTo(shop);
        await shop.SaveChangesAsync();
        return options;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var options in _shops.Values)
            await using (var shop = new Shop(await options.Value))
                await shop.Database.EnsureDeletedAsync();
    }
}
