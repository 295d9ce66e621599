using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A row with all rows of another table, or with one element of a list.</summary>
public sealed class WholeTableTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Each_row_has_the_whole_of_another_table(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var found = await shop.Customers.OrderBy(static c => c.Name)
            .Select(c => new { c.Name, Tags = shop.Tags.OrderBy(static t => t.Id).Reverse().Select(static t => t.Text).ToList() }).ToListAsync(Stop);
        var tags = ShopFixture.Data.Tags.Select(static t => t.Text).Reverse().ToList();
        Assert.Equal(ShopFixture.Data.Customers.Select(static c => c.Name), found.Select(static f => f.Name));
        Assert.All(found, one => Assert.Equal(tags, one.Tags));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_column_is_the_index_of_a_list(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        int[] numbers = [3, 1, 14];
        await Same.InAnyOrderAsync(shop, t => t.Products.Where(p => numbers[p.Id % 3] == p.Id || new[] { 2, 4, 8 }[p.Id % 3] == p.Id).Select(p => p.Id));
        await Same.InAnyOrderAsync(shop, t => t.Products.Select(p => new { p.Id, Chosen = numbers[p.Id % 3] }));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_connection_that_was_open_before_is_asked_for_its_version(ServerKind kind)
    {
        var text = await Servers.ConnectionString(kind, "version");
        await using var connection = new MySqlConnection(new MySqlConnectionStringBuilder(text) { Database = "", ConnectionTimeout = 19 }.ConnectionString);
        await connection.OpenAsync(Stop);
        await connection.CloseAsync();
        await using var context = new DbContext(Servers.Options().UseMySql(connection).Options);
        Assert.Equal([1], await context.Database.SqlQueryRaw<int>("SELECT 1 AS `Value`").ToListAsync(Stop));
    }
}
