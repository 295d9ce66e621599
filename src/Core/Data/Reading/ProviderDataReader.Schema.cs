using System.Collections.ObjectModel;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;

namespace Slipstream.Core.Data;

// The description of the columns: single properties, and the two forms of ADO.NET for all columns.
public abstract partial class ProviderDataReader : IDbColumnSchemaGenerator
{
    /// <summary>Gets the number of columns of the current result set.</summary>
    /// <value>0 without a result set.</value>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public override int FieldCount
    {
        get
        {
            ThrowIfClosed();
            return _place == Place.Nowhere ? 0 : _exchange.Row.FieldCount;
        }
    }

    /// <inheritdoc/>
    public override int VisibleFieldCount => FieldCount;

    /// <inheritdoc/>
    public override string GetName(int ordinal) => Described.GetName(ordinal);

    /// <summary>Returns the ordinal of the column with a name. An exact match is preferred; otherwise case is ignored.</summary>
    /// <param name="name">The name of the column in the result.</param>
    /// <returns>The ordinal, from 0, of the first column with this name.</returns>
    /// <exception cref="IndexOutOfRangeException">No column has this name.</exception>
    /// <exception cref="InvalidOperationException">The reader is closed, or there is no result set.</exception>
    public override int GetOrdinal(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Described.GetOrdinal(name);
    }

    /// <inheritdoc/>
    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public override Type GetFieldType(int ordinal) => Described.GetFieldType(ordinal);

    /// <inheritdoc/>
    public override string GetDataTypeName(int ordinal) => Described.GetDataTypeName(ordinal);

    /// <summary>The description of the rows: available as soon as a result set is known.</summary>
    private protected Row Described
    {
        get
        {
            ThrowIfClosed();
            return _place != Place.Nowhere
                ? _exchange.Row
                : throw new InvalidOperationException("There is no result set: the statement returns no rows, or NextResult has returned false.");
        }
    }

    /// <summary>Creates the provider's description of one column.</summary>
    private protected virtual DbColumn CreateColumn(int ordinal, ColumnDescription column) => new ProviderColumn(ordinal, column);

    /// <summary>Returns the columns of the current result set.</summary>
    /// <returns>The columns; an empty collection without a result set.</returns>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    public virtual ReadOnlyCollection<DbColumn> GetColumnSchema()
    {
        var columns = CreateColumns();
        if (LooksUpColumns && columns.Length > 0)
            LookUp(columns);
        return Array.AsReadOnly(columns);
    }

    /// <inheritdoc/>
    public override async Task<ReadOnlyCollection<DbColumn>> GetColumnSchemaAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return await Canceled<ReadOnlyCollection<DbColumn>>(cancellationToken).ConfigureAwait(false);
        var columns = CreateColumns();
        if (LooksUpColumns && columns.Length > 0)
            await LookUpAsync(columns, cancellationToken).ConfigureAwait(false);
        return Array.AsReadOnly(columns);
    }

    /// <summary>Creates the description of the columns from what the server has sent with the result; none without a result set.</summary>
    private DbColumn[] CreateColumns()
    {
        ThrowIfClosed();
        if (_place == Place.Nowhere)
            return [];
        var row = _exchange.Row;
        var columns = new DbColumn[row.FieldCount];
        for (var i = 0; i < columns.Length; i++)
            columns[i] = CreateColumn(i, row.Describe(i));
        return columns;
    }

    // A provider whose server does not send names and keys of tables with the result.
    private bool LooksUpColumns => (Behavior & CommandBehavior.KeyInfo) != 0;

    /// <summary>Completes the columns with information that the provider must ask for: called if the caller requested KeyInfo.</summary>
    private protected virtual void LookUp(DbColumn[] columns)
    {
        // By default, the server has sent everything.
    }

    /// <inheritdoc cref="LookUp"/>
    private protected virtual ValueTask LookUpAsync(DbColumn[] columns, CancellationToken cancellationToken) => default;

    /// <inheritdoc/>
    public override DataTable? GetSchemaTable()
    {
        ThrowIfClosed();
        return _place == Place.Nowhere ? null : ToTable(GetColumnSchema());
    }

    /// <inheritdoc/>
    public override async Task<DataTable?> GetSchemaTableAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return await Canceled<DataTable?>(cancellationToken).ConfigureAwait(false);
        ThrowIfClosed();
        return _place == Place.Nowhere ? null : ToTable(await GetColumnSchemaAsync(cancellationToken).ConfigureAwait(false));
    }

    /// <summary>The precision and the scale, in a schema table, of a column that has none.</summary>
    private protected virtual object NoNumber => DBNull.Value;

    private DataTable ToTable(ReadOnlyCollection<DbColumn> columns)
    {
        var table = new DataTable("SchemaTable") { Locale = System.Globalization.CultureInfo.InvariantCulture };
        table.Columns.AddRange(SchemaColumns());
        // DataTable.Load would read a size of DBNull as 0, and then reject every text as too long. For it, −1 means no limit.
        foreach (var column in columns)
            table.Rows.Add(
                column.ColumnName, column.ColumnOrdinal, column.ColumnSize ?? -1, column.NumericPrecision ?? NoNumber,
                column.NumericScale ?? NoNumber, column.IsUnique ?? false, column.IsKey ?? (object)DBNull.Value, column.BaseServerName,
                column.BaseCatalogName, column.BaseColumnName, column.BaseSchemaName, column.BaseTableName, column.DataType,
                column.AllowDBNull ?? (object)DBNull.Value,
                ((ProviderColumn)column).TypeNumber, column.IsAliased ?? false, column.IsExpression ?? false, column.IsIdentity ?? false,
                column.IsAutoIncrement ?? false, false, column.IsHidden ?? false, column.IsLong ?? false, column.IsReadOnly ?? (object)DBNull.Value,
                column.DataTypeName,
                ((ProviderColumn)column).TypeNumber, GetProviderSpecificFieldType(column.ColumnOrdinal!.Value));
        return table;
    }

    // Each type by its own name, so that the trimmer knows which members to keep.
    private static DataColumn[] SchemaColumns()
    {
        return
        [
            Text(SchemaTableColumn.ColumnName), Number(SchemaTableColumn.ColumnOrdinal), Number(SchemaTableColumn.ColumnSize),
            Number(SchemaTableColumn.NumericPrecision), Number(SchemaTableColumn.NumericScale), Flag(SchemaTableColumn.IsUnique),
            Flag(SchemaTableColumn.IsKey), Text(SchemaTableOptionalColumn.BaseServerName), Text(SchemaTableOptionalColumn.BaseCatalogName),
            Text(SchemaTableColumn.BaseColumnName), Text(SchemaTableColumn.BaseSchemaName), Text(SchemaTableColumn.BaseTableName),
            TypeOf(SchemaTableColumn.DataType), Flag(SchemaTableColumn.AllowDBNull), Number(SchemaTableColumn.ProviderType),
            Flag(SchemaTableColumn.IsAliased), Flag(SchemaTableColumn.IsExpression), Flag("IsIdentity"),
            Flag(SchemaTableOptionalColumn.IsAutoIncrement), Flag(SchemaTableOptionalColumn.IsRowVersion), Flag(SchemaTableOptionalColumn.IsHidden),
            Flag(SchemaTableColumn.IsLong), Flag(SchemaTableOptionalColumn.IsReadOnly), Text("DataTypeName"),
            Number(SchemaTableColumn.NonVersionedProviderType), TypeOf(SchemaTableOptionalColumn.ProviderSpecificDataType),
        ];

        static DataColumn Text(string name) => new(name, typeof(string));
        static DataColumn Number(string name) => new(name, typeof(int));
        static DataColumn Flag(string name) => new(name, typeof(bool));
    }

    [UnconditionalSuppressMessage("Trimming", "IL2111", Justification = "The column holds types; nothing calls their properties by reflection.")]
    private static DataColumn TypeOf(string name) => new(name, typeof(Type));
}

/// <summary>Describes one column of a result set, as far as the server reports it.</summary>
public class ProviderColumn : DbColumn
{
    /// <summary>Creates a description without a column.</summary>
    private protected ProviderColumn()
    {
    }

    /// <summary>Creates the description of the column at an ordinal.</summary>
    internal ProviderColumn(int ordinal, ColumnDescription column)
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
        TypeNumber = column.ProviderType;
    }

    /// <summary>The provider's number of the type.</summary>
    // Not public: a provider's column has it as its own type under the usual name, ProviderType, and reflection must find only one property of a name.
    internal virtual int TypeNumber { get; }
}
