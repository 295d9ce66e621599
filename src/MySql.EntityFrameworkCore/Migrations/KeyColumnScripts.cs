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
        SELECT CONCAT('ALTER TABLE {Quoted(table)} MODIFY COLUMN `', REPLACE(COLUMN_NAME, '`', '``'), '` ', COLUMN_TYPE, ' NOT NULL', {Comment})
        FROM information_schema.COLUMNS
        WHERE {At(table)} AND EXTRA LIKE '%auto_increment%'
        """);

    /// <summary>Gives AUTO_INCREMENT to a column that does not have it, and an index that begins with it, if there is none.</summary>
    public static string GiveAutoIncrement(string table, string column) => AddIndex(table, column) + Run(
        $"""
        SELECT CONCAT('ALTER TABLE {Quoted(table)} MODIFY COLUMN {Quoted(column)} ', COLUMN_TYPE, ' NOT NULL AUTO_INCREMENT', {Comment})
        FROM information_schema.COLUMNS
        WHERE {At(table)} AND COLUMN_NAME = {Text(column)} AND EXTRA NOT LIKE '%auto_increment%'
        """) + DropIndex(table, column, onlyIfOther: true);

    /// <summary>Creates an index of the column, if there is none that begins with it.</summary>
    public static string AddIndex(string table, string column) => Run(
        $"""
        SELECT IF(COUNT(*) = 0, 'ALTER TABLE {Quoted(table)} ADD UNIQUE INDEX {Quoted(IndexName(column))} ({Quoted(column)})', NULL)
        FROM information_schema.STATISTICS
        WHERE {At(table)} AND COLUMN_NAME = {Text(column)} AND SEQ_IN_INDEX = 1
        """);

    /// <summary>Drops the index that the column had until it was in a key.</summary>
    /// <param name="table">The table.</param>
    /// <param name="column">The column.</param>
    /// <param name="onlyIfOther">Whether it stays if no other index begins with the column.</param>
    public static string DropIndex(string table, string column, bool onlyIfOther) => Run(
        $"""
        SELECT IF(SUM(INDEX_NAME = {Text(IndexName(column))}) > 0 AND COUNT(*) > {(onlyIfOther ? 1 : 0)},
            'ALTER TABLE {Quoted(table)} DROP INDEX {Quoted(IndexName(column))}', NULL)
        FROM information_schema.STATISTICS
        WHERE {At(table)} AND COLUMN_NAME = {Text(column)} AND SEQ_IN_INDEX = 1
        """);

    private const string Comment = "IF(COLUMN_COMMENT = '', '', CONCAT(' COMMENT ', QUOTE(COLUMN_COMMENT)))";

    private static string At(string table) => $"TABLE_SCHEMA = DATABASE() AND TABLE_NAME = {Text(table)}";

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
