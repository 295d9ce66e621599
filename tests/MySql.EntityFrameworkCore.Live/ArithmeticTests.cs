using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Computing with dates, durations and unsigned numbers gives on the server what it gives in memory.</summary>
public sealed class ArithmeticTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    private static readonly DateTime Start = new(2024, 2, 1, 1, 2, 3, 456);
    private static readonly TimeSpan Span = new(1, 2, 3, 4, 5, 6);
    private static readonly TimeSpan Months = TimeSpan.FromDays(45);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Dates_and_durations_are_added_and_subtracted(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var (start, span) = (Start, Span);
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, A = p.Added + p.Lasts, B = p.Added - p.Lasts }));
        await Same.InAnyOrderAsync(
            shop, t => t.Products.Select(p => new { p.Id, A = start + p.Lasts, B = start - p.Lasts, C = p.Added + span, D = p.Added - span }));
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, A = p.Changed + p.Lasts, B = p.Changed - span }));
        await Same.InAnyOrderAsync(
            shop, t => t.Products.Select(p => new { p.Id, A = p.Added.Add(p.Lasts), B = p.Added.Subtract(p.Lasts), C = p.Added.Add(span) }));
        await Same.InAnyOrderAsync(
            shop, t => t.Products.Select(p => new { p.Id, A = p.Lasts + p.Lasts, B = p.Lasts - span, C = -p.Lasts, D = span + p.Lasts }));
        await Same.InAnyOrderAsync(
            shop, t => t.Products.Select(p => new { p.Id, A = p.Lasts * 3.0, B = p.Lasts / 0.25, C = p.Lasts.Duration(), D = p.Lasts.Negate() }));
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, A = p.From - new TimeOnly(12, 0), B = new TimeOnly(3, 0) - p.From }));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Select(o => new { o.Id, A = o.Placed + (o.Placed - start), B = o.Placed + (o.Shipped - o.Placed) }));
        await Same.InAnyOrderAsync(
            shop, t => t.Products.Select(p => new { p.Id, A = p.Added + TimeSpan.FromMinutes(p.NameLength), B = p.Added - TimeSpan.FromDays(p.Weight) }));
    }

    // More than the 838 hours of TIME.
    [Theory, MemberData(nameof(Kinds))]
    public async Task A_difference_of_dates_has_no_limit(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var (start, months) = (Start, Months);
        await Same.InAnyOrderAsync(shop, t => t.Orders.Select(o => new { o.Id, A = o.Placed - start, B = o.Shipped - o.Placed, C = start - o.Placed }));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Where(o => o.Placed - start > months).Select(o => o.Id));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Where(o => o.Placed.Subtract(start) <= months).Select(o => o.Id));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Where(o => o.Shipped - o.Placed == TimeSpan.FromHours(36)).Select(o => o.Id));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Where(o => (o.Shipped - o.Placed) == null).Select(o => o.Id));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Select(o => (o.Shipped - o.Placed) ?? TimeSpan.FromDays(90)));
        await Same.InOrderAsync(shop, t => t.Orders.OrderByDescending(o => o.Placed - start).Select(o => o.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.Lasts + p.Lasts > p.Lasts).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.Lasts < p.Added - new DateTime(2020, 3, 1)).Select(p => p.Id));
        Same.Value(shop, t => t.Orders.Max(o => o.Placed - Start));
        Same.Value(shop, t => t.Orders.Sum(o => (o.Placed - Start).TotalHours));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Parts_and_totals_of_durations_are_those_of_TimeSpan(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var start = Start;
        await Same.InAnyOrderAsync(
            shop,
            t => t.Products.Select(p => new { p.Id, p.Lasts.TotalDays, p.Lasts.TotalHours, p.Lasts.TotalMinutes, p.Lasts.TotalSeconds, p.Lasts.Ticks }));
        await Same.InAnyOrderAsync(
            shop,
            t => t.Products.Select(p => new { p.Id, p.Lasts.TotalMilliseconds, p.Lasts.TotalMicroseconds, p.Lasts.Days, p.Lasts.Hours, p.Lasts.Minutes }));
        await Same.InAnyOrderAsync(
            shop, t => t.Products.Select(p => new { p.Id, p.Lasts.Seconds, p.Lasts.Milliseconds, p.Lasts.Microseconds }));
        await Same.InAnyOrderAsync(
            shop, t => t.Orders.Select(o => new
            {
                o.Id, (o.Placed - start).Days, (o.Placed - start).Hours, (start - o.Placed).Minutes, (start - o.Placed).Seconds,
                (o.Placed - start).Milliseconds, (o.Placed - start).Microseconds, (o.Placed - start).Ticks,
            }));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Where(o => (o.Placed - start).TotalDays > 3.5).Select(o => new { o.Id, (o.Placed - start).TotalDays }));
        await Same.InAnyOrderAsync(shop, t => t.Orders.Select(o => o.Shipped == null ? 0 : (o.Shipped.Value - o.Placed).TotalMinutes));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_duration_is_set_by_a_query(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        await shop.Products.ExecuteUpdateAsync(
            static set => set.SetProperty(static p => p.Lasts, static p => p.Lasts + Span).SetProperty(static p => p.Added, static p => p.Added + p.Lasts),
            Stop);
        var found = await shop.Products.AsNoTracking().OrderBy(static p => p.Id).Select(static p => new { p.Lasts, p.Added }).ToListAsync(Stop);
        Assert.Equal(
            ShopFixture.Data.Products.Select(static p => new { Lasts = p.Lasts + TimeSpan.FromTicks(Span.Ticks / 10 * 10), Added = p.Added + p.Lasts }), found);
    }

    // TIME and a number of microseconds.
    [Theory, MemberData(nameof(Kinds))]
    public async Task A_choice_between_a_column_and_a_sum_of_durations_is_refused(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(
            () => shop.Products.Select(static p => p.IsNew ? p.Lasts : p.Lasts + p.Lasts).ToListAsync(Stop));
        Assert.Contains("TIME", refusal.Message, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task An_interval_of_times_may_span_midnight(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var (late, early) = (new TimeOnly(11, 0), new TimeOnly(7, 0));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.From.IsBetween(late, early)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.From.IsBetween(early, late)).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => p.From.IsBetween(new TimeOnly(11, 0), new TimeOnly(7, 0))).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => late.IsBetween(p.From, early)).Select(p => p.Id));
    }
}
