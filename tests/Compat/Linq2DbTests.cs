using LinqToDB;
using LinqToDB.Async;
using LinqToDB.Data;
using LinqToDB.DataProvider.MySql;
using LinqToDB.Mapping;
using Slipstream.Lab;

namespace Slipstream.Compat;

/// <summary>linq2db finds the driver by the name of its assembly, and uses it by reflection.</summary>
public class Linq2DbTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    [Table("product")]
    public sealed class Product
    {
        [PrimaryKey, Identity]
        public int Id { get; set; }

        [Column(Length = 50), NotNull]
        public string Name { get; set; } = "";

        [Column(Precision = 10, Scale = 2)]
        public decimal Price { get; set; }

        [Column]
        public DateTime? At { get; set; }

        [Column]
        public byte[]? Picture { get; set; }
    }

    private static DataConnection Connect(ServerKind kind, string connectionString) =>
        new(
            new DataOptions().UseMySql(
                connectionString, kind == ServerKind.MySql ? MySqlVersion.MySql80 : MySqlVersion.MariaDB10, MySqlProvider.MySqlConnector));

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Rows_are_inserted_queried_changed_and_deleted(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "linq");
        await using var db = Connect(kind, database.ConnectionString);
        await db.CreateTableAsync<Product>();
        var id = await db.InsertWithInt32IdentityAsync(new Product { Name = "Café ☕", Price = 2.50m, At = new(2024, 2, 29, 12, 0, 0), Picture = [0, 255] });
        Assert.Equal(1, id);
        var read = await db.GetTable<Product>().SingleAsync(product => product.Id == id);
        Assert.Equal(("Café ☕", 2.50m, new DateTime(2024, 2, 29, 12, 0, 0)), (read.Name, read.Price, read.At!.Value));
        Assert.Equal([0, 255], read.Picture!);
        await using (var transaction = await db.BeginTransactionAsync())
        {
            await db.GetTable<Product>().Where(product => product.Price < 3).Set(static product => product.Price, static product => product.Price * 2)
                .UpdateAsync();
            await transaction.RollbackAsync();
        }

        Assert.Equal(2.50m, await db.GetTable<Product>().Select(static product => product.Price).SingleAsync());
        Assert.Equal(1, await db.GetTable<Product>().DeleteAsync());
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Each_method_of_bulk_copy_copies_all_rows(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "bulk");
        await using var db = Connect(kind, database.ConnectionString);
        await db.CreateTableAsync<Product>();
        var rows = Enumerable.Range(1, 500).Select(static i => new Product
        {
            Name = $"name {i}, 'é'",
            Price = i / 4m,
            At = i % 3 == 0 ? null : new DateTime(2024, 1, 1).AddHours(i),
            Picture = i % 5 == 0 ? null : [(byte)i, 0, 10, 92],
        }).ToList();
        foreach (var method in new[] { BulkCopyType.RowByRow, BulkCopyType.MultipleRows, BulkCopyType.ProviderSpecific })
        {
            await db.GetTable<Product>().DeleteAsync();
            var copied = await db.BulkCopyAsync(new BulkCopyOptions { BulkCopyType = method }, rows);
            Assert.Equal(500, copied.RowsCopied);
            var read = await db.GetTable<Product>().OrderBy(static product => product.Id).ToListAsync();
            Assert.Equal(
                rows.Select(static row => (row.Name, row.Price, row.At, Convert.ToHexString(row.Picture ?? []))),
                read.Select(static row => (row.Name, row.Price, row.At, Convert.ToHexString(row.Picture ?? []))));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task The_schema_is_read(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "schema");
        await using var db = Connect(kind, database.ConnectionString);
        await db.CreateTableAsync<Product>();
        var schema = db.DataProvider.GetSchemaProvider().GetSchema(db);
        var table = Assert.Single(schema.Tables, static table => table.TableName == "product");
        Assert.Equal(["Id", "Name", "Price", "At", "Picture"], table.Columns.Select(static column => column.ColumnName));
    }
}
