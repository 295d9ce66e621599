using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>
/// Scripts that give and take AUTO_INCREMENT. What the statement needs (the column's type, whether it is AUTO_INCREMENT) is known to the server only, so the
/// script asks for it and prepares the statement.
/// </summary>
internal static class KeyColumnScripts
{
    /// <summary>The index of an AUTO_INCREMENT column until it is in a key of the model's.</summary>
    public static string IndexName(string column) => $"AI_{column}"[..Math.Min(column.Length + 3, 64)];

    /// <summary>Takes AUTO_INCREMENT from the column of a table that has it, if there is one.</summary>
    public static string TakeAutoIncrement(string table) => Run(
        $"""
        SELECT CONCAT('ALTER TABLE {Quoted(table)} MODIFY COLUMN `', REPLACE(COLUMN_NAME, '`', '``'), '` ', COLUMN_TYPE, ' NOT NULL')
        FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = {Text(table)} AND EXTRA LIKE '%auto_increment%'
        """);

    /// <summary>Gives AUTO_INCREMENT to a column, if it does not have it, and drops the index that it had until now.</summary>
    public static string GiveAutoIncrement(string table, string column) => Run(
        $"""
        SELECT CONCAT('ALTER TABLE {Quoted(table)} MODIFY COLUMN {Quoted(column)} ', COLUMN_TYPE, ' NOT NULL AUTO_INCREMENT')
        FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = {Text(table)} AND COLUMN_NAME = {Text(column)} AND EXTRA NOT LIKE '%auto_increment%'
        """) + Run(
        $"""
        SELECT 'ALTER TABLE {Quoted(table)} DROP INDEX {Quoted(IndexName(column))}'
        FROM information_schema.STATISTICS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = {Text(table)} AND INDEX_NAME = {Text(IndexName(column))} LIMIT 1
        """);

    private static string Run(string question) =>
        $"""
        SET @slipstream_ddl = IFNULL(({question}), 'DO 0');
        PREPARE slipstream_ddl FROM @slipstream_ddl;
        EXECUTE slipstream_ddl;
        DEALLOCATE PREPARE slipstream_ddl;

        """;

    private static string Text(string value) => MySqlStringTypeMapping.Literal(value, false);

    // A name inside a text inside the script.
    private static string Quoted(string name) =>
        $"`{name.Replace("`", "``", StringComparison.Ordinal).Replace("'", "''", StringComparison.Ordinal).Replace(@"\", @"\\", StringComparison.Ordinal)}`";
}
