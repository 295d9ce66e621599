using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Switching;

/// <summary>A project that changes from Pomelo's provider to this one has nothing to migrate.</summary>
public class SwitchingTests
{
    [Theory, InlineData("9.7.0-mysql"), InlineData("8.0.36-mysql"), InlineData("10.11.6-mariadb"), InlineData("11.8.2-mariadb")]
    public void The_migration_after_the_switch_is_empty(string version)
    {
        using var catalog = new Catalog(new DbContextOptionsBuilder().UseMySql(ServerVersion.Parse(version)).Options);
        var before = catalog.GetService<IModelRuntimeInitializer>().Initialize(
            ((IMutableModel)new CatalogModelSnapshot().Model).FinalizeModel(), designTime: true, validationLogger: null);
        var differences = catalog.GetService<IMigrationsModelDiffer>().GetDifferences(
            before.GetRelationalModel(), catalog.GetService<IDesignTimeModel>().Model.GetRelationalModel());
        Assert.Equal("", string.Join('\n', differences.Select(Describe)));
    }

    [Fact]
    public void The_model_has_40_tables_and_a_change_in_it_is_seen()
    {
        using var catalog = new Catalog(new DbContextOptionsBuilder().UseMySql(ServerVersion.Parse("9.7.0-mysql")).Options);
        var tables = catalog.GetService<IDesignTimeModel>().Model.GetRelationalModel().Tables.Count();
        Assert.True(tables >= 40, $"{tables} tables");
        var snapshot = new CatalogModelSnapshot();
        var changed = (IMutableModel)snapshot.Model;
        changed.FindEntityType(typeof(Words).FullName!)!.FindProperty(nameof(Words.Short))!.SetMaxLength(101);
        changed.FindEntityType(typeof(Words).FullName!)!.FindProperty(nameof(Words.Short))!.SetColumnType("varchar(101)");
        var before = catalog.GetService<IModelRuntimeInitializer>().Initialize(changed.FinalizeModel(), designTime: true, validationLogger: null);
        var difference = Assert.Single(catalog.GetService<IMigrationsModelDiffer>().GetDifferences(
            before.GetRelationalModel(), catalog.GetService<IDesignTimeModel>().Model.GetRelationalModel()));
        Assert.Equal("AlterColumnOperation Words.Short", Describe(difference).Split(' ', 3) is [var kind, var name, ..] ? $"{kind} {name}" : "");
    }

    private static string Describe(MigrationOperation operation) => operation switch
    {
        AlterColumnOperation alter =>
            $"{alter.GetType().Name} {alter.Table}.{alter.Name}"
                + $" {Describe(alter.OldColumn)} -> {Describe((ColumnOperation)alter)}",
        ITableMigrationOperation table => $"{operation.GetType().Name} {table.Table} {Annotations(operation)}",
        _ => $"{operation.GetType().Name} {Annotations(operation)}",
    };

    private static string Describe(ColumnOperation column) =>
        $"{column.ColumnType} null={column.IsNullable} length={column.MaxLength} default={column.DefaultValue}{column.DefaultValueSql} "
            + $"computed={column.ComputedColumnSql} collation={column.Collation} {Annotations(column)}";

    private static string Annotations(IAnnotatable annotatable) =>
        $"[{string.Join("; ", annotatable.GetAnnotations().Select(static annotation => $"{annotation.Name}={annotation.Value}"))}]";
}
