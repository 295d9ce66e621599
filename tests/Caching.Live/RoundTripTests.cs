using Microsoft.Extensions.Caching.Distributed;

namespace Slipstream.Caching.Live;

/// <summary>The round trips of each operation, counted by a proxy between the program and the server, with default settings.</summary>
public sealed class RoundTripTests
{
    private const int Times = 5;

    public static TheoryData<ServerKind, bool> Ways => Cached.Ways;

    [Theory, MemberData(nameof(Ways))]
    public Task Reading_an_entry_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) }, async cached => Assert.NotNull(await cached.Get("a")));

    [Theory, MemberData(nameof(Ways))]
    public Task Reading_and_prolonging_a_sliding_entry_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new() { SlidingExpiration = TimeSpan.FromHours(1) }, async cached => Assert.NotNull(await cached.Get("a")));

    [Theory, MemberData(nameof(Ways))]
    public Task Reading_a_sliding_entry_into_a_buffer_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new() { SlidingExpiration = TimeSpan.FromHours(1) }, async cached => Assert.NotNull(await cached.TryGet("a")));

    [Theory, MemberData(nameof(Ways))]
    public Task Looking_for_a_missing_entry_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new(), static async cached => Assert.Null(await cached.Get("b")));

    [Theory, MemberData(nameof(Ways))]
    public Task Setting_an_entry_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new(), static cached => cached.Set("a", "value", new() { SlidingExpiration = TimeSpan.FromHours(1) }));

    [Theory, MemberData(nameof(Ways))]
    public Task Setting_a_large_entry_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new(), static cached => cached.Set("a", new byte[1 << 20]), WithoutReset(kind));

    [Theory, MemberData(nameof(Ways))]
    public Task Setting_a_large_entry_of_several_pieces_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new(), static cached => cached.Set("a", EntryTests.Pieces(new byte[1 << 20])), WithoutReset(kind));

    [Theory, MemberData(nameof(Ways))]
    public Task Several_operations_in_turn_cost_one_each(ServerKind kind, bool isAsync) =>
        Costs(5, kind, isAsync, new(), static async cached =>
        {
            await cached.Set("a", "value");
            Assert.NotNull(await cached.Get("a"));
            Assert.NotNull(await cached.TryGet("a"));
            await cached.Refresh("a");
            await cached.Remove("a");
        });

    [Theory, MemberData(nameof(Ways))]
    public Task Refreshing_an_entry_costs_one(ServerKind kind, bool isAsync) =>
        CostsOne(kind, isAsync, new() { SlidingExpiration = TimeSpan.FromHours(1) }, static cached => cached.Refresh("a"));

    [Theory, MemberData(nameof(Ways))]
    public Task Removing_an_entry_costs_one(ServerKind kind, bool isAsync) => CostsOne(kind, isAsync, new(), static cached => cached.Remove("a"));

    // PostgreSQL answers the reset of the pooled session while the value is still being sent. Nothing waits for this answer, but the proxy would count it.
    private static string WithoutReset(ServerKind kind) => kind.IsPostgreSql() ? "No Reset On Close=true" : "";

    private static Task CostsOne(
        ServerKind kind, bool isAsync, DistributedCacheEntryOptions options, Func<Cached, Task> operation, string settings = "") =>
        Costs(1, kind, isAsync, options, operation, settings);

    // The first times open the connection and prepare statements.
    private static async Task Costs(
        int roundTrips, ServerKind kind, bool isAsync, DistributedCacheEntryOptions options, Func<Cached, Task> operation, string settings = "")
    {
        var server = await LiveServers.GetAsync(kind);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var cached = await Cached.CreateAsync(kind, isAsync, new() { Proxy = proxy, Settings = settings });
        await cached.Set("a", "value", options);
        for (var i = 0; i < Times; i++)
            await operation(cached);
        proxy.Counters.Reset();
        for (var i = 0; i < Times; i++)
            await operation(cached);
        Assert.Equal(roundTrips * Times, proxy.Counters.RoundTrips);
        Assert.Equal(0, proxy.Counters.Connections);
    }
}
