using FluentMigrator;
using FluentMigrator.Runner;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.Lab;

namespace Slipstream.Compat;

/// <summary>FluentMigrator finds the driver by the name of its assembly.</summary>
public class FluentMigratorTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    [Migration(1)]
    public sealed class CreateProducts : Migration
    {
        public override void Up()
        {
            Create.Table("product").WithColumn("id").AsInt32().PrimaryKey().Identity().WithColumn("name").AsString(50).NotNullable();
            Insert.IntoTable("product").Row(new { name = "Café" });
        }

        public override void Down() => Delete.Table("product");
    }

    [Migration(2)]
    public sealed class AddPrice : Migration
    {
        public override void Up()
        {
            Alter.Table("product").AddColumn("price").AsDecimal(10, 2).WithDefaultValue(1.5m);
            Create.Index("by_name").OnTable("product").OnColumn("name").Unique();
        }

        public override void Down()
        {
            Delete.Index("by_name").OnTable("product");
            Delete.Column("price").FromTable("product");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Migrations_go_up_and_down(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "fluent");
        await using var services = new ServiceCollection().AddFluentMigratorCore()
            .ConfigureRunner(
                runner => runner.AddMySql8().WithGlobalConnectionString(database.ConnectionString).ScanIn(typeof(CreateProducts).Assembly).For.Migrations())
            .BuildServiceProvider();
        using var scope = services.CreateScope();
        var runner = scope.ServiceProvider.GetRequiredService<IMigrationRunner>();
        runner.MigrateUp();
        Assert.Equal("Café 1.50", await Scalar(database, "SELECT CONCAT(name, ' ', price) FROM product"));
        runner.MigrateDown(1);
        Assert.Equal(0L, await Scalar(database, "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'price'"));
        runner.MigrateDown(0);
        Assert.Equal(0L, await Scalar(database, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'product'"));
    }

    private static async Task<object?> Scalar(Emptied database, string sql)
    {
        await using var connection = new MySqlConnection(database.ConnectionString);
        await connection.OpenAsync();
        await using var command = new MySqlCommand(sql, connection);
        return await command.ExecuteScalarAsync();
    }
}
