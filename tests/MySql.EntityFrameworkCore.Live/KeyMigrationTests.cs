using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>The columns of a primary key.</summary>
public enum Key
{
    Id,
    Code,
    CodeAndId,
    IdAndCode,
}

/// <summary>Migrations from one primary key to another, where a column is AUTO_INCREMENT before or afterwards.</summary>
public sealed class KeyMigrationTests
{
    public static TheoryData<ServerKind, Key, Key> Changes
    {
        get
        {
            var changes = new TheoryData<ServerKind, Key, Key>();
            foreach (var kind in Servers.Kinds)
                foreach (var (from, to) in ((Key, Key)[])
                [
                    (Key.Id, Key.Code), (Key.Code, Key.Id), (Key.Id, Key.CodeAndId), (Key.CodeAndId, Key.IdAndCode), (Key.CodeAndId, Key.Code),
                    (Key.Code, Key.CodeAndId),
                ])
                    changes.Add(kind, from, to);
            return changes;
        }
    }

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Changes))]
    public async Task A_table_gets_another_key_and_its_rows_stay(ServerKind kind, Key from, Key to)
    {
        var connection = await Servers.ConnectionString(kind, $"key_{from}_{to}");
        await using var old = Create(connection, from);
        await using var next = Create(connection, to);
        await old.Database.EnsureDeletedAsync(Stop);
        await old.Database.EnsureCreatedAsync(Stop);
        try
        {
            old.AddRange(new Item { Id = 5, Code = "a" }, new Item { Id = 6, Code = "b" });
            await old.SaveChangesAsync(Stop);
            await MigrateAsync(old, next);
            Assert.Equal("5 a, 6 b", await RowsAsync(next));

            // AUTO_INCREMENT works, or is gone; and no index is left over.
            next.Add(new Item { Id = to == Key.Code ? 70 : 0, Code = "c" });
            await next.SaveChangesAsync(Stop);
            Assert.Equal(to == Key.Code ? "5 a, 6 b, 70 c" : "5 a, 6 b, 7 c", await RowsAsync(next));
            Assert.Equal(
                to == Key.CodeAndId ? 2 : 1,
                (await next.Database.SqlQuery<string>(
                    $"SELECT DISTINCT INDEX_NAME AS Value FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Items'")
                    .ToListAsync(Stop)).Count);
            Assert.Equal(
                "the number",
                await next.Database.SqlQuery<string>(
                    $"SELECT COLUMN_COMMENT AS Value FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME = 'Id'")
                    .SingleAsync(Stop));
        }
        finally
        {
            await old.Database.EnsureDeletedAsync(Stop);
        }
    }

    private static async Task MigrateAsync(Store from, Store to)
    {
        var operations = to.GetService<IMigrationsModelDiffer>().GetDifferences(Model(from).GetRelationalModel(), Model(to).GetRelationalModel());
        var commands = to.GetService<IMigrationsSqlGenerator>().Generate(operations, Model(to));
        await to.GetService<IMigrationCommandExecutor>().ExecuteNonQueryAsync(commands, to.GetService<IRelationalConnection>(), Stop);
    }

    private static IModel Model(Store store) => store.GetService<IDesignTimeModel>().Model;

    private static async Task<string> RowsAsync(Store store) => string.Join(
        ", ", await store.Items.AsNoTracking().OrderBy(static i => i.Code).Select(static i => i.Id + " " + i.Code).ToListAsync(Stop));

    private static Store Create(string connection, Key key) => key switch
    {
        Key.Id => new WithId(Options(connection)),
        Key.Code => new WithCode(Options(connection)),
        Key.CodeAndId => new WithCodeAndId(Options(connection)),
        _ => new WithIdAndCode(Options(connection)),
    };

    private static DbContextOptions Options(string connection) => Servers.Options().UseMySql(connection).Options;

    // EF Core keeps one model for each class of contexts.
    private abstract class Store(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Item> Items => Set<Item>();

        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Item>().Property(static i => i.Id).HasComment("the number");
            modelBuilder.Entity<Item>().Property(static i => i.Code).HasMaxLength(20);
        }
    }

    private sealed class WithId(DbContextOptions options) : Store(options);

    private sealed class WithCode(DbContextOptions options) : Store(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            base.OnModelCreating(modelBuilder);
            modelBuilder.Entity<Item>().HasKey(static i => i.Code);
        }
    }

    private sealed class WithCodeAndId(DbContextOptions options) : Store(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            base.OnModelCreating(modelBuilder);
            modelBuilder.Entity<Item>().HasKey(static i => new { i.Code, i.Id });
            modelBuilder.Entity<Item>().Property(static i => i.Id).ValueGeneratedOnAdd();
        }
    }

    private sealed class WithIdAndCode(DbContextOptions options) : Store(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            base.OnModelCreating(modelBuilder);
            modelBuilder.Entity<Item>().HasKey(static i => new { i.Id, i.Code });
            modelBuilder.Entity<Item>().Property(static i => i.Id).ValueGeneratedOnAdd();
        }
    }

    private sealed class Item
    {
        public int Id { get; set; }

        public string Code { get; set; } = "";
    }
}
