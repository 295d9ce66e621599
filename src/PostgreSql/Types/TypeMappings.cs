using System.Diagnostics.CodeAnalysis;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>The mappings of .NET types that a data source adds to the driver's own. Immutable once the data source is built.</summary>
internal sealed class TypeMappings
{
    /// <summary>No mappings.</summary>
    public static TypeMappings None { get; } = new();

    private readonly List<TypeMapping> _all = [];

    public IReadOnlyList<TypeMapping> All => _all;

    /// <summary>Gets or sets what an array that contains NULL, or may contain it, is read as.</summary>
    public ArrayNullabilityMode ArrayNullability { get; set; }

    /// <summary>Gets or sets how json and jsonb are converted to and from other .NET types; null if they are not.</summary>
    public JsonMapping? Json { get; set; }

    /// <summary>Gets whether the mappings are those of every data source without any.</summary>
    public bool IsEmpty => _all.Count == 0 && Json is null && ArrayNullability == ArrayNullabilityMode.Never;

    /// <summary>Adds a mapping. It replaces one of the same types.</summary>
    public void Add(TypeMapping mapping)
    {
        Remove(mapping.ClrType, mapping.DataTypeName);
        _all.Add(mapping);
    }

    /// <summary>Removes a mapping.</summary>
    /// <returns>False if there was none.</returns>
    public bool Remove(Type clrType, string dataTypeName) =>
        _all.RemoveAll(mapping => mapping.ClrType == clrType && mapping.DataTypeName == dataTypeName) > 0;

    /// <summary>Removes all mappings of types and of JSON.</summary>
    public void Clear()
    {
        _all.Clear();
        Json = null;
    }

    /// <summary>Adds all mappings of another object. They replace those of the same types.</summary>
    public void AddAll(TypeMappings others)
    {
        foreach (var mapping in others._all)
            Add(mapping);
        Json = others.Json ?? Json;
    }

    /// <summary>Returns a copy that does not change with this object.</summary>
    public TypeMappings Clone()
    {
        var clone = new TypeMappings { ArrayNullability = ArrayNullability, Json = Json };
        clone._all.AddRange(_all);
        return clone;
    }
}

/// <summary>A .NET type for a type of the database.</summary>
/// <param name="ClrType">The .NET type.</param>
/// <param name="DataTypeName">The name of the type in the database, with or without its schema.</param>
/// <param name="Create">Creates the converter for the type as the database describes it; null if it does not suit.</param>
internal sealed record TypeMapping(Type ClrType, string DataTypeName, Func<DataType, PgConverter?> Create)
{
    /// <summary>Gets whether GetValue returns the .NET type.</summary>
    public bool IsDefault { get; init; } = true;

    /// <summary>Gets whether a value of the .NET type is sent as the type of the database unless another is set.</summary>
    public bool IsSent { get; init; } = true;

    /// <summary>Gets whether a value of the .NET type is sent as the type of an earlier mapping of the same .NET type, if there is one.</summary>
    public bool YieldsToEarlier { get; init; }

    /// <summary>
    /// Gets whether a name without a schema means the types of that name in all schemas, because an extension may be installed in any. Otherwise, the name must
    /// be unique.
    /// </summary>
    public bool IsInAnySchema { get; init; }
}
