using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql;

/// <summary>A column of a result set, as <see cref="MySqlDataReader"/>'s GetColumnSchema describes it.</summary>
public sealed class MySqlDbColumn : ProviderColumn
{
    internal MySqlDbColumn(int ordinal, ColumnDescription column, string? tableInQuery = null)
        : base(ordinal, column)
    {
        TableName = tableInQuery ?? column.TableName ?? "";
        if (ThisAssembly.Conventions.DescribesColumnsCoarsely)
            IsIdentity = null;
    }

    /// <summary>Gets the column's type.</summary>
    public MySqlDbType ProviderType => (MySqlDbType)TypeNumber;

    /// <summary>Gets the table's name in the database; empty for an expression.</summary>
    public string TableName { get; }
}
