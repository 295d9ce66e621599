using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Methods of texts, times and bytes give on the server what they give in memory.</summary>
public sealed class TranslationTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

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
}
