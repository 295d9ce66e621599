namespace Slipstream.Core.Data;

/// <summary>The schema collections of a provider for one kind of server, and the two collections that list them.</summary>
internal sealed class SchemaCatalog
{
    private const string CollectionsName = "MetaDataCollections";
    private const string RestrictionsName = "Restrictions";

    private readonly SchemaCollection[] _collections;

    /// <param name="collections">The collections in their listed order. MetaDataCollections is added first, Restrictions at
    /// <paramref name="restrictionsAt"/>.</param>
    /// <param name="restrictionsAt">Index of Restrictions.</param>
    public SchemaCatalog(IEnumerable<SchemaCollection> collections, int restrictionsAt = 1)
    {
        var all = collections.ToList();
        all.Insert(0, new(CollectionsName, "CollectionName, NumberOfRestrictions:int, NumberOfIdentifierParts:int") { Rows = _ => CollectionRows() });
        all.Insert(
            restrictionsAt,
            new(RestrictionsName, "CollectionName, RestrictionName, RestrictionDefault, RestrictionNumber:int") { Rows = _ => RestrictionRows() });
        _collections = [.. all];
    }

    /// <summary>Name of the collection that lists the others: the result of <c>GetSchema()</c> without a name.</summary>
    public static string Default => CollectionsName;

    /// <summary>Finds a collection by name, ignoring case.</summary>
    /// <exception cref="ArgumentException">The collection does not exist.</exception>
    public SchemaCollection Find(string collectionName) =>
        Array.Find(_collections, one => one.Name.Equals(collectionName, StringComparison.OrdinalIgnoreCase))
        ?? throw new ArgumentException(
            $"There is no schema collection '{collectionName}'. The collections are {string.Join(", ", _collections.Select(static one => one.Name))}.",
            nameof(collectionName));

    private IEnumerable<object?[]> CollectionRows() =>
        _collections.Select(static one => new object?[] { one.Name, one.RestrictionList.Count, one.IdentifierParts });

    private IEnumerable<object?[]> RestrictionRows() =>
        from one in _collections
        from restriction in one.RestrictionList.Index()
        select new object?[] { one.Name, restriction.Item.Name, one.ColumnOf(restriction.Item.Expression), restriction.Index + 1 };
}
