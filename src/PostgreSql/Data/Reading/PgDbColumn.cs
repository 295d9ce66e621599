using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>
/// A column of a result set, as <see cref="PgDataReader.GetColumnSchema"/> describes it. Names, keys and defaults of tables are looked up only with
/// <see cref="System.Data.CommandBehavior.KeyInfo"/>.
/// </summary>
public class PgDbColumn : ProviderColumn
{
    /// <summary>Creates a description without a column.</summary>
    public PgDbColumn()
    {
    }

    internal PgDbColumn(int ordinal, ColumnDescription column, in FieldDescription field, PostgresType type, PgConnection? connection)
        : base(ordinal, column)
    {
        PostgresType = type;
        BaseServerName = connection?.Host;
        BaseCatalogName = connection?.Database;
        if (field.TableOid == 0)
            IsReadOnly = true;
        if (type is PostgresCompositeType && DataType is { IsArray: false } mapped)
            UdtAssemblyQualifiedName = mapped.AssemblyQualifiedName;
        TypeOID = field.TypeOid;
        TableOID = field.TableOid;
        ColumnAttributeNumber = field.AttributeNumber;
        // The types of extensions have names in PgDbType, but no fixed object ids.
        var known = ParameterTypes.FromOid(field.TypeOid);
        if (known == PostgreSql.PgDbType.Unknown && type is PostgresBaseType or PostgresArrayType { Element: PostgresBaseType })
            known = ParameterTypes.FromName(type.Name);
        PgDbType = known == PostgreSql.PgDbType.Unknown ? null : known;
    }

    /// <summary>
    /// Gets the column's type in the database; null in a description without a column. The server describes a column whose type is a domain as one of the
    /// domain's base type; only with <see cref="System.Data.CommandBehavior.KeyInfo"/> is it the domain.
    /// </summary>
    public PostgresType? PostgresType { get; internal set; }

    /// <summary>Gets the object id of the column's type in pg_type.</summary>
    public uint TypeOID { get; }

    /// <summary>Gets the object id of the column's table in pg_class; 0 for an expression.</summary>
    public uint TableOID { get; }

    /// <summary>Gets the number of the column in its table, as in pg_attribute; null for an expression.</summary>
    public short? ColumnAttributeNumber { get; }

    /// <summary>Gets the SQL expression of the column's default; null if it has none, or if unknown.</summary>
    public string? DefaultValue { get; internal set; }

    /// <summary>Gets the type as parameters name it; null if parameters have no name for it.</summary>
    public PgDbType? PgDbType { get; }

    /// <summary>Gets or sets whether the column accepts NULL; null if unknown.</summary>
    public new bool? AllowDBNull
    {
        get => base.AllowDBNull;
        set => base.AllowDBNull = value;
    }

    /// <summary>Gets or sets the name of the database; null in a description without a column.</summary>
    public new string? BaseCatalogName
    {
        get => base.BaseCatalogName;
        set => base.BaseCatalogName = value;
    }

    /// <summary>Gets or sets the name of the column in its table; null for an expression, or if unknown.</summary>
    public new string? BaseColumnName
    {
        get => base.BaseColumnName;
        set => base.BaseColumnName = value;
    }

    /// <summary>Gets or sets the name of the table's schema; null for an expression, or if unknown.</summary>
    public new string? BaseSchemaName
    {
        get => base.BaseSchemaName;
        set => base.BaseSchemaName = value;
    }

    /// <summary>Gets or sets the name of the server's host; null in a description without a column.</summary>
    public new string? BaseServerName
    {
        get => base.BaseServerName;
        set => base.BaseServerName = value;
    }

    /// <summary>Gets or sets the name of the table; null for an expression, or if unknown.</summary>
    public new string? BaseTableName
    {
        get => base.BaseTableName;
        set => base.BaseTableName = value;
    }

    /// <summary>Gets or sets the name of the column in the result.</summary>
    public new string ColumnName
    {
        get => base.ColumnName;
        set => base.ColumnName = value;
    }

    /// <summary>Gets or sets the index of the column in the result, from 0.</summary>
    public new int? ColumnOrdinal
    {
        get => base.ColumnOrdinal;
        set => base.ColumnOrdinal = value;
    }

    /// <summary>Gets or sets the declared length of a text or a bit string, in characters or bits; null without one, and for other types.</summary>
    public new int? ColumnSize
    {
        get => base.ColumnSize;
        set => base.ColumnSize = value;
    }

    /// <summary>Gets or sets the CLR type of the values.</summary>
    public new Type? DataType
    {
        get => base.DataType;
        set => base.DataType = value;
    }

    /// <summary>Gets or sets the name of the type in SQL.</summary>
    public new string? DataTypeName
    {
        get => base.DataTypeName;
        set => base.DataTypeName = value;
    }

    /// <summary>Gets or sets whether the column has another name in the result than in its table; null if unknown.</summary>
    public new bool? IsAliased
    {
        get => base.IsAliased;
        set => base.IsAliased = value;
    }

    /// <summary>Gets or sets whether the server generates the values: an identity column, or one whose default is nextval; null if unknown.</summary>
    public new bool? IsAutoIncrement
    {
        get => base.IsAutoIncrement;
        set => base.IsAutoIncrement = value;
    }

    /// <summary>Gets or sets whether the column was declared GENERATED … AS IDENTITY; null if unknown.</summary>
    public new bool? IsIdentity
    {
        get => base.IsIdentity;
        set => base.IsIdentity = value;
    }

    /// <summary>Gets or sets whether the column belongs to the primary key of its table; null if unknown.</summary>
    public new bool? IsKey
    {
        get => base.IsKey;
        set => base.IsKey = value;
    }

    /// <summary>Gets or sets whether the values may be very long.</summary>
    public new bool? IsLong
    {
        get => base.IsLong;
        set => base.IsLong = value;
    }

    /// <summary>Gets or sets whether the column cannot be changed; null if unknown.</summary>
    public new bool? IsReadOnly
    {
        get => base.IsReadOnly;
        set => base.IsReadOnly = value;
    }

    /// <summary>Gets or sets whether a unique index contains this column alone; null if unknown.</summary>
    public new bool? IsUnique
    {
        get => base.IsUnique;
        set => base.IsUnique = value;
    }

    /// <summary>Gets or sets the number of digits of a numeric; null if there is no limit.</summary>
    public new int? NumericPrecision
    {
        get => base.NumericPrecision;
        set => base.NumericPrecision = value;
    }

    /// <summary>Gets or sets the number of decimal places of a numeric; null if there is no limit.</summary>
    public new int? NumericScale
    {
        get => base.NumericScale;
        set => base.NumericScale = value;
    }

    /// <summary>Gets or sets the name of the CLR type for user-defined types of other databases; always null.</summary>
    public new string? UdtAssemblyQualifiedName
    {
        get => base.UdtAssemblyQualifiedName;
        set => base.UdtAssemblyQualifiedName = value;
    }

    /// <summary>Gets a property by its name.</summary>
    /// <param name="property">The name of the property.</param>
    /// <returns>The value; null if there is no such property.</returns>
    public override object? this[string property] => property switch
    {
        nameof(PostgresType) => PostgresType,
        nameof(TypeOID) => TypeOID,
        nameof(TableOID) => TableOID,
        nameof(ColumnAttributeNumber) => ColumnAttributeNumber,
        nameof(DefaultValue) => DefaultValue,
        nameof(PgDbType) => PgDbType,
        _ => base[property],
    };

    // As in Npgsql, the number in a DataTable is that of the enumeration.
    internal override int TypeNumber => (int)(PgDbType ?? PostgreSql.PgDbType.Unknown);
}
