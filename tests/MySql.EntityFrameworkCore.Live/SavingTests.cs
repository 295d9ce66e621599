using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>SaveChanges: keys, values that the server makes, conflicts, transactions.</summary>
public sealed class SavingTests(ShopFixture fixture) : IClassFixture<ShopFixture>
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Generated_keys_and_values_come_back(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        var product = new Product { Name = "New ☃", Price = 12.345m, Lasts = TimeSpan.FromHours(-30), Big = 5 };
        shop.Add(product);
        await shop.SaveChangesAsync(Stop);
        Assert.True(product.Id > 20);
        Assert.Equal(5, product.NameLength);
        Assert.True(product.Added > new DateTime(2024, 1, 1));

        product.Name = "Longer";
        await shop.SaveChangesAsync(Stop);
        Assert.Equal(6, product.NameLength);

        shop.ChangeTracker.Clear();
        var read = await shop.Products.SingleAsync(other => other.Id == product.Id, Stop);
        Assert.Equal((12.35m, TimeSpan.FromHours(-30), 5UL), (read.Price, read.Lasts, read.Big));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Many_rows_get_the_keys_of_their_own_rows(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        var tags = Enumerable.Range(0, 2500).Select(static i => new Tag { Text = $"many {i}" }).ToList();
        shop.AddRange(tags);
        Assert.Equal(2500, await shop.SaveChangesAsync(Stop));
        shop.ChangeTracker.Clear();
        var read = await shop.Tags.Where(static tag => tag.Text.StartsWith("many")).ToDictionaryAsync(static tag => tag.Id, Stop);
        Assert.All(tags, tag => Assert.Equal(tag.Text, read[tag.Id].Text));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_distance_between_keys_is_the_servers(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        await shop.Database.ExecuteSqlRawAsync("SET SESSION auto_increment_increment = 7", Stop);
        var tags = Enumerable.Range(0, 5).Select(static i => new Tag { Text = $"far {i}" }).ToList();
        shop.AddRange(tags);
        await shop.SaveChangesAsync(Stop);
        await shop.Database.ExecuteSqlRawAsync("SET SESSION auto_increment_increment = 1", Stop);
        shop.ChangeTracker.Clear();
        var read = await shop.Tags.Where(static tag => tag.Text.StartsWith("far")).ToDictionaryAsync(static tag => tag.Id, Stop);
        Assert.All(tags, tag => Assert.Equal(tag.Text, read[tag.Id].Text));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_row_that_changed_meanwhile_is_a_conflict_of_its_entry(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        var counters = Enumerable.Range(0, 3).Select(static i => new Counter { Value = i, Version = 1 }).ToList();
        shop.AddRange(counters);
        shop.SaveChanges();
        shop.Database.ExecuteSql($"UPDATE Counters SET Version = 2 WHERE Id = {counters[1].Id}");
        foreach (var counter in counters)
            counter.Value += 10;
        var conflict = Assert.Throws<DbUpdateConcurrencyException>(() => shop.SaveChanges());
        Assert.Same(counters[1], Assert.Single(conflict.Entries).Entity);
        conflict = await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => shop.SaveChangesAsync(Stop));
        Assert.Same(counters[1], Assert.Single(conflict.Entries).Entity);

        shop.Remove(counters[2]);
        shop.Entry(counters[0]).State = EntityState.Unchanged;
        shop.Entry(counters[1]).State = EntityState.Deleted;
        Assert.Throws<DbUpdateConcurrencyException>(() => shop.SaveChanges());
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task An_update_that_changes_nothing_is_no_conflict(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        var product = await shop.Products.FirstAsync(Stop);
        shop.Entry(product).Property(static p => p.Price).IsModified = true;
        Assert.Equal(1, await shop.SaveChangesAsync(Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Work_between_savepoints_can_be_repeated(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        shop.Add(new Tag { Text = "kept" });
        await shop.SaveChangesAsync(Stop);
        var name = await shop.Products.Select(static p => p.Name).FirstAsync(Stop);
        var tag = new Tag { Text = "not lost" };
        var twin = new Product { Name = name };
        shop.AddRange(tag, twin);
        await Assert.ThrowsAsync<DbUpdateException>(() => shop.SaveChangesAsync(Stop));
        Assert.Equal(1, await shop.Tags.CountAsync(static t => t.Text == "kept" || t.Text == "not lost", Stop));
        twin.Name = "another";
        await shop.SaveChangesAsync(Stop);
        Assert.Equal(2, await shop.Tags.CountAsync(static t => t.Text == "kept" || t.Text == "not lost", Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Many_rows_are_saved_as_a_whole_or_not_at_all(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        var taken = await shop.Products.Select(static p => p.Name).FirstAsync(Stop);
        shop.AddRange(Enumerable.Range(0, 50).Select(i => new Product { Name = i == 40 ? taken : $"half {i}" }));
        await Assert.ThrowsAsync<DbUpdateException>(() => shop.SaveChangesAsync(Stop));
        Assert.Equal(0, await shop.Products.CountAsync(static p => p.Name.StartsWith("half"), Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Rows_of_many_kinds_are_saved_in_one_go(ServerKind kind)
    {
        await using var shop = await fixture.OpenAsync(kind);
        await using var transaction = await shop.Database.BeginTransactionAsync(Stop);
        var customer = new Customer { Id = Guid.NewGuid(), Name = "Z", Born = new(2000, 1, 1) };
        var order = new Order { Customer = customer, Placed = new(2025, 1, 1) };
        var product = new Product { Name = "with tags", Tags = { new() { Text = "one" }, new() { Text = "two" } } };
        order.Lines.AddRange([new() { Number = 1, Product = product, Quantity = 2 }, new() { Number = 2, Product = product, Quantity = 3 }]);
        shop.Add(order);
        await shop.SaveChangesAsync(Stop);
        shop.ChangeTracker.Clear();
        var read = await shop.Orders.Include(static o => o.Lines).ThenInclude(static l => l.Product).ThenInclude(static p => p.Tags)
            .SingleAsync(o => o.Id == order.Id, Stop);
        Assert.Equal([2, 3], read.Lines.Select(static line => (int)line.Quantity));
        Assert.Equal(["one", "two"], read.Lines[0].Product.Tags.Select(static tag => tag.Text).Order());
        shop.RemoveRange(read.Lines);
        shop.Remove(read);
        Assert.Equal(3, await shop.SaveChangesAsync(Stop));
    }
}
