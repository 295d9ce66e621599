using System.Text.RegularExpressions;
using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Each query gives on the server what it gives on objects in memory.</summary>
public sealed class QueryTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    private static readonly string[] TwoCities = ["Bern", "Genève"];
    private static readonly HashSet<int> SomeIds = [1, 2, 3, 5, 8, 13];
    private static readonly List<Guid> SomeGuids = [new(1, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8), new(3, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8)];
    private static readonly DateTime Day = new(2024, 3, 1);

    private static readonly Dictionary<string, Func<Shop, Task>> Cases = [];

    static QueryTests()
    {
        Any("where on text", t => t.Customers.Where(c => c.City == "Bern").Select(c => c.Name));
        Any("where on null", t => t.Customers.Where(c => c.City != "Bern").Select(c => c.Name));
        Any("where on bool", t => t.Products.Where(p => p.IsNew && !(p.Weight > 1)).Select(p => p.Name));
        Any("project a comparison", t => t.Products.Select(p => new { p.Name, Is = p.Price > 5 }));
        Any("where on enum", t => t.Products.Where(p => p.Grade == Grade.Best).Select(p => new { p.Id, p.Grade }));
        Any("where on guid", t => t.Orders.Where(o => o.CustomerId == SomeGuids[0]).Select(o => o.Id));
        Any("where on date", t => t.Orders.Where(o => o.Placed > Day).Select(o => o.Id));
        Any("every type",
            t => t.Products.Select(p => new { p.Id, p.Price, p.Weight, p.Lasts, p.From, p.IsNew, p.Grade, p.Added, p.Changed, p.Big, p.NameLength }));
        Any("float", t => t.Lines.Select(l => new { l.OrderId, l.Number, l.Discount }));
        Any("float compared", t => t.Lines.Where(l => l.Discount == 1 / 7f || l.Discount >= 0.5f).Select(l => new { l.OrderId, l.Number }));
        Any("bytes compared", t => t.Products.Where(p => p.Picture == null).Select(p => p.Id));

        Ordered("order and page", t => t.Products.OrderByDescending(p => p.Price).Skip(3).Take(4).Select(p => p.Id));
        Ordered("skip without take", t => t.Products.OrderBy(p => p.Id).Skip(15).Select(p => p.Id));
        Ordered("then by", t => t.Products.OrderBy(p => p.Grade).ThenByDescending(p => p.Id).Select(p => new { p.Grade, p.Id }));
        Ordered("page of a page", t => t.Products.OrderBy(p => p.Id).Take(10).OrderByDescending(p => p.Id).Take(3).Select(p => p.Id));
        Any("distinct", t => t.Customers.Select(c => c.City).Distinct());

        Any("starts with", t => t.Products.Where(p => p.Name.StartsWith("Café 1")).Select(p => p.Name));
        Any("ends with a parameter", (Tables t, string end) => t.Products.Where(p => p.Name.EndsWith(end)).Select(p => p.Name), "xx");
        Any("contains a percent sign", t => t.Customers.Where(c => c.City != null && c.City.Contains("0%")).Select(c => c.Name));
        Any("contains an underscore", (Tables t, string s) => t.Customers.Where(c => c.City != null && c.City.Contains(s)).Select(c => c.Name), "_");
        Any("contains a backslash",
            (Tables t, string s) => t.Customers.Where(c => c.City != null && (c.City.Contains(s) || c.City.Contains(@"k\"))).Select(c => c.Name), @"\s");
        Any("contains a column", t => t.Customers.Where(c => (c.City + "-" + c.Name).Contains(c.Name)).Select(c => c.Name));
        Any("text functions", t => t.Products.Select(p => new
            {
                p.Id, L = p.Name.Length, U = p.Name.ToUpper(), S = p.Name.Substring(2), T = p.Name.Substring(1, 3), I = p.Name.IndexOf('f'),
                J = p.Name.IndexOf("xx", 5),
                R = p.Name.Replace("x", "yy"), W = ("  " + p.Name + " ").Trim(), X = p.Name.TrimEnd('x'), P = p.Name.PadLeft(12, '*'),
                F = p.Name.FirstOrDefault(), N = string.IsNullOrWhiteSpace(p.Name),
            }));
        Any("concatenated", t => t.Products.Select(p => p.Name + ": " + p.Id + "/" + p.IsNew));
        Any("concatenated with null", t => t.Customers.Select(c => c.Name + c.City));
        Any("interpolated", t => t.Products.Select(p => $"{p.Id} {p.Name}"));
        Any("compared", t => t.Customers.Where(c => string.Compare(c.Name, "Customer D") > 0).Select(c => c.Name));
        Any("regular expression", t => t.Products.Where(p => Regex.IsMatch(p.Name, "1[0-5]x*$")).Select(p => p.Name));
        Any("to text", t => t.Products.Select(p => new { A = p.Id.ToString(), B = p.IsNew.ToString(), C = p.Price.ToString() }));

        Any("numbers", t => t.Products.Select(p => new
            {
                p.Id, A = Math.Abs(p.Id - 10), B = p.Id / 3, C = p.Id % 3, D = Math.Floor(p.Weight), E = Math.Round(p.Price + 0.01m, 1),
                F = Math.Max(p.Id, 7), G = Math.Sqrt(p.Weight), H = -p.Id / 2,
                I = Math.Truncate(p.Price), J = Math.Pow(p.Weight, 2), K = Math.Sign(p.Id - 5),
            }));
        Any("bits", t => t.Products.Select(p => new { p.Id, A = p.Id & 6, B = p.Id | 8, C = p.Id ^ 5, D = ~p.Id, E = -p.Id & 12 }));
        Any("conversions",
            t => t.Products.Select(p => new { p.Id, A = (int)p.Weight, B = (double)p.Price, C = (long)p.Id * 5_000_000_000, D = (decimal)p.Id / 3 > 1 }));
        Any("a large unsigned number", t => t.Products.Where(p => p.Big > ulong.MaxValue - 4).Select(p => p.Big));

        Any("parts of dates",
            t => t.Orders.Select(o => new { o.Id, o.Placed.Year, o.Placed.Month, o.Placed.Day, o.Placed.Hour, o.Placed.Minute, o.Placed.Second,
                o.Placed.DayOfYear, o.Placed.DayOfWeek, o.Placed.Date, o.Placed.TimeOfDay }));
        Any("added to dates",
            t => t.Orders.Select(o => new { o.Id, A = o.Placed.AddDays(1.5), B = o.Placed.AddMonths(1), C = o.Placed.AddHours(o.Id),
                D = o.Placed.AddYears(-1), E = o.Placed.AddSeconds(0.25), F = o.Placed.AddMilliseconds(20) }));
        Any("parts of days",
            t => t.Customers.Select(c => new { c.Name, c.Born.Year, c.Born.DayOfYear, c.Born.DayOfWeek, A = c.Born.AddMonths(1), N = c.Born.DayNumber }));
        Any("parts of times", t => t.Products.Select(p => new { p.Id, p.From.Hour, p.From.Minute, L = p.Lasts.Minutes }));

        Any("list of texts", t => t.Customers.Where(c => TwoCities.Contains(c.City)).Select(c => c.Name));
        Any("set of numbers", t => t.Products.Where(p => SomeIds.Contains(p.Id)).Select(p => p.Id));
        Any("list of guids", t => t.Orders.Where(o => SomeGuids.Contains(o.CustomerId)).Select(o => o.Id));
        Any("not in a list", t => t.Products.Where(p => !SomeIds.Contains(p.Id)).Select(p => p.Id));

        Any("join", t => t.Orders.Join(t.Customers, o => o.CustomerId, c => c.Id, (o, c) => new { o.Id, c.Name }));
        Any("left join", t => t.Customers.LeftJoin(t.Orders, c => c.Id, o => o.CustomerId, (c, o) => new { c.Name, Order = o == null ? 0 : o.Id }));
        Any("right join", t => t.Orders.RightJoin(t.Customers, o => o.CustomerId, c => c.Id, (o, c) => new { c.Name, Order = o == null ? 0 : o.Id }));
        Any("navigation", t => t.Lines.Where(l => l.Product.IsNew).Select(l => new { l.OrderId, l.Number, l.Product.Name }));
        Any("select many", t => t.Customers.SelectMany(c => c.Orders, (c, o) => new { c.Name, o.Id }));
        Any("select many with a filter", t => t.Customers.SelectMany(c => c.Orders.Where(o => o.Shipped == null), (c, o) => new { c.Name, o.Id }));
        Any("any", t => t.Customers.Where(c => c.Orders.Any(o => o.Shipped == null)).Select(c => c.Name));
        Any("all", t => t.Customers.Where(c => c.Orders.All(o => o.Id > 5)).Select(c => c.Name));
        Any("count in a projection", t => t.Customers.Select(c => new { c.Name, Count = c.Orders.Count, Lines = c.Orders.Sum(o => o.Lines.Count) }));
        Any("first in a projection",
            t => t.Customers.Select(c => new { c.Name, Last = c.Orders.OrderByDescending(o => o.Id).Select(o => (int?)o.Id).FirstOrDefault() }));
        Any("many to many", t => t.Tags.Select(tag => new { tag.Text, Count = tag.Products.Count(p => p.IsNew) }));
        Any("in a subquery with a limit",
            t => t.Orders.Where(o => t.Customers.OrderBy(c => c.Name).Take(3).Select(c => c.Id).Contains(o.CustomerId)).Select(o => o.Id));

        Any("group",
            t => t.Orders.GroupBy(o => o.CustomerId).Select(g => new { g.Key, Count = g.Count(), Max = g.Max(o => o.Id), Min = g.Min(o => o.Placed) }));
        Any("group by a part", t => t.Orders.GroupBy(o => o.Placed.Month).Select(g => new { g.Key, Count = g.Count() }));
        Any("having", t => t.Orders.GroupBy(o => o.CustomerId).Where(g => g.Count() > 3).Select(g => new { g.Key, Count = g.Count() }));
        Any("group with sums",
            t => t.Products.GroupBy(p => p.Grade).Select(g => new { g.Key, A = g.Sum(p => p.Price), B = g.Average(p => p.Id), C = g.Count(p => p.IsNew) }));
        Any("group with a list of texts",
            t => t.Products.GroupBy(p => p.Grade).Select(g => new { g.Key, Names = string.Join("|", g.OrderBy(p => p.Id).Select(p => p.Name)) }));

        Any("union", t => t.Products.Where(p => p.Id < 5).Select(p => p.Id).Union(t.Products.Where(p => p.Id > 3 && p.Id < 9).Select(p => p.Id)));
        Any("concat", t => t.Products.Where(p => p.Id < 5).Select(p => p.Name).Concat(t.Customers.Select(c => c.Name)));
        Any("except", t => t.Products.Select(p => p.Id).Except(t.Lines.Select(l => l.ProductId * 2)));
        Any("intersect", t => t.Products.Select(p => p.Id).Intersect(t.Lines.Select(l => l.ProductId)));
        Any("coalesce and conditional",
            t => t.Customers.Select(c => new { c.Name, City = c.City ?? "-", Kind = c.City == null ? 1 : c.City == "Bern" ? 2 : 3 }));
        Any("list in memory", t => t.Products.Where(p => new[] { 1, p.NameLength - 7, 9 }.Contains(p.Id)).Select(p => p.Id));
    }

    public static IEnumerable<TheoryDataRow<ServerKind, string>> All =>
        from kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11]
        from name in Cases.Keys
        select new TheoryDataRow<ServerKind, string>(kind, name);

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    private static void Any<T>(string name, Func<Tables, IQueryable<T>> query) => Cases.Add(name, shop => Same.InAnyOrderAsync(shop, query));

    private static void Any<T>(string name, Func<Tables, string, IQueryable<T>> query, string parameter) =>
        Cases.Add(name, shop => Same.InAnyOrderAsync(shop, tables => query(tables, parameter)));

    private static void Ordered<T>(string name, Func<Tables, IQueryable<T>> query) => Cases.Add(name, shop => Same.InOrderAsync(shop, query));

    [Theory, MemberData(nameof(All))]
    public async Task A_query_gives_the_same_rows(ServerKind kind, string name)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await Cases[name](shop);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Single_values_are_the_same(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        Same.Value(shop, static t => t.Products.Count());
        Same.Value(shop, static t => t.Products.LongCount(static p => p.IsNew));
        Same.Value(shop, static t => t.Products.Sum(static p => p.Price));
        Same.Value(shop, static t => t.Products.Sum(static p => p.Id));
        Same.Value(shop, static t => t.Products.Average(static p => p.Id));
        Same.Value(shop, static t => t.Products.Average(static p => p.Price));
        Same.Value(shop, static t => t.Products.Max(static p => p.Name));
        Same.Value(shop, static t => t.Products.Min(static p => p.Added));
        Same.Value(shop, static t => t.Products.Any(static p => p.Price > 1000));
        Same.Value(shop, static t => t.Products.All(static p => p.Price > 0));
        Same.Value(shop, static t => t.Orders.OrderBy(static o => o.Id).Select(static o => o.Placed).First());
        Same.Value(shop, static t => t.Orders.Where(static o => o.Id < 0).Select(static o => (int?)o.Id).FirstOrDefault());
        Same.Value(shop, static t => t.Customers.Select(static c => c.Id).Contains(SomeGuids[1]));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Collections_are_loaded_in_one_query_and_in_several(ServerKind kind)
    {
        var expected = ShopFixture.Data.Orders.Select(static o => (o.Id, o.Customer.Name, o.Lines.Count)).ToList();
        foreach (var isSplit in (bool[])[false, true])
        {
            await using var shop = await fixture.OpenAsync(kind);
            var query = shop.Orders.Include(static o => o.Customer)
                .Include(static o => o.Lines.OrderBy(static l => l.Number)).ThenInclude(static l => l.Product).OrderBy(static o => o.Id);
            var orders = await (isSplit ? query.AsSplitQuery() : query.AsSingleQuery()).ToListAsync(Stop);
            Assert.Equal(expected, orders.Select(static o => (o.Id, o.Customer.Name, o.Lines.Count)));
            Assert.Equal(expected, (isSplit ? query.AsSplitQuery() : query.AsSingleQuery()).AsNoTracking().ToList().Select(static o => (o.Id,
                o.Customer.Name, o.Lines.Count)));
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Rows_are_changed_and_deleted_by_queries(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        Assert.Equal(10, await shop.Products.Where(static p => p.IsNew).ExecuteUpdateAsync(
            static s => s.SetProperty(static p => p.Price, static p => p.Price * 2).SetProperty(static p => p.Grade, Grade.Best), Stop));
        Assert.Equal(
            ShopFixture.Data.Products.Where(static p => p.IsNew).Sum(static p => p.Price * 2),
            await shop.Products.Where(static p => p.IsNew).SumAsync(static p => p.Price, Stop));
        var expected = ShopFixture.Data.Lines.Count(static l => l.Product.IsNew);
        Assert.Equal(expected, await shop.Lines.Where(static l => l.Product.IsNew).ExecuteUpdateAsync(
            static s => s.SetProperty(static l => l.Quantity, static l => (short)(l.Quantity + 1)), Stop));
        Assert.Equal(expected, await shop.Lines.Where(static l => l.Product.IsNew).ExecuteDeleteAsync(Stop));
        Assert.Equal(2, await shop.Orders.Where(static o => o.Lines.Count == 0).OrderBy(static o => o.Id).Take(2).ExecuteDeleteAsync(Stop));
        Assert.Equal(1, await shop.Customers.Where(static c => !c.Orders.Any()).Take(1).ExecuteDeleteAsync(Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_table_that_is_changed_can_be_read_in_the_condition(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        var expected = ShopFixture.Data.Orders.Count(o => ShopFixture.Data.Orders.Any(other => other.CustomerId == o.CustomerId && other.Id < o.Id));
        Assert.Equal(expected, await shop.Orders.Where(o => shop.Orders.Any(other => other.CustomerId == o.CustomerId && other.Id < o.Id))
            .ExecuteUpdateAsync(
                s => s.SetProperty(o => o.Shipped, o => shop.Orders.Where(other => other.CustomerId == o.CustomerId).Max(other => other.Placed)), Stop));
        await shop.Lines.ExecuteDeleteAsync(Stop);
        Assert.Equal(expected, await shop.Orders.Where(o => shop.Orders.Any(other => other.CustomerId == o.CustomerId && other.Id < o.Id))
            .ExecuteDeleteAsync(Stop));
        Assert.Equal(ShopFixture.Data.Orders.Count - expected, await shop.Orders.CountAsync(Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Comparisons_of_texts_say_how_they_compare(ServerKind kind)
    {
        var options = new DbContextOptionsBuilder<Shop>(await fixture.OptionsAsync(kind));
        options.UseMySql(static mySql => mySql.EnableStringComparisonTranslations());
        await using var shop = new Shop(options.Options);
        Assert.Equal(0, await shop.Customers.CountAsync(static c => c.Name.Equals("customer b", StringComparison.Ordinal), Stop));
        Assert.Equal(1, await shop.Customers.CountAsync(static c => c.Name.Equals("customer b", StringComparison.OrdinalIgnoreCase), Stop));
        Assert.Equal(0, await shop.Customers.CountAsync(static c => string.Equals(c.City, "GENEVE", StringComparison.OrdinalIgnoreCase), Stop));
        Assert.Equal(12, await shop.Customers.CountAsync(static c => c.Name.StartsWith("CUST", StringComparison.OrdinalIgnoreCase), Stop));
        Assert.Equal(0, await shop.Customers.CountAsync(static c => c.Name.StartsWith("CUST", StringComparison.Ordinal), Stop));
        Assert.Equal(12, await shop.Customers.CountAsync(static c => c.Name.Contains("TOMER", StringComparison.InvariantCultureIgnoreCase), Stop));
        await using var other = await fixture.OpenAsync(kind);
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => other.Customers.CountAsync(static c => c.Name.Equals("customer b", StringComparison.Ordinal), Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Raw_sql_is_composed(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var price = 5m;
        Assert.Equal(
            ShopFixture.Data.Products.Count(static p => p.Price > 5 && p.IsNew),
            await shop.Products.FromSql($"SELECT * FROM Products WHERE Price > {price}").CountAsync(static p => p.IsNew, Stop));
        Assert.Equal(20, await shop.Database.SqlQuery<int>($"SELECT COUNT(*) AS `Value` FROM Products").SingleAsync(Stop));
        Assert.Equal(7, shop.Database.SqlQueryRaw<long>("SET @x = 3; SELECT @x + 4 AS `Value`").AsEnumerable().Single());
    }
}
