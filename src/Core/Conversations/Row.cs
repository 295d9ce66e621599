using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>
/// A window on the current row in the inbound buffer, one per session, reused. Values are decoded when asked for; nothing is boxed by
/// a typed getter. What it hands out as a span is valid until the next row.
/// </summary>
internal abstract class Row
{
    /// <summary>Columns of the current result set; 0 when it has none.</summary>
    public abstract int FieldCount { get; }

    /// <summary>A column's name in the result: its alias if it has one.</summary>
    public abstract string GetName(int ordinal);

    /// <summary>What a message calls the column, on one line: its name, unless a parameter's value may stand in that; then # and the ordinal.</summary>
    public string Called(int ordinal) => ServerText.OneLine(NameWithoutValues(ordinal));

    /// <summary>The column's name, unless a parameter's value may stand in that; then # and the ordinal.</summary>
    protected virtual string NameWithoutValues(int ordinal) => GetName(ordinal);

    /// <summary>First column of that name: exact match first, then ignoring case.</summary>
    /// <exception cref="IndexOutOfRangeException">There is none.</exception>
    public abstract int GetOrdinal(string name);

    /// <summary>The CLR type that GetValue gives for the column.</summary>
    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public abstract Type GetFieldType(int ordinal);

    /// <summary>The type's name as the database says it.</summary>
    public abstract string GetDataTypeName(int ordinal);

    /// <summary>What the server says about the column.</summary>
    public abstract ColumnDescription Describe(int ordinal);

    /// <summary>Whether the value is NULL.</summary>
    public abstract bool IsNull(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract bool GetBoolean(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract byte GetByte(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract short GetInt16(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract int GetInt32(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract long GetInt64(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract float GetFloat(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract double GetDouble(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract decimal GetDecimal(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract DateTime GetDateTime(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
    public abstract Guid GetGuid(int ordinal);

    /// <summary>The value of a column, which is not NULL, as this type.</summary>
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
internal sealed record ColumnDescription(string Name)
{
    /// <summary>The column's name in its table; null for an expression or where the server does not say.</summary>
    public string? BaseName { get; init; }

    /// <summary>The table's name in the database; null where the server does not say.</summary>
    public string? TableName { get; init; }

    /// <summary>The schema's name; null where the server does not say.</summary>
    public string? SchemaName { get; init; }

    /// <summary>The catalog's name; null where the server does not say.</summary>
    public string? CatalogName { get; init; }

    /// <summary>The CLR type that GetValue gives.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public required Type Type { get; init; }

    /// <summary>The type's name as the database says it.</summary>
    public required string TypeName { get; init; }

    /// <summary>The provider's own number of the type.</summary>
    public required int ProviderType { get; init; }

    /// <summary>The most characters of a text, bytes of another value; null where there is no limit.</summary>
    public int? Size { get; init; }

    /// <summary>Digits of a decimal number; null for other types.</summary>
    public int? Precision { get; init; }

    /// <summary>Digits behind the point of a decimal number; null for other types.</summary>
    public int? Scale { get; init; }

    /// <summary>Whether it may be NULL; null where the server does not say.</summary>
    public bool? IsNullable { get; init; }

    /// <summary>Whether it belongs to the primary key; null where the server does not say.</summary>
    public bool? IsKey { get; init; }

    /// <summary>Whether no two rows have the same value; null where the server does not say.</summary>
    public bool? IsUnique { get; init; }

    /// <summary>Whether the server counts it; null where it does not say.</summary>
    public bool? IsAutoIncrement { get; init; }

    /// <summary>Whether the type is one for very long values.</summary>
    public bool? IsLong { get; init; }

    /// <summary>Whether it cannot be written; null where the server does not say.</summary>
    public bool? IsReadOnly { get; init; }

    /// <summary>Whether the result gives it another name than its table; null where the server does not say.</summary>
    public bool? IsAliased { get; init; }

    /// <summary>Whether it is computed; null where the server does not say.</summary>
    public bool? IsExpression { get; init; }
}
