using System.Text;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;

namespace Slipstream.MySql.EntityFrameworkCore.Tests;

/// <summary>The statements that change rows, as EF Core's contract of <see cref="IUpdateSqlGenerator"/> asks for them. No server is needed.</summary>
public sealed class UpdateSqlGeneratorTests
{
    private const string Hostile = "a`b'c\\d";

    [Fact]
    public void An_insert_writes_names_and_literals_quoted() => Assert.Equal(
        "INSERT INTO `t``x` (`a``b'c\\d`, `n`, `z`) VALUES ('a`b''c\\\\d', 5, NULL);",
        Text(static (generator, command, text) => generator.AppendInsertOperation(text, command, 0, out _), "t`x", (Hostile, Hostile), ("n", 5), ("z", null)));

    [Fact]
    public void An_insert_without_columns_takes_the_defaults() => Assert.Equal(
        "INSERT INTO `t` () VALUES ();", Text(static (generator, command, text) => generator.AppendInsertOperation(text, command, 0, out _), "t"));

    [Fact]
    public void An_update_compares_its_conditions_and_NULL() => Assert.Equal(
        "UPDATE `t` SET `n` = 5 WHERE `k` = 'it''s' AND `v` IS NULL;",
        Text(static (generator, command, text) => generator.AppendUpdateOperation(text, command, 0, out _), "t", ("n", 5), ("=k", "it's"), ("=v", null)));

    [Fact]
    public void An_update_without_values_finds_its_row() => Assert.Equal(
        "UPDATE `t` SET `k` = `k` WHERE `k` = 1;",
        Text(static (generator, command, text) => generator.AppendUpdateOperation(text, command, 0, out _), "t", ("=k", 1)));

    [Fact]
    public void A_delete_compares_its_conditions() => Assert.Equal(
        "DELETE FROM `t` WHERE `k``` = X'00FF';",
        Text(static (generator, command, text) => generator.AppendDeleteOperation(text, command, 0, out _), "t", ("=k`", new byte[] { 0, 255 })));

    [Fact]
    public void A_batch_has_no_header()
    {
        using var context = Create("8.4.3");
        var text = new StringBuilder();
        context.GetService<IUpdateSqlGenerator>().AppendBatchHeader(text);
        Assert.Equal("", text.ToString());
    }

    [Fact]
    public void An_operation_needs_no_transaction_of_its_own()
    {
        using var context = Create("8.4.3");
        var (generator, command) = (context.GetService<IUpdateSqlGenerator>(), Command(context, "t", ("n", 1), ("=k", 2)));
        Assert.Equal(ResultSetMapping.NoResults, generator.AppendInsertOperation(new(), command, 0, out var inserts));
        Assert.Equal(ResultSetMapping.NoResults, generator.AppendUpdateOperation(new(), command, 0, out var updates));
        Assert.Equal(ResultSetMapping.NoResults, generator.AppendDeleteOperation(new(), command, 0, out var deletes));
        Assert.Equal((false, false, false), (inserts, updates, deletes));
    }

    [Fact]
    public void The_next_value_of_a_sequence_is_selected_on_MariaDB()
    {
        using var context = Create("11.8.0-mariadb");
        Assert.Equal("SELECT NEXT VALUE FOR `s``'x`", context.GetService<IUpdateSqlGenerator>().GenerateNextSequenceValueOperation("s`'x", null));
    }

    [Fact]
    public void The_next_value_of_a_sequence_is_refused_on_MySQL()
    {
        using var context = Create("8.4.3");
        var error = Assert.Throws<NotSupportedException>(() => context.GetService<IUpdateSqlGenerator>().GenerateNextSequenceValueOperation("s", null));
        Assert.StartsWith("The sequence 's' is not possible", error.Message);
    }

    private static string Text(
        Action<IUpdateSqlGenerator, IReadOnlyModificationCommand, StringBuilder> append, string table, params (string Name, object? Value)[] columns)
    {
        using var context = Create("8.4.3");
        var text = new StringBuilder();
        append(context.GetService<IUpdateSqlGenerator>(), Command(context, table, columns), text);
        return text.Replace("\r", "").Replace('\n', ' ').ToString().Trim();
    }

    // A name with = at the start is a column of the condition.
    private static INonTrackedModificationCommand Command(DbContext context, string table, params (string Name, object? Value)[] columns)
    {
        var command = context.GetService<IModificationCommandFactory>()
            .CreateNonTrackedModificationCommand(new NonTrackedModificationCommandParameters(table, null, sensitiveLoggingEnabled: true));
        foreach (var (name, value) in columns)
        {
            var isCondition = name.StartsWith('=');
            var mapping = context.GetService<IRelationalTypeMappingSource>().GetMapping(value?.GetType() ?? typeof(string));
            command.AddColumnModification(new ColumnModificationParameters(
                name.TrimStart('='), value, value, property: null, columnType: null, mapping, read: false, write: !isCondition, key: isCondition,
                condition: isCondition, sensitiveLoggingEnabled: true));
        }

        return command;
    }

    private static DbContext Create(string version) => new(
        new DbContextOptionsBuilder<DbContext>().UseMySql("Server=localhost;Database=none", ServerVersion.Parse(version)).Options);
}
