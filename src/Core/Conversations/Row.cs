using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Conversations;

/// <summary>
/// A window on the current row in the inbound buffer, one per session, reused. Values are decoded when asked for; nothing is boxed by
/// a typed getter. What it hands out as a span is valid until the next row.
/// </summary>
public abstract class Row
{
    /// <summary>Columns of the current result set; 0 when it has none.</summary>
    public abstract int FieldCount { get; }

    public abstract string GetName(int ordinal);

    /// <summary>First column of that name: exact match first, then ignoring case.</summary>
    /// <exception cref="IndexOutOfRangeException">There is none.</exception>
    public abstract int GetOrdinal(string name);

    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public abstract Type GetFieldType(int ordinal);

    public abstract string GetDataTypeName(int ordinal);

    /// <summary>What the server says about the column.</summary>
    public abstract ColumnDescription Describe(int ordinal);

    public abstract bool IsNull(int ordinal);

    public abstract bool GetBoolean(int ordinal);

    public abstract byte GetByte(int ordinal);

    public abstract short GetInt16(int ordinal);

    public abstract int GetInt32(int ordinal);

    public abstract long GetInt64(int ordinal);

    public abstract float GetFloat(int ordinal);

    public abstract double GetDouble(int ordinal);

    public abstract decimal GetDecimal(int ordinal);

    public abstract DateTime GetDateTime(int ordinal);

    public abstract Guid GetGuid(int ordinal);

    public abstract string GetString(int ordinal);

    /// <summary>The value as the column's own CLR type, boxed; <see cref="DBNull"/> for NULL.</summary>
    public abstract object GetValue(int ordinal);

    /// <summary>The value as <typeparamref name="T"/>, without a box where T is a type of the provider.</summary>
    public abstract T GetFieldValue<T>(int ordinal);

    /// <summary>The value's bytes as text or binary data, whatever came: what <c>GetBytes</c>, <c>GetStream</c> and <c>GetTextReader</c> read from.</summary>
    public abstract ReadOnlySpan<byte> GetSpan(int ordinal);

    /// <summary>The value as an array of its own; a large one is the array it was received into.</summary>
    public abstract byte[] GetByteArray(int ordinal);

    /// <summary>True for a column of characters (as opposed to bytes): where <c>GetChars</c> makes sense.</summary>
    public abstract bool IsText(int ordinal);
}

/// <summary>A column in neutral words: what <c>GetColumnSchema</c> and <c>GetSchemaTable</c> are made of. Null: the server did not say.</summary>
public sealed record ColumnDescription(string Name)
{
    public string? BaseName { get; init; }

    public string? TableName { get; init; }

    public string? SchemaName { get; init; }

    public string? CatalogName { get; init; }

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public required Type Type { get; init; }

    public required string TypeName { get; init; }

    /// <summary>The provider's own number of the type.</summary>
    public required int ProviderType { get; init; }

    public int? Size { get; init; }

    public int? Precision { get; init; }

    public int? Scale { get; init; }

    public bool? IsNullable { get; init; }

    public bool? IsKey { get; init; }

    public bool? IsUnique { get; init; }

    public bool? IsAutoIncrement { get; init; }

    public bool? IsLong { get; init; }

    public bool? IsReadOnly { get; init; }

    public bool? IsAliased { get; init; }

    public bool? IsExpression { get; init; }
}
