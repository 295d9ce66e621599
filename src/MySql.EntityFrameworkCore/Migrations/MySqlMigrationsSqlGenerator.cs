using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>Writes the SQL of migrations.</summary>
internal sealed partial class MySqlMigrationsSqlGenerator(MigrationsSqlGeneratorDependencies dependencies, MySqlSingletonOptions options)
    : MigrationsSqlGenerator(dependencies)
{
    private ISqlGenerationHelper Names => Dependencies.SqlGenerationHelper;

    // ---------------------------------------------------------------- tables

    protected override void Generate(CreateTableOperation operation, IModel? model, MigrationCommandListBuilder builder, bool terminate = true)
    {
        base.Generate(operation, model, builder, terminate: false);
        if (operation[MySqlAnnotationNames.CharSet] is string charSet)
            builder.Append(" CHARACTER SET ").Append(charSet);
        if (operation[RelationalAnnotationNames.Collation] is string collation)
            builder.Append(" COLLATE ").Append(collation);
        if (operation.Comment is { } comment)
            builder.Append(" COMMENT ").Append(Text(comment));
        foreach (var (name, value) in TableOptions.Read(operation[MySqlAnnotationNames.StoreOptions] as string))
            builder.Append(" ").Append(name).Append(" = ").Append(value);
        if (TemporalTable.Of(operation) is not null)
            builder.Append(" WITH SYSTEM VERSIONING");
        if (terminate)
            End(builder);
    }

    // Error 1075: an AUTO_INCREMENT column must be the first one of a key.
    protected override void CreateTableConstraints(CreateTableOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        base.CreateTableConstraints(operation, model, builder);
        GeneratePeriod(operation, builder);
        foreach (var column in operation.Columns)
        {
            if (!IsAutoIncrement(column) || operation.PrimaryKey?.Columns[0] == column.Name
                || operation.UniqueConstraints.Exists(key => key.Columns[0] == column.Name))
                continue;
            builder.AppendLine(",").Append("UNIQUE INDEX ").Append(Names.DelimitIdentifier(KeyColumnScripts.IndexName(column.Name))).Append(" (")
                .Append(Names.DelimitIdentifier(column.Name)).Append(")");
        }
    }

    protected override void Generate(AlterTableOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        if (operation.Comment != operation.OldTable.Comment)
        {
            AlterTable(operation.Name, operation.Schema, builder).Append(" COMMENT ").Append(Text(operation.Comment ?? ""));
            End(builder);
        }

        var (charSet, collation) = (operation[MySqlAnnotationNames.CharSet] as string, operation[RelationalAnnotationNames.Collation] as string);
        var old = operation.OldTable;
        if ((charSet, collation) != (old[MySqlAnnotationNames.CharSet] as string, old[RelationalAnnotationNames.Collation] as string)
            && (charSet ?? collation) is not null)
        {
            AlterTable(operation.Name, operation.Schema, builder);
            if (charSet is not null)
                builder.Append(" CHARACTER SET ").Append(charSet);
            if (collation is not null)
                builder.Append(" COLLATE ").Append(collation);
            End(builder);
        }

        if (operation[MySqlAnnotationNames.StoreOptions] is string options
            && options != operation.OldTable[MySqlAnnotationNames.StoreOptions] as string)
        {
            AlterTable(operation.Name, operation.Schema, builder);
            foreach (var (name, value) in TableOptions.Read(options))
                builder.Append(" ").Append(name).Append(" = ").Append(value);
            End(builder);
        }

        GenerateVersioning(operation, builder);
    }

    protected override void Generate(RenameTableOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        if (NameOf(operation.Name, operation.Schema) == NameOf(operation.NewName ?? operation.Name, operation.NewSchema))
            return;
        AlterTable(operation.Name, operation.Schema, builder)
            .Append(" RENAME ").Append(Names.DelimitIdentifier(operation.NewName ?? operation.Name, operation.NewSchema));
        End(builder);
    }

    protected override void Generate(AlterDatabaseOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        var charSet = operation[MySqlAnnotationNames.CharSet] as string;
        if (charSet == operation.OldDatabase[MySqlAnnotationNames.CharSet] as string && operation.Collation == operation.OldDatabase.Collation)
            return;
        if (charSet is null && operation.Collation is null)
            return;
        builder.Append("ALTER DATABASE");
        if (charSet is not null)
            builder.Append(" CHARACTER SET ").Append(charSet);
        if (operation.Collation is { } collation)
            builder.Append(" COLLATE ").Append(collation);
        End(builder);
    }

    // There are no schemas: the names of tables have been translated, or the model was refused.
    protected override void Generate(EnsureSchemaOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
    }

    protected override void Generate(DropSchemaOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
    }

    // ---------------------------------------------------------------- columns

    // The primary key, if the column is to be one, is added by an operation of its own. Until then, the column has a key by a name that this operation finds.
    protected override void Generate(AddColumnOperation operation, IModel? model, MigrationCommandListBuilder builder, bool terminate = true)
    {
        TemporalChanges.Check(operation, old: null);
        base.Generate(operation, model, builder, terminate: false);
        if (IsAutoIncrement(operation))
            builder.Append(", ADD UNIQUE INDEX ").Append(Names.DelimitIdentifier(KeyColumnScripts.IndexName(operation.Name)))
                .Append(" (").Append(Names.DelimitIdentifier(operation.Name)).Append(")");
        if (terminate)
            End(builder);
    }

    protected override void Generate(RenameColumnOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        AlterTable(operation.Table, operation.Schema, builder)
            .Append(" RENAME COLUMN ").Append(Names.DelimitIdentifier(operation.Name))
            .Append(" TO ").Append(Names.DelimitIdentifier(operation.NewName));
        End(builder);
    }

    protected override void ColumnDefinition(
        string? schema, string table, string name, ColumnOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        var columnType = operation.ColumnType ?? GetColumnType(schema, table, name, operation, model) ?? throw new InvalidOperationException(
            $"The type of the column '{table}.{name}' is unknown. Give it one with HasColumnType.");
        if (operation[MySqlAnnotationNames.Period] is string word)
        {
            builder.Append(PeriodColumn(name, word));
            return;
        }

        builder.Append(Names.DelimitIdentifier(name)).Append(" ").Append(columnType);
        // MySQL refuses either for json, where Pomelo's migrations have the collation of the model or the table. On MariaDB, json is a text with utf8mb4_bin.
        var isJson = columnType.Equals("json", StringComparison.OrdinalIgnoreCase);
        var charSet = isJson ? null : operation[MySqlAnnotationNames.CharSet] as string;
        if (charSet is not null)
            builder.Append(" CHARACTER SET ").Append(charSet);
        // The collation may be the table's, for another character set.
        if (!isJson && operation.Collation is { } collation && (charSet is null || CharacterSets.Has(charSet, collation)))
            builder.Append(" COLLATE ").Append(collation);
        if (operation.ComputedColumnSql is { } expression)
        {
            builder.Append(" GENERATED ALWAYS AS (").Append(expression).Append(")").Append(operation.IsStored == true ? " STORED" : " VIRTUAL");
            if (options.Capabilities.GeneratedNotNull)
                builder.Append(operation.IsNullable ? " NULL" : " NOT NULL");
        }
        else
        {
            builder.Append(operation.IsNullable ? " NULL" : " NOT NULL");
            WriteValue(operation, columnType, builder);
        }

        if (operation[MySqlAnnotationNames.SpatialReferenceSystemId] is int system && options.Capabilities.JsonType)
            builder.Append(" /*!80003 SRID ").Append(Number(system)).Append(" */");
        if (operation.Comment is { } comment)
            builder.Append(" COMMENT ").Append(Text(comment));
    }

    private void WriteValue(ColumnOperation operation, string columnType, MigrationCommandListBuilder builder)
    {
        switch (operation[MySqlAnnotationNames.ValueGenerationStrategy])
        {
            case MySqlValueGenerationStrategy.IdentityColumn when IsMoment(columnType):
                builder.Append(" DEFAULT CURRENT_TIMESTAMP").Append(Facets(columnType));
                break;
            case MySqlValueGenerationStrategy.IdentityColumn when IsDate(columnType):
                builder.Append(" DEFAULT (CURRENT_DATE)");
                break;
            case MySqlValueGenerationStrategy.IdentityColumn:
                builder.Append(" AUTO_INCREMENT");
                break;
            case MySqlValueGenerationStrategy.ComputedColumn:
            case var _ when operation is { IsRowVersion: true, DefaultValue: null, DefaultValueSql: null } && IsMoment(columnType):
                var now = "CURRENT_TIMESTAMP" + Facets(columnType);
                builder.Append(" DEFAULT ").Append(now).Append(" ON UPDATE ").Append(now);
                break;
            default:
                DefaultValue(operation.DefaultValue, operation.DefaultValueSql, columnType, builder);
                break;
        }
    }

    protected override void DefaultValue(object? defaultValue, string? defaultValueSql, string? columnType, MigrationCommandListBuilder builder)
    {
        if (defaultValueSql is not null)
        {
            var isBare = DefaultTexts.IsBare(defaultValueSql, isMoment: IsMoment(columnType), isLarge: IsLarge(columnType));
            builder.Append(" DEFAULT ").Append(isBare ? defaultValueSql : $"({defaultValueSql})");
            return;
        }

        if (defaultValue is null or DBNull)
            return;
        var literal = LiteralOf(defaultValue, columnType);
        // MySQL does not take the standard's literals of dates and times as defaults, only their texts.
        foreach (var word in (string[])["TIMESTAMP '", "DATE '", "TIME '"])
            if (literal.StartsWith(word, StringComparison.Ordinal))
                literal = literal[(word.Length - 1)..];
        // MySQL Reference Manual, "Data Type Default Values": for these types, a default is an expression, in parentheses.
        builder.Append(" DEFAULT ").Append(IsLarge(columnType) ? $"({literal})" : literal);
    }

    private string LiteralOf(object value, string? columnType) =>
        ((columnType is null ? null : Dependencies.TypeMappingSource.FindMapping(value.GetType(), columnType))
            ?? Dependencies.TypeMappingSource.GetMappingForValue(value)).GenerateSqlLiteral(value);

    private static bool IsMoment(string? columnType) =>
        columnType is not null
        && (columnType.StartsWith("datetime", StringComparison.OrdinalIgnoreCase) || columnType.StartsWith("timestamp", StringComparison.OrdinalIgnoreCase));

    private static bool IsDate(string? columnType) => string.Equals(columnType, "date", StringComparison.OrdinalIgnoreCase);

    private static bool IsAutoIncrement(ColumnOperation operation) =>
        operation[MySqlAnnotationNames.ValueGenerationStrategy] is MySqlValueGenerationStrategy.IdentityColumn
        && !IsMoment(operation.ColumnType) && !IsDate(operation.ColumnType);

    // ---------------------------------------------------------------- indexes and keys

    protected override void Generate(DropIndexOperation operation, IModel? model, MigrationCommandListBuilder builder, bool terminate = true)
    {
        if (operation.Table is null)
            throw new InvalidOperationException($"The table of the index '{operation.Name}' is unknown: DropIndex needs it.");
        AlterTable(operation.Table, operation.Schema, builder).Append(" DROP INDEX ").Append(Names.DelimitIdentifier(operation.Name));
        if (terminate)
            End(builder);
    }

    protected override void Generate(RenameIndexOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        if (operation.Table is null)
            throw new InvalidOperationException($"The table of the index '{operation.Name}' is unknown: RenameIndex needs it.");
        AlterTable(operation.Table, operation.Schema, builder)
            .Append(" RENAME INDEX ").Append(Names.DelimitIdentifier(operation.Name)).Append(" TO ").Append(Names.DelimitIdentifier(operation.NewName));
        End(builder);
    }

    protected override void Generate(CreateIndexOperation operation, IModel? model, MigrationCommandListBuilder builder, bool terminate = true)
    {
        if (operation.Filter is not null)
            throw new NotSupportedException(
                $"The index '{operation.Name}' has a filter. MySQL and MariaDB have no filtered indexes: remove HasFilter, or index a generated column.");
        VectorIndexes.Require(operation, options);
        base.Generate(operation, model, builder, terminate);
    }

    protected override void IndexTraits(MigrationOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        if (operation[MySqlAnnotationNames.FullTextIndex] is true)
            builder.Append("FULLTEXT ");
        else if (operation[MySqlAnnotationNames.SpatialIndex] is true)
            builder.Append("SPATIAL ");
        else if (operation[MySqlAnnotationNames.VectorIndex] is true)
            builder.Append("VECTOR ");
    }

    protected override void GenerateIndexColumnList(CreateIndexOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        var prefixes = operation[MySqlAnnotationNames.IndexPrefixLength] as int[];
        for (var index = 0; index < operation.Columns.Length; index++)
        {
            builder.Append(index == 0 ? "" : ", ").Append(Names.DelimitIdentifier(operation.Columns[index]));
            if (prefixes is not null && index < prefixes.Length && prefixes[index] > 0)
                builder.Append("(").Append(Number(prefixes[index])).Append(")");
            if (operation.IsDescending is { } descending && (descending.Length == 0 || descending[index]))
                builder.Append(" DESC");
        }
    }

    protected override void IndexOptions(MigrationOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        if (operation[MySqlAnnotationNames.FullTextParser] is string parser && options.Capabilities.JsonType)
            builder.Append(" /*!50700 WITH PARSER ").Append(Names.DelimitIdentifier(parser)).Append(" */");
        builder.Append(VectorIndexes.Options(operation));
    }

    protected override void Generate(DropForeignKeyOperation operation, IModel? model, MigrationCommandListBuilder builder, bool terminate = true)
    {
        AlterTable(operation.Table, operation.Schema, builder).Append(" DROP FOREIGN KEY ").Append(Names.DelimitIdentifier(operation.Name));
        if (terminate)
            End(builder);
    }

    protected override void Generate(DropUniqueConstraintOperation operation, IModel? model, MigrationCommandListBuilder builder)
    {
        AlterTable(operation.Table, operation.Schema, builder).Append(" DROP INDEX ").Append(Names.DelimitIdentifier(operation.Name));
        End(builder);
    }

    // ---------------------------------------------------------------- words

    private static string Facets(string columnType) => columnType.IndexOf('(', StringComparison.Ordinal) is >= 0 and var start ? columnType[start..] : "";

    // The others end with these words: multipoint.
    private static readonly string[] SpatialTypes = ["geometry", "point", "linestring", "polygon", "collection"];

    private static bool IsLarge(string? columnType) =>
        columnType is not null
        && (columnType.Contains("text", StringComparison.OrdinalIgnoreCase) || columnType.Contains("blob", StringComparison.OrdinalIgnoreCase)
            || columnType.StartsWith("json", StringComparison.OrdinalIgnoreCase) || columnType.StartsWith("vector", StringComparison.OrdinalIgnoreCase)
            || Array.Exists(SpatialTypes, type => columnType.EndsWith(type, StringComparison.OrdinalIgnoreCase)));

    private static string Number(long value) => value.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private string Text(string value) => Dependencies.TypeMappingSource.GetMapping(typeof(string)).GenerateSqlLiteral(value);

    private string NameOf(string name, string? schema) => ((MySqlSqlGenerationHelper)Names).NameOf(name, schema);

    private MigrationCommandListBuilder AlterTable(string table, string? schema, MigrationCommandListBuilder builder) =>
        builder.Append("ALTER TABLE ").Append(Names.DelimitIdentifier(table, schema));

    // DDL commits by itself: a transaction around it would promise what it cannot keep.
    private void End(MigrationCommandListBuilder builder)
    {
        builder.AppendLine(Names.StatementTerminator);
        EndStatement(builder);
    }
}
