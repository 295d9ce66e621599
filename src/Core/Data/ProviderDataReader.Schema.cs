using System.Collections.ObjectModel;
using System.Data;
using System.Data.Common;
using Slipstream.Core.Conversations;

namespace Slipstream.Core.Data;

// The description of the columns, in the two forms that ADO.NET has.
public abstract partial class ProviderDataReader : IDbColumnSchemaGenerator
{
    /// <summary>The provider's class for one column of the schema.</summary>
    protected virtual DbColumn CreateColumn(int ordinal, ColumnDescription column) => new ProviderColumn(ordinal, column);

    /// <summary>The columns of the current result set.</summary>
    public virtual ReadOnlyCollection<DbColumn> GetColumnSchema()
    {
        var row = Described;
        var columns = new DbColumn[row.FieldCount];
        for (var i = 0; i < columns.Length; i++)
            columns[i] = CreateColumn(i, row.Describe(i));
        return Array.AsReadOnly(columns);
    }

    public override Task<ReadOnlyCollection<DbColumn>> GetColumnSchemaAsync(CancellationToken cancellationToken = default) =>
        DescribedAsync(GetColumnSchema, cancellationToken);

    public override DataTable? GetSchemaTable()
    {
        ThrowIfClosed();
        if (_place == Place.Nowhere)
            return null;
        var table = new DataTable("SchemaTable") { Locale = System.Globalization.CultureInfo.InvariantCulture };
        foreach (var (name, type) in SchemaColumns)
            table.Columns.Add(name, type);
        // A size of DBNull would be read as 0 by DataTable.Load, which then finds every text too long: −1 is "no limit" there.
        foreach (var column in GetColumnSchema())
            table.Rows.Add(
                column.ColumnName, column.ColumnOrdinal, column.ColumnSize ?? -1, column.NumericPrecision ?? (object)DBNull.Value,
                column.NumericScale ?? (object)DBNull.Value, column.IsUnique ?? false, column.IsKey ?? (object)DBNull.Value, column.BaseServerName,
                column.BaseCatalogName, column.BaseColumnName, column.BaseSchemaName, column.BaseTableName, column.DataType, column.AllowDBNull ?? (object)DBNull.Value,
                ((ProviderColumn)column).ProviderType, column.IsAliased ?? false, column.IsExpression ?? false, column.IsIdentity ?? false,
                column.IsAutoIncrement ?? false, false, column.IsHidden ?? false, column.IsLong ?? false, column.IsReadOnly ?? (object)DBNull.Value, column.DataTypeName,
                ((ProviderColumn)column).ProviderType, GetProviderSpecificFieldType(column.ColumnOrdinal!.Value));
        return table;
    }

    public override Task<DataTable?> GetSchemaTableAsync(CancellationToken cancellationToken = default) =>
        DescribedAsync(GetSchemaTable, cancellationToken);

    private static Task<T> DescribedAsync<T>(Func<T> describe, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<T>(cancellationToken);
        try
        {
            return Task.FromResult(describe());
        }
        catch (InvalidOperationException exception)
        {
            return Task.FromException<T>(exception);
        }
    }

    private static readonly (string Name, Type Type)[] SchemaColumns =
    [
        (SchemaTableColumn.ColumnName, typeof(string)), (SchemaTableColumn.ColumnOrdinal, typeof(int)), (SchemaTableColumn.ColumnSize, typeof(int)),
        (SchemaTableColumn.NumericPrecision, typeof(int)), (SchemaTableColumn.NumericScale, typeof(int)), (SchemaTableColumn.IsUnique, typeof(bool)),
        (SchemaTableColumn.IsKey, typeof(bool)), (SchemaTableOptionalColumn.BaseServerName, typeof(string)), (SchemaTableOptionalColumn.BaseCatalogName, typeof(string)),
        (SchemaTableColumn.BaseColumnName, typeof(string)), (SchemaTableColumn.BaseSchemaName, typeof(string)), (SchemaTableColumn.BaseTableName, typeof(string)),
        (SchemaTableColumn.DataType, typeof(Type)), (SchemaTableColumn.AllowDBNull, typeof(bool)), (SchemaTableColumn.ProviderType, typeof(int)),
        (SchemaTableColumn.IsAliased, typeof(bool)), (SchemaTableColumn.IsExpression, typeof(bool)), ("IsIdentity", typeof(bool)),
        (SchemaTableOptionalColumn.IsAutoIncrement, typeof(bool)), (SchemaTableOptionalColumn.IsRowVersion, typeof(bool)), (SchemaTableOptionalColumn.IsHidden, typeof(bool)),
        (SchemaTableColumn.IsLong, typeof(bool)), (SchemaTableOptionalColumn.IsReadOnly, typeof(bool)), ("DataTypeName", typeof(string)),
        (SchemaTableColumn.NonVersionedProviderType, typeof(int)), (SchemaTableOptionalColumn.ProviderSpecificDataType, typeof(Type)),
    ];
}

/// <summary>One column of a result set's schema, made from what the server says.</summary>
public class ProviderColumn : DbColumn
{
    public ProviderColumn(int ordinal, ColumnDescription column)
    {
        ColumnName = column.Name;
        ColumnOrdinal = ordinal;
        BaseColumnName = column.BaseName;
        BaseTableName = column.TableName;
        BaseSchemaName = column.SchemaName;
        BaseCatalogName = column.CatalogName;
        DataType = column.Type;
        DataTypeName = column.TypeName;
        ColumnSize = column.Size;
        NumericPrecision = column.Precision;
        NumericScale = column.Scale;
        AllowDBNull = column.IsNullable;
        IsKey = column.IsKey;
        IsUnique = column.IsUnique;
        IsAutoIncrement = column.IsAutoIncrement;
        IsIdentity = column.IsAutoIncrement;
        IsLong = column.IsLong;
        IsReadOnly = column.IsReadOnly;
        IsAliased = column.IsAliased;
        IsExpression = column.IsExpression;
        IsHidden = false;
        ProviderType = column.ProviderType;
    }

    /// <summary>The provider's own number of the type.</summary>
    public int ProviderType { get; }
}
