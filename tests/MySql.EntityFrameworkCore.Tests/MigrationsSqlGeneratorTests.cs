using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Storage;
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

    [Theory, InlineData("json", "json"), InlineData("longtext", "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")]
    public void A_json_column_has_no_character_set_and_no_collation(string type, string expected)
    {
        var operation = new AddColumnOperation { Table = "t", Name = "c", ColumnType = type, ClrType = typeof(string), Collation = "utf8mb4_general_ci" };
        operation["MySql:CharSet"] = "utf8mb4";
        Assert.Equal($"ALTER TABLE `t` ADD `c` {expected} NOT NULL;", Sql(operation));
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

    [Theory]
    [InlineData("CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT 1\n;")]
    [InlineData("SELECT 1 -- one", "SELECT 1 -- one\n;")]
    [InlineData("SELECT 1;\n", "SELECT 1;")]
    [InlineData("", "")]
    [InlineData("DELIMITER //\nCREATE PROCEDURE p() SELECT 1 //\nDELIMITER ;\n", "DELIMITER //\nCREATE PROCEDURE p() SELECT 1 //\nDELIMITER ;")]
    public void SQL_of_a_migration_ends_with_a_semicolon_in_a_script(string text, string expected)
    {
        using var context = Create();
        var commands = context.GetService<IMigrationsSqlGenerator>().Generate(
            [new SqlOperation { Sql = text }], options: MigrationsSqlGenerationOptions.Script);
        Assert.Equal(expected, string.Concat(commands.Select(static command => command.CommandText)).Trim().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void An_update_of_no_column_is_left_out() => Assert.Equal(
        "", Sql(new UpdateDataOperation { Table = "t", KeyColumns = ["k"], KeyValues = new object?[,] { { 1 } }, Columns = [], Values = new object?[1, 0] }));

    public static TheoryData<string, object, string> Values => new()
    {
        { "binary(16)", Guid.Parse("01020304-0506-0708-090a-0b0c0d0e0f10"), "X'0403020106050807090A0B0C0D0E0F10'" },
        { "binary(16)", new byte[] { 1, 2 }, "X'0102'" },
        { "char(36)", Guid.Parse("01020304-0506-0708-090a-0b0c0d0e0f10"), "'01020304-0506-0708-090a-0b0c0d0e0f10'" },
        { "varchar(1)", 'x', "'x'" },
        { "varchar(20)", DayOfWeek.Friday, "'Friday'" },
        { "int", DayOfWeek.Friday, "5" },
        { "int", 5, "5" },
        { "bigint", TimeSpan.FromSeconds(1), "10000000" },
        { "longtext", new Uri("http://host/"), "'http://host/'" },
    };

    [Fact]
    public void A_column_of_data_with_an_unknown_type_is_reported_by_EF_Core()
    {
        var insert = new InsertDataOperation { Table = "t", Columns = ["c"], ColumnTypes = ["string", "string"], Values = new object?[,] { { "x" } } };
        Assert.Contains("types", Assert.Throws<InvalidOperationException>(() => Sql(insert)).Message, StringComparison.Ordinal);
        var update = new UpdateDataOperation
        {
            Table = "t", KeyColumns = ["k"], KeyColumnTypes = ["string"], KeyValues = new object?[,] { { "x" } }, Columns = ["c"],
            Values = new object?[,] { { "y" }, { "z" } },
        };
        Assert.Contains("rows", Assert.Throws<InvalidOperationException>(() => Sql(update)).Message, StringComparison.Ordinal);
        using var context = Create();
        Assert.Null(context.GetService<IRelationalTypeMappingSource>().FindMapping(typeof(string), "unknown"));
        Assert.Null(context.GetService<IRelationalTypeMappingSource>().FindMapping(typeof(List<int>), "unknown"));
        Assert.Equal("varchar(9)", context.GetService<IRelationalTypeMappingSource>().FindMapping(typeof(List<int>), "varchar(9)")!.StoreType);
    }

    [Theory, MemberData(nameof(Values))]
    public void Data_of_a_migration_is_converted_to_the_type_of_its_column(string columnType, object value, string expected)
    {
        Assert.Equal(
            $"INSERT INTO `t` (`c`)\nVALUES ({expected});",
            Sql(new InsertDataOperation { Table = "t", Columns = ["c"], ColumnTypes = [columnType], Values = new object?[,] { { value } } }));
        Assert.Equal(
            $"UPDATE `t` SET `c` = {expected}\nWHERE `k` = {expected};",
            Sql(new UpdateDataOperation
            {
                Table = "t", Columns = ["c"], ColumnTypes = [columnType], Values = new object?[,] { { value } }, KeyColumns = ["k"],
                KeyColumnTypes = [columnType], KeyValues = new object?[,] { { value } },
            }));
        Assert.Equal(
            $"DELETE FROM `t`\nWHERE `k` = {expected};",
            Sql(new DeleteDataOperation { Table = "t", KeyColumns = ["k"], KeyColumnTypes = [columnType], KeyValues = new object?[,] { { value } } }));
    }

    private static string Sql(MigrationOperation operation)
    {
        using var context = Create();
        return string.Concat(context.GetService<IMigrationsSqlGenerator>().Generate([operation]).Select(static command => command.CommandText)).Trim();
    }

    private static DbContext Create() => new(
        new DbContextOptionsBuilder<DbContext>().UseMySql("Server=localhost;Database=none", ServerVersion.Parse("8.4.3")).Options);
}
