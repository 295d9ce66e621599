using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Update;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>
/// The data of migrations. EF Core takes their values for those of the database, as it writes them itself. A migration that is written by hand may have the
/// value of the property, such as a Guid for a column of binary(16).
/// </summary>
internal sealed partial class MySqlMigrationsSqlGenerator
{
    protected override IEnumerable<IReadOnlyModificationCommand> GenerateModificationCommands(InsertDataOperation operation, IModel? model) =>
        base.GenerateModificationCommands(
            new InsertDataOperation
            {
                Table = operation.Table, Schema = operation.Schema, Columns = operation.Columns, ColumnTypes = operation.ColumnTypes,
                Values = Converted(operation.Values, operation.Columns, operation.ColumnTypes, TableOf(model, operation.Table, operation.Schema)),
            },
            model);

    protected override IEnumerable<IReadOnlyModificationCommand> GenerateModificationCommands(UpdateDataOperation operation, IModel? model)
    {
        // EF Core scaffolds such an operation for rows of HasData when a column with a default value is added.
        if (operation.Columns.Length == 0)
            return [];
        var table = TableOf(model, operation.Table, operation.Schema);
        return base.GenerateModificationCommands(
            new UpdateDataOperation
            {
                Table = operation.Table, Schema = operation.Schema, KeyColumns = operation.KeyColumns, KeyColumnTypes = operation.KeyColumnTypes,
                Columns = operation.Columns, ColumnTypes = operation.ColumnTypes,
                KeyValues = Converted(operation.KeyValues, operation.KeyColumns, operation.KeyColumnTypes, table),
                Values = Converted(operation.Values, operation.Columns, operation.ColumnTypes, table),
            },
            model);
    }

    protected override IEnumerable<IReadOnlyModificationCommand> GenerateModificationCommands(DeleteDataOperation operation, IModel? model) =>
        base.GenerateModificationCommands(
            new DeleteDataOperation
            {
                Table = operation.Table, Schema = operation.Schema, KeyColumns = operation.KeyColumns, KeyColumnTypes = operation.KeyColumnTypes,
                KeyValues = Converted(operation.KeyValues, operation.KeyColumns, operation.KeyColumnTypes, TableOf(model, operation.Table, operation.Schema)),
            },
            model);

    private static ITable? TableOf(IModel? model, string name, string? schema) => model?.GetRelationalModel().FindTable(name, schema);

    private object?[,] Converted(object?[,] values, string[] columns, string[]? types, ITable? table)
    {
        var converted = (object?[,])values.Clone();
        // A wrong number of columns is EF Core's to report.
        for (var column = 0; column < Math.Min(columns.Length, values.GetLength(1)); column++)
            for (var row = 0; row < values.GetLength(0); row++)
                if (values[row, column] is { } value && MappingOf(value, table?.FindColumn(columns[column]), types?.ElementAtOrDefault(column)) is { } mapping)
                    converted[row, column] = Converted(value, mapping);
        return converted;
    }

    private RelationalTypeMapping? MappingOf(object value, IColumn? column, string? type) => column?.PropertyMappings is [var mapping, ..]
        ? mapping.TypeMapping
        : type is null ? null : Dependencies.TypeMappingSource.FindMapping(value.GetType(), type);

    private static object? Converted(object value, RelationalTypeMapping mapping) =>
        mapping.Converter is { } converter && value.GetType() != mapping.ProviderType() && converter.ModelClrType.IsInstanceOfType(value)
            ? converter.ConvertToProvider(value)
            : value;
}
