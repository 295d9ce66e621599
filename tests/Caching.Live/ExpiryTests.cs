using System.Globalization;
using Microsoft.Extensions.Caching.Distributed;

namespace Slipstream.Caching.Live;

/// <summary>
/// When entries expire. The tests move the times in the table instead of waiting, by steps that are long in comparison with the time that a busy machine needs.
/// </summary>
public sealed class ExpiryTests
{
    private static readonly TimeSpan Step = TimeSpan.FromHours(4);

    public static TheoryData<ServerKind, bool> Ways => Cached.Ways;

    [Theory, MemberData(nameof(Ways))]
    public async Task An_entry_with_an_absolute_expiration_ends_then_even_if_it_is_used(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("relative", "a", new() { AbsoluteExpirationRelativeToNow = 5 * Step });
        await cached.Set("instant", "b", new() { AbsoluteExpiration = DateTimeOffset.Now + 5 * Step });
        foreach (var key in (string[])["relative", "instant"])
        {
            var expires = await cached.Scalar($"SELECT expires_at FROM {cached.Name} WHERE id = @id", key);
            Near(5, await cached.MinutesLeft(key));
            Assert.NotNull(await cached.Get(key));
            Assert.NotNull(await cached.TryGet(key));
            await cached.Refresh(key);
            Assert.Equal(expires, await cached.Scalar($"SELECT expires_at FROM {cached.Name} WHERE id = @id", key));
        }

        await cached.Pass(4 * Step);
        Assert.Equal("a", await cached.GetText("relative"));
        Assert.Equal("b", await cached.GetText("instant"));
        await cached.Pass(Step);
        await Gone(cached, "relative");
        await Gone(cached, "instant");
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Each_use_prolongs_a_sliding_entry(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "value", new() { SlidingExpiration = 5 * Step });
        Func<Task>[] uses = [() => cached.Get("a"), () => cached.TryGet("a"), () => cached.Refresh("a")];
        foreach (var use in uses)
        {
            Near(5, await cached.MinutesLeft("a"));
            await cached.Pass(4 * Step);
            Near(1, await cached.MinutesLeft("a"));
            await use();
            Near(5, await cached.MinutesLeft("a"));
        }

        await cached.Pass(5 * Step);
        await Gone(cached, "a");
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_sliding_entry_never_outlives_its_absolute_expiration(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("relative", "a", new() { SlidingExpiration = 3 * Step, AbsoluteExpirationRelativeToNow = 4 * Step });
        await cached.Set("instant", "b", new() { SlidingExpiration = 3 * Step, AbsoluteExpiration = DateTimeOffset.UtcNow + 4 * Step });
        await cached.Set("shorter", "c", new() { SlidingExpiration = 9 * Step, AbsoluteExpirationRelativeToNow = 4 * Step });
        foreach (var (key, left) in ((string, int)[])[("relative", 3), ("instant", 3), ("shorter", 4)])
            Near(left, await cached.MinutesLeft(key));
        await cached.Pass(2 * Step);
        foreach (var key in (string[])["relative", "instant", "shorter"])
        {
            Assert.NotNull(await cached.Get(key));
            Near(2, await cached.MinutesLeft(key));
            await cached.Refresh(key);
            Near(2, await cached.MinutesLeft(key));
        }

        await cached.Pass(2 * Step);
        foreach (var key in (string[])["relative", "instant", "shorter"])
            await Gone(cached, key);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task An_expired_entry_does_not_come_back_until_it_is_set(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "old", new() { SlidingExpiration = Step });
        await cached.Pass(Step);
        await cached.Refresh("a");
        await Gone(cached, "a");
        await cached.Set("a", "new", new() { AbsoluteExpirationRelativeToNow = Step });
        Assert.Equal("new", await cached.GetText("a"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Setting_an_entry_replaces_all_of_its_times(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "1", new() { SlidingExpiration = Step, AbsoluteExpirationRelativeToNow = 2 * Step });
        await cached.Set("a", "2", new() { AbsoluteExpirationRelativeToNow = 7 * Step });
        await cached.Pass(Step);
        Assert.Equal("2", await cached.GetText("a"));
        Near(6, await cached.MinutesLeft("a"));
        await cached.Set("a", "3", new() { SlidingExpiration = 9 * Step });
        await cached.Pass(8 * Step);
        Assert.Equal("3", await cached.GetText("a"));
        Near(9, await cached.MinutesLeft("a"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Without_an_expiration_an_entry_slides_by_the_default(ServerKind kind, bool isAsync)
    {
        await using var usual = await Cached.CreateAsync(kind, isAsync);
        await usual.Set("a", "value");
        Assert.InRange(await usual.MinutesLeft("a"), 10, 20);
        await usual.Pass(TimeSpan.FromMinutes(21));
        await Gone(usual, "a");

        await using var cached = await Cached.CreateAsync(kind, isAsync, new() { DefaultSliding = 5 * Step });
        await cached.Set("a", "value");
        await cached.Pass(4 * Step);
        Assert.NotNull(await cached.Get("a"));
        Near(5, await cached.MinutesLeft("a"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_relative_expiration_takes_precedence_over_an_instant(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "value", new() { AbsoluteExpiration = DateTimeOffset.UtcNow + 9 * Step, AbsoluteExpirationRelativeToNow = 2 * Step });
        Near(2, await cached.MinutesLeft("a"));
        // Even over one that has passed, as in the other implementations.
        await cached.Set("a", "value", new() { AbsoluteExpiration = DateTimeOffset.UtcNow - Step, AbsoluteExpirationRelativeToNow = 3 * Step });
        Near(3, await cached.MinutesLeft("a"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task An_instant_that_has_passed_is_refused_and_the_entry_stays(ServerKind kind, bool isAsync)
    {
        var clock = new ManualClock(DateTimeOffset.UtcNow + 100 * Step);
        await using var cached = await Cached.CreateAsync(kind, isAsync, new() { Clock = clock });
        await cached.Set("a", "old");
        foreach (var instant in (DateTimeOffset[])[clock.GetUtcNow(), DateTimeOffset.UtcNow + Step, default])
            Assert.Contains(
                "must be in the future",
                (await Assert.ThrowsAsync<InvalidOperationException>(() => cached.Set("a", "new", new() { AbsoluteExpiration = instant }))).Message,
                StringComparison.Ordinal);
        Assert.Equal("old", await cached.GetText("a"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Instants_are_exact_to_the_microsecond_in_every_time_zone(ServerKind kind, bool isAsync)
    {
        var zone = kind.IsPostgreSql() ? "Options=-c TimeZone=Asia/Kathmandu" : "";
        await using var cached = await Cached.CreateAsync(kind, isAsync, new() { Settings = zone });
        var instant = new DateTimeOffset(2199, 3, 28, 2, 30, 15, TimeSpan.FromHours(-7)).AddTicks(1_234_567);
        await cached.Set("a", "value", new() { AbsoluteExpiration = instant, SlidingExpiration = TimeSpan.FromDays(100_000) });
        foreach (var column in (string[])["expires_at", "absolute_expiration"])
        {
            var text = await cached.Scalar(
                kind.IsPostgreSql()
                    ? $"SELECT to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') FROM {cached.Name}"
                    : $"SELECT DATE_FORMAT({column}, '%Y-%m-%d %H:%i:%s.%f') FROM {cached.Name}");
            Assert.Equal("2199-03-28 09:30:15.123456", text);
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task The_longest_and_the_shortest_times_are_accepted(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("a", "value", new() { SlidingExpiration = TimeSpan.MaxValue });
        await cached.Set("b", "value", new() { AbsoluteExpirationRelativeToNow = TimeSpan.MaxValue });
        await cached.Set("c", "value", new() { AbsoluteExpiration = DateTimeOffset.MaxValue });
        await cached.Set(
            "d", "value", new() { AbsoluteExpiration = DateTimeOffset.MaxValue, SlidingExpiration = TimeSpan.MaxValue });
        foreach (var key in (string[])["a", "b", "c", "d"])
        {
            Assert.Equal("value", await cached.GetText(key));
            Assert.InRange(await cached.MinutesLeft(key) / 60 / 24 / 365, 900, 9000);
        }

        await cached.Set("e", "value", new() { SlidingExpiration = TimeSpan.FromTicks(1) });
        await cached.Set("f", "value", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromTicks(1) });
        Assert.Equal(6, await cached.Count());
        await Gone(cached, "e");
        await Gone(cached, "f");
    }

    // PostgreSQL shows each version of a row. MySQL and MariaDB do not; the first test sees there that the times stay.
    [Theory]
    [InlineData(ServerKind.PostgreSql, false)]
    [InlineData(ServerKind.PostgreSql, true)]
    [InlineData(ServerKind.PostgreSql18, false)]
    [InlineData(ServerKind.PostgreSql18, true)]
    public async Task Reading_an_entry_that_does_not_slide_writes_nothing(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        await cached.Set("absolute", "value", new() { AbsoluteExpirationRelativeToNow = Step });
        await cached.Set("at its end", "value", new() { AbsoluteExpirationRelativeToNow = Step, SlidingExpiration = 2 * Step });
        await cached.Set("sliding", "value", new() { SlidingExpiration = Step });
        foreach (var (key, writes) in ((string, bool)[])[("absolute", false), ("at its end", false), ("sliding", true)])
        {
            var version = await Version(key);
            Assert.NotNull(await cached.Get(key));
            await cached.Refresh(key);
            Assert.Equal(writes, version != await Version(key));
        }

        async Task<string> Version(string key) =>
            Convert.ToString(await cached.Scalar($"SELECT xmin || ' ' || ctid FROM {cached.Name} WHERE id = @id", key), CultureInfo.InvariantCulture)!;
    }

    private static async Task Gone(Cached cached, string key)
    {
        Assert.Null(await cached.Get(key));
        Assert.Null(await cached.TryGet(key));
    }

    private static void Near(int steps, double minutes) => Assert.InRange(minutes, (steps - 0.5) * Step.TotalMinutes, steps * Step.TotalMinutes + 0.001);
}
