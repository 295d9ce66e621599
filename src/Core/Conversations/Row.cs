using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>
/// A window on the current row in the receive buffer. Each session reuses one instance. Values are decoded on demand, and typed getters do not box. A returned
/// span is valid until the next row.
/// </summary>
internal abstract class Row
{
    /// <summary>Number of columns of the current result set; 0 without one.</summary>
    public abstract int FieldCount { get; }

    /// <summary>A column's name in the result: its alias if it has one.</summary>
    public abstract string GetName(int ordinal);

    /// <summary>Name of the column for a message, on one line: its name, or # and the ordinal if the name may contain a parameter's value.</summary>
    public string Called(int ordinal) => ServerText.OneLine(NameWithoutValues(ordinal));

    /// <summary>The exception for an ordinal without a column.</summary>
    public virtual Exception NoColumn(int ordinal, string message) => new IndexOutOfRangeException(message);

    /// <summary>The column's name, or # and the ordinal if the name may contain a parameter's value.</summary>
    protected virtual string NameWithoutValues(int ordinal) => GetName(ordinal);

    /// <summary>First column with that name: an exact match first, then ignoring case.</summary>
    /// <exception cref="IndexOutOfRangeException">No column has that name.</exception>
    public abstract int GetOrdinal(string name);

    /// <summary>The CLR type that GetValue returns for the column.</summary>
    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public abstract Type GetFieldType(int ordinal);

    /// <summary>The database's name of the column's type.</summary>
    public abstract string GetDataTypeName(int ordinal);

    /// <summary>The server's description of the column.</summary>
    public abstract ColumnDescription Describe(int ordinal);

    /// <summary>Whether the value is NULL.</summary>
    public abstract bool IsNull(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="bool"/>.</summary>
    public abstract bool GetBoolean(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="byte"/>.</summary>
    public abstract byte GetByte(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="short"/>.</summary>
    public abstract short GetInt16(int ordinal);

    /// <summary>The value of a column that is not NULL, as an <see cref="int"/>.</summary>
    public abstract int GetInt32(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="long"/>.</summary>
    public abstract long GetInt64(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="float"/>.</summary>
    public abstract float GetFloat(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="double"/>.</summary>
    public abstract double GetDouble(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="decimal"/>.</summary>
    public abstract decimal GetDecimal(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="DateTime"/>.</summary>
    public abstract DateTime GetDateTime(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="Guid"/>.</summary>
    public abstract Guid GetGuid(int ordinal);

    /// <summary>The value of a column that is not NULL, as a <see cref="string"/>.</summary>
    public abstract string GetString(int ordinal);

    /// <summary>The value as the column's CLR type, boxed; <see cref="DBNull"/> for NULL.</summary>
    public abstract object GetValue(int ordinal);

    /// <summary>The value as <typeparamref name="T"/>, without boxing if the provider supports the type directly.</summary>
    public abstract T GetFieldValue<T>(int ordinal);

    /// <summary>The value of <see cref="GetFieldValue{T}"/>, which stays valid after the row: bytes in the receive buffer are copied.</summary>
    public T GetLastingValue<T>(int ordinal)
    {
        if (typeof(T) != typeof(ReadOnlyMemory<byte>))
            return GetFieldValue<T>(ordinal);
        ReadOnlyMemory<byte> copy = GetFieldValue<ReadOnlyMemory<byte>>(ordinal).ToArray();
        return Unsafe.As<ReadOnlyMemory<byte>, T>(ref copy);
    }

    /// <summary>
    /// The bytes of the value as text or binary data, in whichever format it was sent. <c>GetBytes</c>, <c>GetStream</c> and <c>GetTextReader</c> read from
    /// them.
    /// </summary>
    public abstract ReadOnlySpan<byte> GetSpan(int ordinal);

    /// <summary>The value as a separate array. A large value is the array into which it was received.</summary>
    public abstract byte[] GetByteArray(int ordinal);

    /// <summary>Whether the column contains characters, not bytes, so that <c>GetChars</c> applies.</summary>
    public abstract bool IsText(int ordinal);
}

/// <summary>
/// A column, independent of the database: the source of <c>GetColumnSchema</c> and <c>GetSchemaTable</c>. Null: the server did not report it.
/// </summary>
internal sealed record ColumnDescription(string Name)
{
    /// <summary>The column's name in its table; null for an expression, or if the server does not report it.</summary>
    public string? BaseName { get; init; }

    /// <summary>The table's name in the database; null if the server does not report it.</summary>
    public string? TableName { get; init; }

    /// <summary>The schema's name; null if the server does not report it.</summary>
    public string? SchemaName { get; init; }

    /// <summary>The catalog's name; null if the server does not report it.</summary>
    public string? CatalogName { get; init; }

    /// <summary>The CLR type that GetValue returns.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public required Type Type { get; init; }

    /// <summary>The database's name of the type.</summary>
    public required string TypeName { get; init; }

    /// <summary>The provider's number of the type.</summary>
    public required int ProviderType { get; init; }

    /// <summary>Maximum length: characters of a text, bytes of another value; null without a limit.</summary>
    public int? Size { get; init; }

    /// <summary>Number of digits of a decimal number; null for other types.</summary>
    public int? Precision { get; init; }

    /// <summary>Number of digits after the decimal point of a decimal number; null for other types.</summary>
    public int? Scale { get; init; }

    /// <summary>Whether the column may be NULL; null if the server does not report it.</summary>
    public bool? IsNullable { get; init; }

    /// <summary>Whether the column belongs to the primary key; null if the server does not report it.</summary>
    public bool? IsKey { get; init; }

    /// <summary>Whether the column's values are unique; null if the server does not report it.</summary>
    public bool? IsUnique { get; init; }

    /// <summary>Whether the server generates the values by counting; null if the server does not report it.</summary>
    public bool? IsAutoIncrement { get; init; }

    /// <summary>Whether the type is one for very long values.</summary>
    public bool? IsLong { get; init; }

    /// <summary>Whether the column cannot be written; null if the server does not report it.</summary>
    public bool? IsReadOnly { get; init; }

    /// <summary>Whether the column's name in the result differs from its name in the table; null if the server does not report it.</summary>
    public bool? IsAliased { get; init; }

    /// <summary>Whether the column is computed; null if the server does not report it.</summary>
    public bool? IsExpression { get; init; }
}
