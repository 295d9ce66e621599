using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Methods of texts, times and bytes give on the server what they give in memory.</summary>
public sealed class TranslationTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_time_that_is_moved_begins_again_at_midnight(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var back = TimeSpan.FromHours(-30.25);
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, A = p.From.AddHours(13.5), B = p.From.AddMinutes(-400) }));
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, A = p.From.Add(back), B = p.From.Add(p.Lasts) }));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.From.AddHours(18) < p.From).Select(p => p.Id));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Bytes_are_found_by_their_index_and_compared_as_sequences(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        byte[] sought = [4, 0, 255];
        var last = 2;
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.Picture != null && p.Picture[0] > 8 && p.Picture[last] == 255).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.Picture != null && p.Picture.SequenceEqual(sought)).Select(p => p.Id));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_present_moment_is_the_same_in_every_time_zone(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        await shop.Database.ExecuteSqlRawAsync("SET time_zone = '+05:00'", Stop);
        var found = await shop.Products.Select(static p => new { A = DateTimeOffset.Now, B = DateTimeOffset.UtcNow }).FirstAsync(Stop);
        Assert.InRange(found.A, DateTimeOffset.UtcNow.AddMinutes(-2), DateTimeOffset.UtcNow.AddMinutes(2));
        Assert.InRange(found.B, DateTimeOffset.UtcNow.AddMinutes(-2), DateTimeOffset.UtcNow.AddMinutes(2));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Texts_of_a_row_are_joined(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var mark = "!";
        await Same.InAnyOrderAsync(shop, t => t.Customers.Select(c => string.Join("|", new[] { c.Name, c.City, mark, null, "end" })));
    }
}
