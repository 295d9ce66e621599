using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Migrations on the servers: up, down, by script, twice, and by two programs at once.</summary>
public sealed class MigrationTests : IAsyncDisposable
{
    private readonly List<Library> _libraries = [];

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Migrations_go_up_and_down(ServerKind kind)
    {
        var library = await CreateAsync(kind);
        await library.Database.MigrateAsync(Stop);
        Assert.Equal(["20260101000001_First", "20260101000002_Second", "20260101000003_Third"], await library.Database.GetAppliedMigrationsAsync(Stop));
        Assert.Empty(await library.Database.GetPendingMigrationsAsync(Stop));
        Assert.Equal(
            [
                "Books.Id int auto_increment", "Books.Pages int ", "Books.Title varchar(120) ", "Books.WriterId int ", "Writers.Id bigint auto_increment",
                "Writers.Name longtext ",
            ],
            await ColumnsAsync(library));

        await library.GetService<IMigrator>().MigrateAsync("20260101000001_First", Stop);
        Assert.Equal(["Books.Id int auto_increment", "Books.Name varchar(100) ", "Books.WriterId int "], await ColumnsAsync(library));
        await library.GetService<IMigrator>().MigrateAsync("0", Stop);
        Assert.Empty(await ColumnsAsync(library));
        library.Database.Migrate();
        Assert.Equal(6, (await ColumnsAsync(library)).Count);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Rows_survive(ServerKind kind)
    {
        var library = await CreateAsync(kind);
        await library.GetService<IMigrator>().MigrateAsync("20260101000001_First", Stop);
        await library.Database.ExecuteSqlRawAsync(@"INSERT INTO Books (Name, WriterId) VALUES ('It''s a \\ test', 1), ('☃', 2)", Stop);
        await library.Database.MigrateAsync(Stop);
        Assert.Equal(
            ["1 It's a \\ test 10", "2 ☃ 10"],
            await library.Database.SqlQuery<string>($"SELECT CONCAT(Id, ' ', Title, ' ', Pages) AS `Value` FROM Books ORDER BY Id").ToListAsync(Stop));
        Assert.Equal(
            ["1 seed 'one'\n\\"], await library.Database.SqlQuery<string>($"SELECT CONCAT(Id, ' ', Name) AS `Value` FROM Writers").ToListAsync(Stop));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_script_can_be_run_twice(ServerKind kind)
    {
        var library = await CreateAsync(kind);
        var script = library.GetService<IMigrator>().GenerateScript(options: MigrationsSqlGenerationOptions.Idempotent);
        await using var connection = new MySqlConnection(library.Database.GetConnectionString());
        await connection.OpenAsync(Stop);
        for (var i = 0; i < 2; i++)
        {
            await new MySqlScript(connection, script).ExecuteAsync(Stop);
            Assert.Equal(6, (await ColumnsAsync(library)).Count);
            Assert.Equal(3, (await library.Database.GetAppliedMigrationsAsync(Stop)).Count());
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Two_programs_migrate_one_after_the_other(ServerKind kind)
    {
        var library = await CreateAsync(kind);
        var other = new Library(library.Options);
        _libraries.Add(other);
        await Task.WhenAll(Task.Run(() => library.Database.MigrateAsync(Stop), Stop), Task.Run(other.Database.Migrate, Stop));
        Assert.Equal(6, (await ColumnsAsync(library)).Count);
    }

    // Each has asked whether the database exists, and now creates it.
    [Theory, MemberData(nameof(Kinds))]
    public async Task Two_programs_create_the_database_at_once(ServerKind kind)
    {
        var library = await CreateAsync(kind);
        await library.GetService<Microsoft.EntityFrameworkCore.Storage.IRelationalDatabaseCreator>().CreateAsync(Stop);
        library.GetService<Microsoft.EntityFrameworkCore.Storage.IRelationalDatabaseCreator>().Create();
        await library.Database.MigrateAsync(Stop);
        Assert.Equal(6, (await ColumnsAsync(library)).Count);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Two_programs_migrate_one_after_the_other_by_a_table(ServerKind kind)
    {
        var library = await CreateAsync(kind, static options => options.UseTableForMigrationsLock());
        var other = new Library(library.Options);
        _libraries.Add(other);
        // A third one holds the lock while they begin.
        var third = new Library(library.Options);
        _libraries.Add(third);
        var held = await third.GetService<IHistoryRepository>().AcquireDatabaseLockAsync(Stop);
        var both = Task.WhenAll(Task.Run(() => library.Database.MigrateAsync(Stop), Stop), Task.Run(other.Database.Migrate, Stop));
        Assert.NotSame(both, await Task.WhenAny(both, Task.Delay(TimeSpan.FromSeconds(1), Stop)));
        Assert.Empty(await ColumnsAsync(third));
        await held.DisposeAsync();
        await both;
        Assert.Equal(6, (await ColumnsAsync(library)).Count);
        Assert.Equal([0], await library.Database.SqlQuery<int>($"SELECT COUNT(*) AS `Value` FROM __EFMigrationsLock").ToListAsync(Stop));
        Assert.DoesNotContain(
            new Scaffolding.MySqlDatabaseModelFactory().Create(library.Database.GetConnectionString()!, new()).Tables,
            static table => table.Name.StartsWith("__", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_database_is_created_found_and_deleted(ServerKind kind)
    {
        var library = await CreateAsync(kind);
        Assert.True(await library.Database.EnsureDeletedAsync(Stop));
        Assert.False(await library.Database.CanConnectAsync(Stop));
        Assert.False(library.Database.EnsureDeleted());
        Assert.True(library.Database.EnsureCreated());
        Assert.True(library.Database.CanConnect());
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var library in _libraries)
        {
            await library.Database.EnsureDeletedAsync();
            await library.DisposeAsync();
        }
    }

    private async Task<Library> CreateAsync(ServerKind kind, Action<MySqlDbContextOptionsBuilder>? action = null)
    {
        var text = await Servers.ConnectionString(kind, $"m_{Guid.NewGuid():N}");
        var builder = Servers.Options<Library>().UseMySql(text, mySqlOptionsAction: action);
        var library = new Library(builder.Options);
        _libraries.Add(library);
        await library.GetService<Microsoft.EntityFrameworkCore.Storage.IRelationalDatabaseCreator>().CreateAsync(Stop);
        return library;
    }

    private static Task<List<string>> ColumnsAsync(Library library) => library.Database.SqlQuery<string>(
        $"""
        SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME, ' ', REPLACE(REPLACE(COLUMN_TYPE, 'bigint(20)', 'bigint'), 'int(11)', 'int'), ' ',
            REPLACE(EXTRA, 'DEFAULT_GENERATED', '')) AS `Value`
        FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('Books', 'Writers') ORDER BY 1
        """).ToListAsync(Stop);

    public sealed class Library(DbContextOptions<Library> options) : DbContext(options)
    {
        public DbContextOptions<Library> Options => options;

        protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) => optionsBuilder.ConfigureWarnings(
            static warnings => warnings.Ignore(Microsoft.EntityFrameworkCore.Diagnostics.RelationalEventId.PendingModelChangesWarning));
    }

    [DbContext(typeof(Library)), Migration("20260101000001_First")]
    public sealed class First : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.AlterDatabase().Annotation("MySql:CharSet", "utf8mb4");
            migrationBuilder.CreateTable(
                "Books", table => new
                {
                    Id = table.Column<int>("int", nullable: false).Annotation("MySql:ValueGenerationStrategy", MySqlValueGenerationStrategy.IdentityColumn),
                    Name = table.Column<string>("varchar(100)", nullable: false, maxLength: 100).Annotation("MySql:CharSet", "utf8mb4"),
                    WriterId = table.Column<int>("int", nullable: false),
                }, constraints: table => table.PrimaryKey("PK_Books", row => row.Id)).Annotation("MySql:CharSet", "utf8mb4");
            migrationBuilder.CreateIndex("IX_Books_Name", "Books", "Name");
        }

        protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.DropTable("Books");
    }

    [DbContext(typeof(Library)), Migration("20260101000002_Second")]
    public sealed class Second : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.RenameColumn("Name", "Books", "Title");
            migrationBuilder.RenameIndex("IX_Books_Name", "IX_Books_Title", "Books");
            migrationBuilder.AlterColumn<string>(
                "Title", "Books", "varchar(120)", nullable: false, comment: "the title's", oldClrType: typeof(string), oldType: "varchar(100)");
            migrationBuilder.AddColumn<int>("Pages", "Books", "int", nullable: false, defaultValue: 10);
            migrationBuilder.CreateTable(
                "Writers", table => new
                {
                    Id = table.Column<int>("int", nullable: false),
                    Name = table.Column<string>("longtext", nullable: true, defaultValue: "no 'name'"),
                }, constraints: table => table.PrimaryKey("PK_Writers", row => row.Id));
            migrationBuilder.InsertData("Writers", ["Id", "Name"], ["int", "longtext"], [1, "seed 'one'\n\\"]);
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.DropTable("Writers");
            migrationBuilder.DropColumn("Pages", "Books");
            migrationBuilder.AlterColumn<string>("Title", "Books", "varchar(100)", nullable: false, oldClrType: typeof(string), oldType: "varchar(120)");
            migrationBuilder.RenameIndex("IX_Books_Title", "IX_Books_Name", "Books");
            migrationBuilder.RenameColumn("Title", "Books", "Name");
        }
    }

    [DbContext(typeof(Library)), Migration("20260101000003_Third")]
    public sealed class Third : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.DropPrimaryKey("PK_Books", "Books");
            migrationBuilder.DropColumn("Id", "Books");
            migrationBuilder.AddColumn<int>("Id", "Books", "int", nullable: false)
                .Annotation("MySql:ValueGenerationStrategy", MySqlValueGenerationStrategy.IdentityColumn);
            migrationBuilder.AddPrimaryKey("PK_Books", "Books", "Id");
            migrationBuilder.AlterColumn<long>("Id", "Writers", "bigint", nullable: false, oldClrType: typeof(int), oldType: "int")
                .Annotation("MySql:ValueGenerationStrategy", MySqlValueGenerationStrategy.IdentityColumn);
            migrationBuilder.AddUniqueConstraint("AK_Books_Title", "Books", "Title");
            migrationBuilder.AddCheckConstraint("CK_Books_Pages", "Books", "`Pages` > 0");
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.DropCheckConstraint("CK_Books_Pages", "Books");
            migrationBuilder.DropUniqueConstraint("AK_Books_Title", "Books");
            migrationBuilder.AlterColumn<int>("Id", "Writers", "int", nullable: false, oldClrType: typeof(long), oldType: "bigint")
                .OldAnnotation("MySql:ValueGenerationStrategy", MySqlValueGenerationStrategy.IdentityColumn);
        }
    }
}
