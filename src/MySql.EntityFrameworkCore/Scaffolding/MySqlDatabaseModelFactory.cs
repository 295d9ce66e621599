using System.Data;
using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.EntityFrameworkCore.Scaffolding.Metadata;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Migrations;

namespace Slipstream.MySql.EntityFrameworkCore.Scaffolding;

/// <summary>Reads the tables and views of a database from information_schema, in six queries, and one more for each vector index; sequences in two.</summary>
internal sealed class MySqlDatabaseModelFactory : DatabaseModelFactory
{
    private const string DatabaseSql =
        "SELECT SCHEMA_NAME, DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = DATABASE()";

    private const string TablesSql =
        """
        SELECT TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_COLLATION FROM information_schema.TABLES
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') ORDER BY TABLE_NAME
        """;

    private const string ColumnsSql =
        """
        SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, COLUMN_COMMENT, CHARACTER_SET_NAME, COLLATION_NAME,
            GENERATION_EXPRESSION
        FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION
        """;

    private const string IndexesSql =
        """
        SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME, COLLATION, SUB_PART, INDEX_TYPE
        FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
        """;

    private const string ForeignKeysSql =
        """
        SELECT k.TABLE_NAME, k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME, r.DELETE_RULE
        FROM information_schema.KEY_COLUMN_USAGE k
        JOIN information_schema.REFERENTIAL_CONSTRAINTS r
            ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND r.TABLE_NAME = k.TABLE_NAME
        WHERE k.TABLE_SCHEMA = DATABASE() AND k.REFERENCED_TABLE_SCHEMA = DATABASE() ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION
        """;

    // MySQL only: columns of MariaDB have no reference system that the server checks.
    private const string ReferenceSystemsSql =
        "SELECT TABLE_NAME, COLUMN_NAME, SRS_ID FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND SRS_ID IS NOT NULL";

    // JSON columns of MariaDB are longtext with a check.
    private const string JsonChecksSql =
        "SELECT TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE() AND CHECK_CLAUSE LIKE 'json_valid(%'";

    public override DatabaseModel Create(string connectionString, DatabaseModelFactoryOptions options)
    {
        using var connection = new MySqlConnection(connectionString);
        return Create(connection, options);
    }

    public override DatabaseModel Create(DbConnection connection, DatabaseModelFactoryOptions options)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(options);
        var wasClosed = connection.State == ConnectionState.Closed;
        if (wasClosed)
            connection.Open();
        try
        {
            return Read(connection, options);
        }
        finally
        {
            if (wasClosed)
                connection.Close();
        }
    }

    private static DatabaseModel Read(DbConnection connection, DatabaseModelFactoryOptions options)
    {
        var isMariaDb = ServerVersion.Parse(connection.ServerVersion).Type == ServerType.MariaDb;
        var model = new DatabaseModel();
        foreach (var row in Rows(connection, DatabaseSql))
        {
            (model.DatabaseName, model.Collation) = (row[0], row[2]);
            model[MySqlAnnotationNames.CharSet] = row[1];
        }

        var tables = ReadTables(connection, model, options);
        var jsonColumns = isMariaDb ? Rows(connection, JsonChecksSql).Select(static row => $"{row[0]}:{row[1]}").ToHashSet() : [];
        foreach (var row in Rows(connection, ColumnsSql))
            if (tables.TryGetValue(row[0]!, out var table) && !TemporalTableReader.TakePeriodColumn(table, row))
                table.Columns.Add(ColumnReader.Read(table, row, isMariaDb, jsonColumns.Contains($"{row[0]}:json_valid(`{row[1]}`)")));
        if (!isMariaDb)
            ReadReferenceSystems(connection, tables);
        ReadIndexes(connection, tables);
        ReadForeignKeys(connection, tables);
        if (isMariaDb)
            SequenceReader.Read(model, sql => Rows(connection, sql));
        return model;
    }

    private static Dictionary<string, DatabaseTable> ReadTables(DbConnection connection, DatabaseModel model, DatabaseModelFactoryOptions options)
    {
        var chosen = options.Tables.Select(static name => name.Trim('`')).ToHashSet(StringComparer.OrdinalIgnoreCase);
        var tables = new Dictionary<string, DatabaseTable>(StringComparer.Ordinal);
        foreach (var row in Rows(connection, TablesSql))
        {
            if (row[0] is HistoryRepository.DefaultTableName or MigrationsLockTable.Name or MigrationProgress.Table
                || (chosen.Count > 0 && !chosen.Contains(row[0]!)))
                continue;
            var isView = row[1] == "VIEW";
            DatabaseTable table = isView ? new DatabaseView() : new DatabaseTable();
            (table.Database, table.Name, table.Comment) = (model, row[0]!, isView || string.IsNullOrEmpty(row[2]) ? null : row[2]);
            if (row[3] is { } collation && collation != model.Collation)
            {
                table[RelationalAnnotationNames.Collation] = collation;
                table[MySqlAnnotationNames.CharSet] = ColumnReader.CharSetOf(collation);
            }

            if (row[1] == "SYSTEM VERSIONED")
                TemporalTableReader.SetTemporal(table);
            model.Tables.Add(table);
            tables.Add(table.Name, table);
        }

        return tables;
    }

    private static void ReadReferenceSystems(DbConnection connection, Dictionary<string, DatabaseTable> tables)
    {
        foreach (var row in Rows(connection, ReferenceSystemsSql))
            if (tables.TryGetValue(row[0]!, out var table))
                table.Columns.Single(column => column.Name == row[1])[MySqlAnnotationNames.SpatialReferenceSystemId] = int.Parse(row[2]!, null);
    }

    private static void ReadIndexes(DbConnection connection, Dictionary<string, DatabaseTable> tables)
    {
        foreach (var rows in Rows(connection, IndexesSql).GroupBy(static row => (Table: row[0]!, Name: row[1]!)))
        {
            // The server adds the end of the period to unique indexes.
            var parts = rows.Where(row => !tables.TryGetValue(row[0]!, out var table) || !TemporalTableReader.IsPeriodColumn(table, row[3])).ToList();
            // An index on an expression has a part without a column, which EF Core has no words for.
            if (!tables.TryGetValue(rows.Key.Table, out var table) || parts.Exists(static row => row[3] is null))
                continue;
            var columns = parts.ConvertAll(row => table.Columns.Single(column => column.Name == row[3]));
            var prefixes = parts.Select(static row => row[5] is { } length ? int.Parse(length, null) : 0).ToArray();
            if (rows.Key.Name == "PRIMARY")
            {
                table.PrimaryKey = new() { Table = table, Name = rows.Key.Name };
                columns.ForEach(table.PrimaryKey.Columns.Add);
                SetPrefixes(table.PrimaryKey, prefixes);
                continue;
            }

            var index = new DatabaseIndex { Table = table, Name = rows.Key.Name, IsUnique = parts[0][2] == "0" };
            columns.ForEach(index.Columns.Add);
            if (parts.Exists(static row => row[4] == "D"))
                parts.ForEach(row => index.IsDescending.Add(row[4] == "D"));
            if (!SpecialIndexes.TrySetKind(index, parts[0][6]))
                SetPrefixes(index, prefixes);
            else if (index[MySqlAnnotationNames.VectorIndex] is true)
                SpecialIndexes.SetVectorOptions(index, Rows(connection, $"SHOW CREATE TABLE `{Escaped(table.Name)}`")[0][1]!);
            table.Indexes.Add(index);
        }
    }

    private static void ReadForeignKeys(DbConnection connection, Dictionary<string, DatabaseTable> tables)
    {
        foreach (var rows in Rows(connection, ForeignKeysSql).GroupBy(static row => (Table: row[0]!, Name: row[1]!, Principal: row[3]!, Rule: row[5])))
        {
            if (!tables.TryGetValue(rows.Key.Table, out var table) || !tables.TryGetValue(rows.Key.Principal, out var principal))
                continue;
            var key = new DatabaseForeignKey
            {
                Table = table, PrincipalTable = principal, Name = rows.Key.Name,
                OnDelete = rows.Key.Rule switch
                {
                    "CASCADE" => ReferentialAction.Cascade,
                    "SET NULL" => ReferentialAction.SetNull,
                    "SET DEFAULT" => ReferentialAction.SetDefault,
                    "RESTRICT" => ReferentialAction.Restrict,
                    _ => ReferentialAction.NoAction,
                },
            };
            foreach (var row in rows)
            {
                key.Columns.Add(table.Columns.Single(column => column.Name == row[2]));
                // MySQL keeps the case in which the reference was written.
                key.PrincipalColumns.Add(principal.Columns.Single(column => string.Equals(column.Name, row[4], StringComparison.OrdinalIgnoreCase)));
            }

            table.ForeignKeys.Add(key);
        }
    }

    private static void SetPrefixes(Microsoft.EntityFrameworkCore.Infrastructure.Annotatable annotatable, int[] prefixes)
    {
        if (Array.Exists(prefixes, static length => length > 0))
            annotatable[MySqlAnnotationNames.IndexPrefixLength] = prefixes;
    }

    private static string Escaped(string name) => name.Replace("`", "``", StringComparison.Ordinal);

    private static List<string?[]> Rows(DbConnection connection, string sql)
    {
        using var command = connection.CreateCommand();
        command.CommandText = sql;
        using var reader = command.ExecuteReader();
        var rows = new List<string?[]>();
        while (reader.Read())
        {
            var row = new string?[reader.FieldCount];
            for (var index = 0; index < row.Length; index++)
                row[index] = reader.IsDBNull(index) ? null : Convert.ToString(reader.GetValue(index), System.Globalization.CultureInfo.InvariantCulture);
            rows.Add(row);
        }

        return rows;
    }
}
