using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

/// <summary>Describes the columns.</summary>
internal sealed partial class MySqlRow
{
    public override string GetName(int ordinal)
    {
        Check(ordinal);
        return _metadata.Name(ordinal);
    }

    // In the text protocol, the name of an expression column is the text of the expression, including the values in it.
    protected override string NameWithoutValues(int ordinal)
    {
        var name = GetName(ordinal);
        return _isBinary || _metadata.OriginalName(ordinal).Length > 0 || Sql.Contains(name, StringComparison.Ordinal) ? name : $"#{ordinal}";
    }

    public override int GetOrdinal(string name)
    {
        if (_columns.Length == 0)
            throw new IndexOutOfRangeException($"There is no column '{name}': there is no current result set.");
        ArgumentNullException.ThrowIfNull(name);
        var index = _metadata.IndexOf(name);
        return index >= 0 ? index : ThrowMissing(name);
    }

    // The delegate is created only here.
    private int ThrowMissing(string name) => throw _metadata.Missing(name, Called);

    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public override Type GetFieldType(int ordinal)
    {
        Check(ordinal);
        return ColumnTypes.ClrType(_columns[ordinal].Kind, _settings);
    }

    public override string GetDataTypeName(int ordinal)
    {
        Check(ordinal);
        return ColumnTypes.Name(_columns[ordinal]);
    }

    /// <summary>Returns the column's type as a parameter type.</summary>
    public MySqlDbType GetMySqlDbType(int ordinal)
    {
        Check(ordinal);
        return ColumnTypes.DbType(_columns[ordinal]);
    }

    public override bool IsText(int ordinal)
    {
        Check(ordinal);
        return _columns[ordinal].Kind is ValueKind.Text or ValueKind.GuidText;
    }

    public override ColumnDescription Describe(int ordinal)
    {
        Check(ordinal);
        ref readonly var column = ref _columns[ordinal];
        var definition = column.Definition;
        var table = _metadata.OriginalTable(ordinal);
        var original = _metadata.OriginalName(ordinal);
        var isDecimal = column.Kind == ValueKind.Decimal;
        var isCoarse = ThisAssembly.Conventions.DescribesColumnsCoarsely;
        return new(_metadata.Name(ordinal))
        {
            BaseName = original.Length > 0 || isCoarse ? original : null,
            TableName = table.Length > 0 || isCoarse ? table : null,
            SchemaName = _metadata.Schema(ordinal) is var schema && (schema.Length > 0 || isCoarse) ? schema : null,
            CatalogName = isCoarse ? null : _metadata.Catalog(ordinal),
            Type = GetFieldType(ordinal),
            TypeName = GetDataTypeName(ordinal),
            ProviderType = (int)(isCoarse ? ColumnTypes.CoarseDbType(column) : ColumnTypes.DbType(column)),
            Size = (int)Math.Min(int.MaxValue, column.Kind is ValueKind.Text or ValueKind.GuidText && column.IsText ? column.Characters : definition.Length),
            // The length includes the decimal point and, unless unsigned, the sign.
            Precision = isDecimal ? (int)definition.Length - (definition.IsUnsigned ? 0 : 1) - (definition.Decimals > 0 ? 1 : 0) : null,
            Scale = isDecimal || isCoarse ? definition.Decimals : null,
            IsNullable = (definition.Flags & ColumnFlags.NotNull) == 0,
            IsKey = (definition.Flags & ColumnFlags.PrimaryKey) != 0,
            IsUnique = (definition.Flags & ColumnFlags.UniqueKey) != 0,
            IsAutoIncrement = (definition.Flags & ColumnFlags.AutoIncrement) != 0,
            IsLong = (definition.Flags & ColumnFlags.Blob) != 0 && definition.Length > byte.MaxValue,
            IsReadOnly = original.Length == 0 && !isCoarse,
            IsAliased = (original.Length > 0 || isCoarse) && original != _metadata.Name(ordinal),
            IsExpression = original.Length == 0 && !isCoarse,
        };
    }

    /// <summary>Returns the name that the column's table has in the query: its alias, if it has one.</summary>
    public string TableInQuery(int ordinal)
    {
        Check(ordinal);
        return _metadata.Table(ordinal);
    }

    private void Check(int ordinal)
    {
        if ((uint)ordinal >= (uint)_columns.Length)
            throw base.NoColumn(ordinal, MessageFor(ordinal));
    }
}
