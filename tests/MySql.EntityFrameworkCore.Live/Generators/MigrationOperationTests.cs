using System.Globalization;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Generators;

/// <summary>The operations of migrations, with names and texts that need quoting.</summary>
public sealed class MigrationOperationTests
{
    private const string Hostile = "a`b'c\"d\\e--f;g #h/*i*/ //{0}";

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Every_name_and_text_may_contain_the_signs_of_SQL(ServerKind kind) => WithAsync(kind, static async context =>
    {
        var (parent, child, renamed) = ("p" + Hostile, "c" + Hostile, "r" + Hostile);
        await RunAsync(context, migration =>
        {
            migration.CreateTable(
                parent, static table => new { Id = table.Column<int>("int", name: "Id" + Hostile) },
                constraints: table => table.PrimaryKey("PK", static x => x.Id), comment: Hostile);
            migration.CreateTable(
                child,
                static table => new
                {
                    Id = table.Column<int>("int", name: "Id" + Hostile),
                    Text = table.Column<string>("varchar(100)", name: "Text" + Hostile, defaultValue: Hostile, comment: Hostile),
                    Twice = table.Column<int>("int", name: "Twice", computedColumnSql: "`Id" + Hostile.Replace("`", "``") + "` * 2", stored: true),
                },
                constraints: table =>
                {
                    table.PrimaryKey("PK", static x => x.Id);
                    table.ForeignKey("FK" + Hostile, static x => x.Id, parent, "Id" + Hostile);
                    table.CheckConstraint("CK" + Hostile, "`Twice` <> 12");
                    table.UniqueConstraint("AK" + Hostile, static x => x.Text);
                });
            migration.CreateIndex("IX" + Hostile, child, ["Text" + Hostile, "Twice"], unique: true, descending: [true, false]);
        });
        await RunAsync(context, migration =>
        {
            migration.InsertData(parent, ["Id" + Hostile], ["int"], (object[])[1]);
            migration.InsertData(child, ["Id" + Hostile], ["int"], (object[])[1]);
        });
        Assert.Equal(Hostile, await ScalarAsync(context, $"SELECT `Text{Hostile.Replace("`", "``")}` FROM `{child.Replace("`", "``")}`"));
        Assert.Equal(
            2L, await ScalarAsync(context, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE '%#h%'"));
        await RunAsync(context, migration =>
        {
            migration.RenameTable(child, newName: renamed);
            migration.RenameColumn("Text" + Hostile, renamed, "New" + Hostile);
            migration.RenameIndex("IX" + Hostile, "NewIX" + Hostile, renamed);
            migration.AlterColumn<string>(
                "New" + Hostile, renamed, "varchar(50)", nullable: true, comment: "new " + Hostile, oldClrType: typeof(string), oldType: "varchar(100)",
                oldComment: Hostile);
            migration.AddColumn<string>("More" + Hostile, renamed, "longtext", nullable: false, defaultValue: "x" + Hostile);
            migration.AlterTable(renamed, comment: "table " + Hostile);
            migration.UpdateData(renamed, ["Id" + Hostile], ["int"], (object[])[1], ["New" + Hostile], ["varchar(50)"], (object[])["u" + Hostile]);
        });
        Assert.Equal(
            ("u" + Hostile) + ("x" + Hostile),
            await ScalarAsync(
                context,
                $"SELECT CONCAT(`New{Hostile.Replace("`", "``")}`, `More{Hostile.Replace("`", "``")}`) FROM `{renamed.Replace("`", "``")}`"));
        await RunAsync(context, migration =>
        {
            migration.DeleteData(renamed, ["Id" + Hostile], ["int"], (object[])[1]);
            migration.DropCheckConstraint("CK" + Hostile, renamed);
            migration.DropForeignKey("FK" + Hostile, renamed);
            migration.DropIndex("NewIX" + Hostile, renamed);
            migration.DropUniqueConstraint("AK" + Hostile, renamed);
            migration.DropPrimaryKey("PK", renamed);
            migration.AddPrimaryKey("PK", renamed, "Id" + Hostile);
            migration.AddForeignKey("FK2" + Hostile, renamed, "Id" + Hostile, parent, principalColumn: "Id" + Hostile);
            migration.AddCheckConstraint("CK2" + Hostile, renamed, "1 = 1");
            migration.AddUniqueConstraint("AK2" + Hostile, renamed, "New" + Hostile);
            migration.DropColumn("More" + Hostile, renamed);
            migration.DropTable(renamed);
            migration.DropTable(parent);
        });
        Assert.Equal(0L, await ScalarAsync(context, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"));
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task Data_of_each_type_is_inserted_updated_and_deleted(ServerKind kind) => WithAsync(kind, static async context =>
    {
        var guid = new Guid("0f8fad5b-d9cb-469f-a165-708677289501");
        (string Type, object? First, object? Second)[] columns =
        [
            ("varchar(100)", Hostile, "☃😀\r\n\t\0\u001a\b%_"), ("longtext", "", "null"), ("int", int.MinValue, null),
            ("bigint unsigned", ulong.MaxValue, 0UL), ("tinyint(1)", true, false), ("decimal(30,10)", -12345678901234567890.0123456789m, 1m),
            ("double", 1e300, -0.1), ("float", 1.25f, 0f), ("datetime(6)", new DateTime(9999, 12, 31, 23, 59, 59), new DateTime(1000, 1, 1)),
            ("date", new DateOnly(2024, 2, 29), new DateOnly(1000, 1, 1)), ("time(6)", new TimeOnly(23, 59, 59, 999), TimeOnly.MinValue),
            ("time(6)", -new TimeSpan(34, 1, 2, 3, 4), TimeSpan.Zero), ("char(36)", guid, Guid.Empty), ("binary(16)", guid.ToByteArray(true), new byte[16]),
            ("longblob", new byte[] { 0, 39, 92, 255 }, Array.Empty<byte>()), ("varchar(1)", "'", "\\"), ("json", "{\"a\": \"\\\"\"}", "[]"),
        ];
        string[] names = [.. columns.Select(static (_, index) => $"C{index}")];
        string[] types = [.. columns.Select(static column => column.Type)];
        await RunAsync(context, migration =>
        {
            var table = new CreateTableOperation { Name = "T", PrimaryKey = new() { Table = "T", Columns = ["Id"] } };
            table.Columns.Add(new() { Table = "T", Name = "Id", ColumnType = "int", ClrType = typeof(int) });
            foreach (var (name, column) in names.Zip(columns))
                table.Columns.Add(new()
                {
                    Table = "T", Name = name, ColumnType = column.Type, ClrType = column.First!.GetType(), IsNullable = true,
                });
            migration.Operations.Add(table);
            migration.InsertData("T", ["Id", .. names], ["int", .. types], (object?[])[1, .. columns.Select(static column => column.First)]);
            migration.InsertData("T", ["Id", .. names], ["int", .. types], (object?[])[2, .. columns.Select(static column => column.Second)]);
            migration.InsertData("T", ["Id", .. names], ["int", .. types], (object?[])[3, .. columns.Select(static column => column.First)]);
            migration.UpdateData("T", ["Id"], ["int"], (object[])[3], names, types, (object[])[.. columns.Select(static column => column.Second!)]);
            migration.InsertData("T", ["Id", .. names], ["int", .. types], (object?[])[4, .. columns.Select(static column => column.First)]);
            migration.DeleteData("T", ["Id"], ["int"], (object[])[4]);
        });
        await using var command = context.Database.GetDbConnection().CreateCommand();
        command.CommandText = "SELECT * FROM `T` ORDER BY `Id`";
        await context.Database.OpenConnectionAsync(Stop);
        await using var reader = (MySqlDataReader)await command.ExecuteReaderAsync(Stop);
        var rows = 0;
        while (await reader.ReadAsync(Stop))
        {
            rows++;
            for (var index = 0; index < columns.Length; index++)
                Assert.Equal(
                    (index, Value: Text(rows == 1 ? columns[index].First : columns[index].Second)),
                    (index, Value: Text(Read(reader, index + 1, columns[index].First!.GetType()))));
        }

        Assert.Equal(3, rows);
    });

    [Theory, MemberData(nameof(Kinds))]
    public Task A_column_is_added_with_a_default_value(ServerKind kind) => WithAsync(kind, static async context =>
    {
        await RunAsync(context, static migration =>
        {
            migration.CreateTable(
                "T", static table => new { Id = table.Column<int>("int") }, constraints: static table => table.PrimaryKey("PK", static x => x.Id));
            migration.InsertData("T", ["Id"], ["int"], (object[])[1]);
            migration.AddColumn<string>("L", "T", "longtext", nullable: false, defaultValue: "[]");
            migration.AddColumn<string>("J", "T", "json", nullable: false, defaultValue: "{}");
            migration.AddColumn<string>("S", "T", "longtext", nullable: false, defaultValueSql: "'a'");
            migration.AddColumn<string>("E", "T", "enum('text', 'blob')", nullable: false, defaultValue: "blob");
            migration.AddColumn<DateTimeOffset>("D", "T", "timestamp(3)", nullable: false, defaultValue: DateTimeOffset.UnixEpoch.AddYears(50));
            migration.AddColumn<byte[]>("B", "T", "varbinary(10)", nullable: false, defaultValue: new byte[] { 39, 92 });
        });
        Assert.Equal("[]{}ablob2020-01-01 00:00:00.000275C", await ScalarAsync(context, "SELECT CONCAT(L, J, S, E, D, HEX(B)) FROM T"));
    });

    private static object? Read(MySqlDataReader reader, int index, Type type) =>
        reader.IsDBNull(index) ? null
        : type == typeof(bool) ? reader.GetBoolean(index)
        : type == typeof(ulong) ? reader.GetFieldValue<ulong>(index)
        : type == typeof(DateOnly) ? reader.GetFieldValue<DateOnly>(index)
        : type == typeof(TimeOnly) ? reader.GetFieldValue<TimeOnly>(index)
        : type == typeof(TimeSpan) ? reader.GetFieldValue<TimeSpan>(index)
        : type == typeof(byte[]) ? reader.GetFieldValue<byte[]>(index)
        : reader.GetValue(index);

    private static string? Text(object? value) => value switch
    {
        byte[] bytes => Convert.ToHexString(bytes),
        decimal number => number.ToString("0.##############", CultureInfo.InvariantCulture),
        IFormattable one => one.ToString(null, CultureInfo.InvariantCulture),
        _ => value?.ToString(),
    };

    private static async Task RunAsync(DbContext context, Action<MigrationBuilder> build)
    {
        var migration = new MigrationBuilder(context.Database.ProviderName);
        build(migration);
        var commands = context.GetService<IMigrationsSqlGenerator>().Generate(migration.Operations);
        await context.GetService<IMigrationCommandExecutor>().ExecuteNonQueryAsync(commands, context.GetService<IRelationalConnection>(), Stop);
    }

    private static async Task<object?> ScalarAsync(DbContext context, string sql)
    {
        await using var command = context.Database.GetDbConnection().CreateCommand();
        command.CommandText = sql;
        await context.Database.OpenConnectionAsync(Stop);
        var value = await command.ExecuteScalarAsync(Stop);
        await context.Database.CloseConnectionAsync();
        return value;
    }

    private static Task WithAsync(ServerKind kind, Func<DbContext, Task> test) =>
        Servers.WithDatabaseAsync(kind, static options => new DbContext(options), async create =>
        {
            await using var context = create();
            await test(context);
        });
}
