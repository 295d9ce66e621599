using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>The tables of a shop as queries: of the server, or of objects in memory.</summary>
public sealed class Tables(IQueryable<Customer> customers, IQueryable<Order> orders, IQueryable<Line> lines, IQueryable<Product> products, IQueryable<Tag> tags)
{
    public IQueryable<Customer> Customers => customers;

    public IQueryable<Order> Orders => orders;

    public IQueryable<Line> Lines => lines;

    public IQueryable<Product> Products => products;

    public IQueryable<Tag> Tags => tags;

    public static Tables Of(Shop shop) => new(shop.Customers, shop.Orders, shop.Lines, shop.Products, shop.Tags);

    public static Tables Of(ShopData data) =>
        new(data.Customers.AsQueryable(), data.Orders.AsQueryable(), data.Lines.AsQueryable(), data.Products.AsQueryable(), data.Tags.AsQueryable());
}

/// <summary>Runs a query on the server and on objects in memory, and compares the rows.</summary>
internal static class Same
{
    /// <summary>The rows are equal in order.</summary>
    public static async Task InOrderAsync<T>(Shop shop, Func<Tables, IQueryable<T>> query)
    {
        var expected = query(Tables.Of(ShopFixture.Data)).ToList();
        var found = query(Tables.Of(shop));
        List<T> actual;
        try
        {
            actual = await found.ToListAsync();
        }
        catch (Exception exception)
        {
            throw new InvalidOperationException($"{exception.Message}\n{TextOf(found)}", exception);
        }

        Assert.True(expected.Count > 0, "The query has no rows in memory, so it shows nothing.");
        Assert.True(expected.SequenceEqual(actual), $"Expected:\n{Rows(expected)}\nFound:\n{Rows(actual)}\n{TextOf(found)}");
    }

    /// <summary>The rows are equal in any order.</summary>
    public static async Task InAnyOrderAsync<T>(Shop shop, Func<Tables, IQueryable<T>> query)
    {
        var expected = query(Tables.Of(ShopFixture.Data)).ToList().OrderBy(static row => row?.ToString(), StringComparer.Ordinal).ToList();
        var found = query(Tables.Of(shop));
        List<T> actual;
        try
        {
            actual = (await found.ToListAsync()).OrderBy(static row => row?.ToString(), StringComparer.Ordinal).ToList();
        }
        catch (Exception exception)
        {
            throw new InvalidOperationException($"{exception.Message}\n{TextOf(found)}", exception);
        }

        Assert.True(expected.Count > 0, "The query has no rows in memory, so it shows nothing.");
        Assert.True(expected.SequenceEqual(actual), $"Expected:\n{Rows(expected)}\nFound:\n{Rows(actual)}\n{TextOf(found)}");
    }

    /// <summary>One value is equal.</summary>
    public static void Value<T>(Shop shop, Expression<Func<Tables, T>> query)
    {
        var run = query.Compile();
        Assert.Equal(run(Tables.Of(ShopFixture.Data)), run(Tables.Of(shop)));
    }

    private static string TextOf<T>(IQueryable<T> query)
    {
        try
        {
            return query.ToQueryString();
        }
        catch (Exception exception)
        {
            return exception.Message;
        }
    }

    private static string Rows<T>(List<T> rows) => string.Join('\n', rows.Take(12).Select(static row => row?.ToString() ?? "null"));
}
