using System.Text.Json;
using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>
/// Queries that join each row with rows of its own. MySQL runs them with LATERAL, MariaDB as what the provider rewrites them to: both give what the query gives
/// on objects in memory.
/// </summary>
public sealed partial class ApplyTests(ShopFixture shops, ShelfFixture shelves) : IClassFixture<ShopFixture>, IClassFixture<ShelfFixture>
{
    private static readonly Dictionary<string, Func<Shop, Task>> Cases = [];
    private static readonly Dictionary<string, Func<Shelf, Task>> Documents = [];

    static ApplyTests()
    {
        foreach (var part in (Action[])[Conditions, FirstRows, Collections, Parts, Values, Lists])
            part();
    }

    // What MySQL refuses: LIMIT takes no number below zero.
    private static readonly HashSet<string> OnMariaDbOnly = [];

    public static IEnumerable<TheoryDataRow<ServerKind, string>> All =>
        Rows(Cases.Keys).Where(static row => row.Data.Item1 is not ServerKind.MySql || !OnMariaDbOnly.Contains(row.Data.Item2));

    public static IEnumerable<TheoryDataRow<ServerKind, string>> AllDocuments => Rows(Documents.Keys);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    public static TheoryData<ServerKind> MariaDbs { get; } = [ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory, MemberData(nameof(All))]
    public async Task Rows_of_each_row_are_the_same(ServerKind kind, string name)
    {
        await using var shop = await shops.OpenAsync(kind);
        await Cases[name](shop);
    }

    [Theory, MemberData(nameof(AllDocuments))]
    public async Task Elements_of_each_row_are_the_same(ServerKind kind, string name)
    {
        await using var shelf = await shelves.OpenAsync(kind);
        await Documents[name](shelf);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Included_collections_are_the_same_in_one_query_and_in_several(ServerKind kind)
    {
        var expected = ShopFixture.Data.Customers.OrderBy(static c => c.Name).Select(static c => $"{c.Name}: " + string.Join(
            ", ", c.Orders.Where(static o => o.Id > 3).OrderByDescending(static o => o.Id).Take(2).Select(
                static o => $"{o.Id}/{string.Join('+', o.Lines.OrderBy(static l => l.Quantity).ThenBy(static l => l.Number).Take(1)
                    .Select(static l => l.Number))}"))).ToList();
        var ways = from isSplit in (bool[])[false, true] from tracking in Enum.GetValues<QueryTrackingBehavior>() select (isSplit, tracking);
        foreach (var (isSplit, tracking) in ways)
        {
            await using var shop = await shops.OpenAsync(kind);
            var query = shop.Customers.AsTracking(tracking)
                .Include(static c => c.Orders.Where(static o => o.Id > 3).OrderByDescending(static o => o.Id).Take(2))
                .ThenInclude(static o => o.Lines.OrderBy(static l => l.Quantity).ThenBy(static l => l.Number).Take(1)).OrderBy(static c => c.Name);
            var customers = await (isSplit ? query.AsSplitQuery() : query).ToListAsync(TestContext.Current.CancellationToken);
            Assert.Equal(expected, customers.Select(static c => $"{c.Name}: " + string.Join(
                ", ", c.Orders.Select(static o => $"{o.Id}/{string.Join('+', o.Lines.Select(static l => l.Number))}"))));
            var ids = shop.Customers.Select(c => new
            {
                c.Name, Ids = shop.Orders.Where(o => o.CustomerId == c.Id && o.Id % 3 != c.Name.Length % 3).OrderBy(o => o.Id).Take(2)
                    .Select(o => o.Id).ToList(),
            }).OrderBy(static c => c.Name);
            Assert.Equal(
                ShopFixture.Data.Customers.OrderBy(static c => c.Name)
                    .Select(static c => string.Join(' ', c.Orders.Where(o => o.Id % 3 != c.Name.Length % 3).OrderBy(static o => o.Id).Take(2)
                        .Select(static o => o.Id))),
                (await (isSplit ? ids.AsSplitQuery() : ids).ToListAsync(TestContext.Current.CancellationToken)).Select(static c => string.Join(' ', c.Ids)));
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Rows_are_changed_by_rows_of_their_own(ServerKind kind)
    {
        var stop = TestContext.Current.CancellationToken;
        await using var shop = await shops.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(stop);
        await shop.Customers.ExecuteUpdateAsync(
            s => s.SetProperty(
                c => c.Name,
                c => c.Name.Substring(9) + shop.Orders.Where(o => o.CustomerId == c.Id && o.Id > c.Born.Month).OrderBy(o => o.Id).Take(2).Sum(o => o.Id)),
            stop);
        Assert.Equal(
            ShopFixture.Data.Customers.Select(static c => c.Name[9..] + c.Orders.Where(o => o.Id > c.Born.Month).OrderBy(static o => o.Id).Take(2)
                .Sum(static o => o.Id))
                .Order(StringComparer.Ordinal),
            (await shop.Customers.Select(static c => c.Name).ToListAsync(stop)).Order(StringComparer.Ordinal));
        Assert.Equal(
            ShopFixture.Data.Lines.Count(line => ShopFixture.Data.Lines.Where(l => l.ProductId == line.ProductId && l.Quantity != line.Number)
                .OrderBy(static l => l.OrderId).ThenBy(static l => l.Number).Take(2).Any(l => l.OrderId < line.OrderId)),
            await shop.Lines.Where(line => shop.Lines.Where(l => l.ProductId == line.ProductId && l.Quantity != line.Number)
                .OrderBy(l => l.OrderId).ThenBy(l => l.Number).Take(2).Any(l => l.OrderId < line.OrderId)).ExecuteDeleteAsync(stop));
    }

    [Theory, MemberData(nameof(MariaDbs))]
    public async Task What_has_no_join_is_refused(ServerKind kind)
    {
        await using var shop = await shops.OpenAsync(kind);
        var months = shop.Orders.GroupBy(static o => o.Placed.Month).Select(static g => new { g.Key, Count = g.Count() });
        await AssertRefusedAsync(
            months.SelectMany(m => shop.Products.Where(p => p.Id < m.Count).OrderBy(p => p.Id).Take(2).Select(p => p.Id)),
            "The query joins each row with rows that come from Take, Skip or First and depend on that row. This needs LATERAL, ");
        await AssertRefusedAsync(months.SelectMany(m => shop.Products.Where(p => p.Id < m.Count).Select(p => p.Grade).Distinct()), "from Distinct and ");
        await AssertRefusedAsync(
            months.SelectMany(m => shop.Products.Where(p => p.Id < m.Count).GroupBy(p => p.Grade).Select(g => g.Count())), "from GroupBy and ");
        await AssertRefusedAsync(
            months.SelectMany(m => shop.Products.Where(p => p.Id < m.Count).Select(p => p.Id).Union(shop.Products.Where(p => p.Id > m.Key).Select(p => p.Id))),
            "from Union, Concat, Intersect or Except and ");
        // MariaDB reads wrong groups in a subquery of HAVING.
        await AssertRefusedAsync(
            shop.Customers.Where(c => shop.Orders.Where(o => o.CustomerId == c.Id).GroupBy(o => o.Placed.Month)
                .Any(g => c.Orders.Where(o => o.Id > c.Name.Length).OrderBy(o => o.Id).Take(3).Any(o => o.Id == g.Key))),
            "The query computes a value for each row from rows that come from ");
        var message = await AssertRefusedAsync(
            months.SelectMany(m => shop.Products.Where(p => p.Id < m.Count).OrderBy(p => p.Id).Take(2).Select(p => p.Id)), "needs LATERAL, which ");
        Assert.Contains("MariaDB", message, StringComparison.OrdinalIgnoreCase);
        Assert.EndsWith("or load them with a second query and combine them in memory.", message, StringComparison.Ordinal);
    }

    private static async Task<string> AssertRefusedAsync<T>(IQueryable<T> query, string text)
    {
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() => query.ToListAsync(TestContext.Current.CancellationToken));
        Assert.Contains(text, exception.Message, StringComparison.Ordinal);
        return exception.Message;
    }

    private static IEnumerable<TheoryDataRow<ServerKind, string>> Rows(IEnumerable<string> names) =>
        from name in names
        from kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11]
        select new TheoryDataRow<ServerKind, string>(kind, name);

    // Rows as text: rows may have lists, which are compared in order.
    private static void Case<T>(string name, Func<Tables, IQueryable<T>> query, bool isMariaDbOnly = false)
    {
        Cases.Add(name, shop => AssertSameAsync(query(Tables.Of(ShopFixture.Data)), query(Tables.Of(shop))));
        if (isMariaDbOnly)
            OnMariaDbOnly.Add(name);
    }

    private static void Document<T>(string name, Func<IQueryable<Paper>, IQueryable<T>> query) =>
        Documents.Add(name, shelf => AssertSameAsync(query(ShelfFixture.Papers.AsQueryable()), query(shelf.Papers)));

    internal static async Task AssertSameAsync<T>(IQueryable<T> inMemory, IQueryable<T> onServer)
    {
        var expected = inMemory.AsEnumerable().Select(static row => JsonSerializer.Serialize(row)).Order(StringComparer.Ordinal).ToList();
        List<string> actual;
        try
        {
            actual = (await onServer.ToListAsync()).Select(static row => JsonSerializer.Serialize(row)).Order(StringComparer.Ordinal).ToList();
        }
        catch (Exception exception) when (exception is not InvalidOperationException { InnerException: null })
        {
            throw new InvalidOperationException($"{exception.Message}\n{onServer.ToQueryString()}", exception);
        }

        Assert.True(expected.Count > 0, "The query has no rows in memory, so it shows nothing.");
        if (!expected.SequenceEqual(actual))
            Assert.Fail($"Missing:\n{Lines(expected, actual)}\nSuperfluous:\n{Lines(actual, expected)}\n{onServer.ToQueryString()}");
    }

    private static string Lines(List<string> rows, List<string> others)
    {
        var left = rows.ToList();
        foreach (var other in others)
            left.Remove(other);
        return string.Join('\n', left.Take(8));
    }
}
