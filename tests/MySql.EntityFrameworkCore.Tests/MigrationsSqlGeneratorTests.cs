using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>The SQL of single operations. No server is needed.</summary>
public sealed class MigrationsSqlGeneratorTests
{
    [Theory]
    [InlineData("int", "(1) + (2)", "((1) + (2))")]
    [InlineData("int", "(1 + 2)", "(1 + 2)")]
    [InlineData("int", "-1", "-1")]
    [InlineData("int", "NULL", "NULL")]
    [InlineData("varchar(9)", "'a(b'", "'a(b'")]
    [InlineData("varchar(9)", "(')')", "(')')")]
    [InlineData("varchar(9)", "'a' 'b'", "('a' 'b')")]
    [InlineData("longtext", "'abc'", "('abc')")]
    [InlineData("longtext", "NULL", "NULL")]
    [InlineData("json", "'[]'", "('[]')")]
    [InlineData("json", "(JSON_ARRAY())", "(JSON_ARRAY())")]
    [InlineData("datetime(6)", "current_timestamp(6)", "current_timestamp(6)")]
    [InlineData("datetime(6)", "NOW(6)", "NOW(6)")]
    [InlineData("datetime(6)", "NOW(6) + INTERVAL 1 DAY", "(NOW(6) + INTERVAL 1 DAY)")]
    [InlineData("datetime(6)", "CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)", "CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)")]
    [InlineData("date", "CURRENT_TIMESTAMP", "(CURRENT_TIMESTAMP)")]
    [InlineData("char(36)", "UUID()", "(UUID())")]
    public void A_default_in_SQL_has_parentheses_where_it_needs_them(string columnType, string sql, string expected) => Assert.Equal(
        $"ALTER TABLE `t` ADD `c` {columnType} NOT NULL DEFAULT {expected};",
        Sql(new AddColumnOperation { Table = "t", Name = "c", ClrType = typeof(object), ColumnType = columnType, DefaultValueSql = sql }));

    [Fact]
    public void The_index_of_an_AUTO_INCREMENT_column_has_at_most_64_characters()
    {
        var name = new string('x', 64);
        var operation = new AddColumnOperation { Table = "t", Name = name, ClrType = typeof(int), ColumnType = "int" };
        operation[MySqlAnnotationNames.ValueGenerationStrategy] = MySqlValueGenerationStrategy.IdentityColumn;
        Assert.Equal($"ALTER TABLE `t` ADD `{name}` int NOT NULL AUTO_INCREMENT, ADD UNIQUE INDEX `AI_{name[..61]}` (`{name}`);", Sql(operation));
    }

    [Fact]
    public void SQL_of_a_migration_is_sent_as_it_is()
    {
        const string text = "DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 'a;b'; END //\n";
        using var context = Create();
        var commands = context.GetService<IMigrationsSqlGenerator>().Generate(
            [new SqlOperation { Sql = text, SuppressTransaction = true }, new SqlOperation { Sql = "SELECT 1" }]);
        Assert.Equal([text.Trim(), "SELECT 1"], commands.Select(static command => command.CommandText.Trim()));
        Assert.Equal([true, false], commands.Select(static command => command.TransactionSuppressed));
    }

    private static string Sql(MigrationOperation operation)
    {
        using var context = Create();
        return string.Concat(context.GetService<IMigrationsSqlGenerator>().Generate([operation]).Select(static command => command.CommandText)).Trim();
    }

    private static DbContext Create() => new(
        new DbContextOptionsBuilder<DbContext>().UseMySql("Server=localhost;Database=none", ServerVersion.Parse("8.4.3")).Options);
}
